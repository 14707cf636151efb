//! Policies of the paper on an engine in the slotted model, against the same as plain lists of packets.

use crate::build::{
    always, arith, by_highest, by_lowest, case, compare, condition, fifo, head, highest, lowest, modify, number,
    one_port, options, order, packets, queue, reverse_fifo, this_queue,
};
use crate::naive::{self, Before, Scheduling, by, lifo, longest, shortest};
use forebay_core::Seed;
use forebay_engine::Reference;
use forebay_engine::slotted::random::{Kinds, Shape, bursty};
use forebay_engine::slotted::{Arrival, Input, Service, SlottedOutcome, run, weighted};
use forebay_lang::Ratio;
use forebay_lang::ir::{
    Arith, Comparator, Cond, Condition, Key, Num, PacketField, Policy, PortId, QueueField, QueueRef, Read, Relation,
    State,
};

fn outcome(policy: &Policy, input: &Input, service: Service) -> SlottedOutcome {
    run(&mut Reference::new(policy, options(1)), PortId(0), input, service)
}

fn single_queue(admission: Comparator, processing: Comparator, buffer: u64) -> Policy {
    let mut only = queue("q1", packets(buffer));
    (only.admission, only.processing) = (admission, processing);
    one_port(vec![only])
}

/// Listings 4 to 6 with `k` queues.
fn separate_queues(k: u16, buffer: u64, key: Key, after: Condition) -> Policy {
    let numbered = (1..=k).map(|number| {
        let mut one = queue(&format!("q{number}"), packets(buffer));
        one.sched_state = Ratio::from_integer(number.into());
        one
    });
    let mut policy = one_port(numbered.collect());
    policy.ports[0].scheduling = order("schedPrio", &[key]);
    policy.ports[0].after = after;
    policy
}

/// `schedState := schedState + by` of the queue that was served, in a case.
fn advance(when: Cond, by: u16) -> Condition {
    let state = Num::Read(Read::Queue(QueueRef::Current, QueueField::SchedState));
    let sum = arith(Arith::Add, state, number(by.into()));
    condition(&[case(when, &[modify(State::QueueSched(QueueRef::Current), sum)])])
}

#[test]
fn a_single_queue_transmits_what_a_list_does() {
    type Order = fn() -> Comparator;
    let rows: [(Order, Order, Before, Before); 3] = [
        (reverse_fifo, fifo, lifo, naive::fifo),
        (|| by_highest(PacketField::Processing), fifo, longest, naive::fifo),
        (|| by_highest(PacketField::Processing), || by_lowest(PacketField::Processing), longest, shortest),
    ];
    let mut rng = Seed(2).stream("single queue");
    for number in 0..300 {
        let buffer = 1 + number % 6;
        let input = bursty(Shape { slots: 40, burst: 5, kinds: Kinds::Work(7) }, &mut rng);
        for (row, (admission, processing, drop, serve)) in rows.into_iter().enumerate() {
            let outcome = outcome(&single_queue(admission(), processing(), buffer as u64), &input, Service::Cycles(1));
            assert_eq!(outcome.transmitted, naive::single_queue(&input, buffer, drop, serve), "{row} {input:?}");
            assert_eq!(outcome.value, outcome.transmitted);
            assert_eq!(outcome.transmitted + outcome.refused + outcome.pushed_out, input.packets() as u64);
        }
    }
}

#[test]
fn separate_queues_transmit_what_lists_do() {
    let k = 4;
    let packet_is_done = compare(Relation::Equal, head(QueueRef::Current, PacketField::Processing), number(0));
    let state = || this_queue(QueueField::SchedState);
    let length = || this_queue(QueueField::CurrSize);
    let in_turn: fn(&naive::Queue) -> i64 = |queue| queue.state as i64;
    let rows: [(Key, Condition, Scheduling); 6] = [
        (highest(length()), Condition::default(), by(|queue| -(queue.packets as i64))),
        (lowest(length()), Condition::default(), by(|queue| queue.packets as i64)),
        (highest(state()), Condition::default(), by(|queue| -(queue.number as i64))),
        (lowest(state()), Condition::default(), by(|queue| queue.number as i64)),
        (lowest(state()), advance(always(), k), Scheduling { key: in_turn, after_cycle: 4, after_packet: 0 }),
        (
            lowest(state()),
            advance(packet_is_done, k * k),
            Scheduling { key: in_turn, after_cycle: 0, after_packet: 16 },
        ),
    ];
    let mut rng = Seed(2).stream("separate queues");
    for number in 0..200 {
        let buffer = 1 + number % 4;
        let input = bursty(Shape { slots: 60, burst: 5, kinds: Kinds::Queues(k) }, &mut rng);
        for (row, (key, after, naive)) in rows.iter().enumerate() {
            let policy = separate_queues(k, buffer as u64, key.clone(), after.clone());
            let transmitted = outcome(&policy, &input, Service::Cycles(1)).transmitted;
            assert_eq!(transmitted, naive::separate_queues(&input, k, buffer, naive), "{row} {input:?}");
            // With two cycles in a slot it is as if a slot without arrivals followed each.
            let stretched = input.slots.iter().flat_map(|arrivals| [arrivals.clone(), Vec::new()]);
            let stretched = Input { slots: stretched.collect() };
            let transmitted = outcome(&policy, &input, Service::Cycles(2)).transmitted;
            assert_eq!(transmitted, naive::separate_queues(&stretched, k, buffer, naive), "{row} {input:?}");
        }
    }
}

/// Theorem 2: PQ_1 transmits the greatest value.
#[test]
fn the_most_valuable_first_transmits_the_greatest_value() {
    let mut rng = Seed(2).stream("values");
    let mut below = 0;
    for number in 0..300 {
        let buffer = 1 + number % 6;
        let input = bursty(Shape { slots: 40, burst: 5, kinds: Kinds::Values(7) }, &mut rng);
        let value = |processing| {
            let policy = single_queue(by_lowest(PacketField::Value), processing, buffer.into());
            outcome(&policy, &input, Service::Packet).value
        };
        let most = weighted::optimum(&input, buffer);
        assert_eq!(value(by_highest(PacketField::Value)), most, "{input:?}");
        let in_order = value(fifo());
        assert!(in_order <= most);
        below += u32::from(in_order < most);
    }
    assert!(below > 30, "FIFO is worse on some: {below}");
}

#[test]
fn slots_without_packets_pass_and_the_end_is_when_all_have_left() {
    let mut input = Input::default();
    input.add(2, [Arrival::of_work(3), Arrival::of_work(1), Arrival::of_work(1)]);
    let policy = single_queue(reverse_fifo(), fifo(), 2);
    let by_cycle = outcome(&policy, &input, Service::Cycles(1));
    assert_eq!(by_cycle, SlottedOutcome { transmitted: 2, value: 2, refused: 1, pushed_out: 0, slots: 6 });
    assert_eq!(outcome(&policy, &input, Service::Cycles(3)), SlottedOutcome { slots: 4, ..by_cycle });
    let by_packet = outcome(&policy, &input, Service::Packet);
    assert_eq!(by_packet, SlottedOutcome { slots: 4, ..by_cycle });
    let longest_out = single_queue(by_highest(PacketField::Processing), fifo(), 2);
    assert_eq!(outcome(&longest_out, &input, Service::Cycles(1)).pushed_out, 1);
}
