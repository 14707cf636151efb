//! Policies that are strict priority over queues that are first come, first served: what they are taken for, they do.

use crate::build::*;
use crate::random_policy::{Objects, random_order, random_policy};
use crate::random_traffic::{Operation, Traffic};
use forebay_core::{Rng, Seed, Verdict};
use forebay_engine::{Classify, Engine, Fast, Reference};
use forebay_lang::Ratio;
use forebay_lang::ir::{Action, BufferId, NotStrict, Policy, PortId, PushOut, Queue, QueueField, QueueRef, State};
use rand::RngExt;
use std::collections::VecDeque;

/// A random policy with one port, much of which is strict priority over first come, first served.
fn nearly_strict(rng: &mut Rng) -> Policy {
    let mut made = random_policy(rng);
    while made.ports.len() > 1 {
        made = random_policy(rng);
    }
    let state = || this_queue(QueueField::SchedState);
    let orders = [
        order("strict", &[highest(state())]),
        order("bySize", &[lowest(this_queue(QueueField::Size)), highest(state())]),
        order("byAdmState", &[lowest(this_queue(QueueField::AdmState))]),
        random_order(rng, Objects::Queues),
    ];
    made.ports[0].scheduling = orders[rng.random_range(0..orders.len())].clone();
    if rng.random_bool(0.7) {
        made.ports[0].after.cases.clear();
    }
    for queue in &mut made.queues {
        queue.processing = if rng.random_bool(0.97) { fifo() } else { random_order(rng, Objects::Packets) };
        queue.admission = if rng.random_bool(0.97) { reverse_fifo() } else { random_order(rng, Objects::Packets) };
        if rng.random_bool(0.6) {
            queue.congestion = condition(&[case(queue_is_full(), &[drop_surely()])]);
        }
    }
    for buffer in &mut made.buffers {
        if rng.random_bool(0.9) {
            buffer.admission = None;
        }
        if rng.random_bool(0.6) {
            buffer.congestion = condition(&[case(buffer_is_full(), &[drop_surely()])]);
        }
    }
    made
}

/// Plays traffic on the reference, and on queues in this order of service. `false` if a packet is pushed out, or another one leaves.
fn is_followed(policy: &Policy, order: &[forebay_core::QueueId], rng: Rng) -> bool {
    let (mut engine, mut fast) = (Reference::new(policy, options(1)), Fast::new(policy, options(1)).unwrap());
    let mut waiting: Vec<VecDeque<u64>> = vec![VecDeque::new(); order.len()];
    let mut traffic = Traffic::new(rng, policy);
    for _ in 0..400 {
        match traffic.next() {
            Operation::Enqueue(packet) => {
                let mut evicted = Vec::new();
                if let Verdict::Queued { .. } = engine.enqueue(traffic.now, packet, &mut evicted) {
                    // An engine in which nothing waits says it, too.
                    let queue = fast.classify(traffic.now, &packet).expect("a packet that waits has a queue");
                    let place = order.iter().position(|id| *id == queue).expect("all queues are served");
                    waiting[place].push_back(packet.id);
                }
                if !evicted.is_empty() {
                    return false;
                }
            }
            Operation::Dequeue(_) | Operation::Cycle(_) => {
                let left = engine.dequeue(traffic.now, PortId(0)).map(|packet| packet.id);
                if left != waiting.iter_mut().find_map(VecDeque::pop_front) {
                    return false;
                }
            }
            _ => {}
        }
    }
    fast.take_all().is_empty()
}

#[test]
fn random_policies_that_are_taken_for_strict_priorities_are() {
    let mut rng = Seed(7).stream("strict");
    let (mut taken, mut several, mut others) = (0, 0, 0);
    for seed in 0..800 {
        let policy = nearly_strict(&mut rng);
        let traffic = Seed(seed).stream("traffic");
        match policy.strict_priorities() {
            Ok(order) => {
                assert!(is_followed(&policy, &order, traffic), "{seed}: {policy:?}");
                taken += 1;
                several += u32::from(order.len() > 1);
            }
            Err(_) => {
                let declared = policy.ports[0].queues.clone();
                others += u32::from(!is_followed(&policy, &declared, traffic));
            }
        }
    }
    assert!(taken > 150 && several > 75 && others > 100, "{taken} {several} {others}");
}

fn with_states(states: [i128; 3]) -> Policy {
    let made = |(number, state): (usize, i128)| Queue {
        sched_state: Ratio::from_integer(state),
        ..queue(&format!("q{number}"), packets(9))
    };
    let mut policy = one_port(states.into_iter().enumerate().map(made).collect());
    policy.ports[0].scheduling = order("strict", &[highest(this_queue(QueueField::SchedState))]);
    policy
}

#[test]
fn queues_are_in_the_order_of_their_states_and_then_of_their_declaration() {
    let order = with_states([1, 5, 1]).strict_priorities().unwrap();
    assert_eq!(order.iter().map(|queue| queue.0).collect::<Vec<_>>(), [1, 0, 2]);
}

#[test]
fn what_is_no_strict_priority_is_said() {
    let strict = || with_states([3, 2, 1]);
    let refused = |change: &dyn Fn(&mut Policy)| {
        let mut policy = strict();
        change(&mut policy);
        policy.strict_priorities().unwrap_err()
    };
    let srpt = || by_lowest(forebay_lang::ir::PacketField::Remaining);
    assert!(
        matches!(refused(&|policy| policy.queues[1].processing = srpt()), NotStrict::Service { queue, .. } if queue == "q1")
    );
    let longest = order("lqf", &[highest(this_queue(QueueField::CurrSize))]);
    assert!(matches!(
        refused(&|policy| policy.ports[0].scheduling = longest.clone()),
        NotStrict::Scheduling { order, .. } if order == "lqf"
    ));
    let turn = modify(State::QueueSched(QueueRef::Current), number(4));
    assert!(matches!(
        refused(&|policy| policy.ports[0].after = condition(&[case(always(), std::slice::from_ref(&turn))])),
        NotStrict::Scheduling { .. }
    ));
    assert!(matches!(refused(&|policy| policy.ports[0].scheduling.keys = None), NotStrict::NoKeys { .. }));
    assert!(matches!(refused(&|policy| policy.ports.push(port("other", &[]))), NotStrict::Ports(2)));
    let pushes_out = |change: &dyn Fn(&mut Policy)| match refused(change) {
        NotStrict::PushesOut { why, .. } => why,
        other => panic!("{other}"),
    };
    assert!(matches!(pushes_out(&|policy| policy.queues[0].admission = fifo()), PushOut::Victims { .. }));
    let twice = [drop_surely(), Action::Drop(number(1))];
    assert!(matches!(
        pushes_out(&|policy| policy.queues[0].congestion = condition(&[case(queue_is_full(), &twice)])),
        PushOut::Twice(_)
    ));
    // A full buffer empties this queue, though other queues have filled it.
    let named = forebay_lang::ir::BufferRef::Named(BufferId(0));
    let occupied =
        forebay_lang::ir::Num::Read(forebay_lang::ir::Read::Buffer(named, forebay_lang::ir::BufferField::CurrSize));
    let share = |policy: &mut Policy| {
        policy.buffers.push(forebay_lang::ir::Buffer { admission: None, ..buffer("b", packets(9), &[0, 1, 2]) });
        policy.queues.iter_mut().for_each(|queue| queue.buffer = Some(BufferId(0)));
        let when = compare(forebay_lang::ir::Relation::Greater, occupied.clone(), number(4));
        policy.queues[0].congestion = condition(&[case(when, &[drop_surely()])]);
    };
    assert!(matches!(pushes_out(&share), PushOut::GoesOn(_)));
    // But what is about the arriving packet ends with that.
    let mut policy = strict();
    share(&mut policy);
    let there = compare(forebay_lang::ir::Relation::Greater, arriving(forebay_lang::ir::PacketField::Size), number(0));
    let when = &mut policy.queues[0].congestion.cases[0].when;
    *when = forebay_lang::ir::Cond::And(Box::new(when.clone()), Box::new(there));
    assert!(policy.strict_priorities().is_ok());
    policy.buffers[0].admission = Some(longest.clone());
    assert!(matches!(
        policy.strict_priorities(),
        Err(NotStrict::PushesOut { owner, why: PushOut::AmongQueues(order) }) if owner == "b" && order == "lqf"
    ));
}
