//! The fast engine is equal to the reference.

use crate::build::*;
use crate::live_policy::live;
use crate::random_policy::{random_policy, without_keys};
use crate::random_traffic::Traffic;
use crate::same::{compare as compare_engines, same, same_with};
use forebay_core::{Rng, Seed};
use forebay_engine::fast::plan::{End, Plan, QueueStructure, Sorted};
use forebay_engine::{EngineOptions, Fast, Reference};
use forebay_lang::ir::{Comparator, PacketField, Policy, QueueField, QueueRef};

fn fast(policy: &Policy, options: EngineOptions) -> Fast {
    Fast::new(policy, options).expect("random policies are checked ones")
}

#[test]
fn under_random_policies_and_traffic() {
    for seed in 0..3_000 {
        same(Reference::new, fast, seed, 120);
    }
}

#[test]
fn with_live_parameters_that_change() {
    let draw = |rng: &mut Rng| {
        let policy = random_policy(rng);
        live(policy, rng)
    };
    for seed in 0..2_000 {
        same_with(draw, Reference::new, fast, seed, 120);
    }
}

#[test]
fn without_keys_too() {
    for seed in 0..600 {
        same(Reference::new, |policy, options| fast(&without_keys(policy), options), seed, 120);
    }
}

/// The policy with nothing but tail drops.
fn plain(policy: &Policy) -> Policy {
    let mut policy = policy.clone();
    for (queue, id) in policy.queues.iter_mut().zip(0..) {
        let drops = if id % 3 == 0 { vec![] } else { vec![case(queue_is_full(), &[drop_surely()])] };
        queue.congestion = condition(&drops);
    }
    policy
        .buffers
        .iter_mut()
        .for_each(|buffer| buffer.congestion = condition(&[case(buffer_is_full(), &[drop_surely()])]));
    policy.ports.iter_mut().for_each(|port| port.after = condition(&[]));
    policy
}

#[test]
fn where_nothing_but_tail_drops_happens() {
    for seed in 0..2_000 {
        let reference = |policy: &Policy, options| Reference::new(&plain(policy), options);
        same(reference, |policy, options| fast(&plain(policy), options), seed, 150);
    }
}

/// Orders of as many queues as each way to choose one needs.
#[test]
fn with_many_queues_in_all_orders() {
    let orders = [
        order("longest", &[highest(this_queue(QueueField::CurrSize))]),
        order("shortest", &[lowest(this_queue(QueueField::CurrSize))]),
        order("state", &[highest(this_queue(QueueField::SchedState)), lowest(this_queue(QueueField::AdmState))]),
        order("oldest", &[lowest(head(QueueRef::This, PacketField::Arrival))]),
    ];
    for (seed, (queues, shape)) in
        [2_u16, 5, 31, 33, 64, 65, 100].into_iter().flat_map(|n| (0..8).map(move |s| (n, s))).enumerate()
    {
        let seed = seed as u64;
        let mut all: Vec<_> = (0..queues).map(|id| queue(&format!("q{id}"), packets(u64::from(id % 5) + 1))).collect();
        all.iter_mut().zip(0..).for_each(|(queue, id)| queue.sched_state = (id * 7 % 5).into());
        let ids: Vec<u16> = (0..queues).collect();
        let mut out = port("out", &ids);
        let mut shared = buffer("b", packets(u64::from(queues)), &ids);
        out.scheduling = orders[shape % 4].clone();
        shared.admission = Some(orders[(shape + shape / 4) % 4].clone());
        let buffers = if shape < 6 { vec![shared] } else { Vec::new() };
        let policy = policy(all, vec![out], buffers);
        let mut traffic = Traffic::new(Seed(seed).stream("many queues"), &policy);
        let (mut a, mut b) = (Reference::new(&policy, options(1)), fast(&policy, options(1)));
        compare_engines(&mut a, &mut b, &policy, &mut traffic, 600, &format!("{queues} queues, shape {shape}"));
    }
}

#[test]
fn a_plan_says_which_structures_are_chosen() {
    let with = |processing: Comparator, admission: Comparator| {
        let mut only = queue("q", packets(8));
        (only.processing, only.admission) = (processing, admission);
        Plan::new(&one_port(vec![only])).queues[0].structure
    };
    let (low, high) = (by_lowest, by_highest);
    let structures = [
        with(fifo(), reverse_fifo()),
        with(low(PacketField::Processing), high(PacketField::Processing)),
        with(high(PacketField::Class), low(PacketField::Class)),
        with(fifo(), low(PacketField::Class)),
        with(Comparator { keys: None, ..low(PacketField::Slack) }, reverse_fifo()),
    ];
    let arrival = End::Arrival { against_ties: false };
    let classes = Sorted::Buckets { ranks: 256 };
    let expected = [
        QueueStructure::Arrivals { latest_first: false, drop_earliest: false },
        QueueStructure::DoubleEnded(Sorted::Heap { bits: 57 }),
        QueueStructure::DoubleEnded(classes),
        QueueStructure::TwoEnded { service: arrival, victims: End::Sorted(classes) },
        QueueStructure::TwoEnded { service: End::Scan, victims: arrival },
    ];
    assert_eq!(structures, expected);
}
