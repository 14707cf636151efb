//! Section 7 of `docs/openqueue-semantics.md`: service and `postSchedAct`.

use crate::build::*;
use forebay_core::{Duration, Packet, QueueId, Time};
use forebay_engine::{Engine, Reference, Served};
use forebay_lang::ir::{
    Action, Arith, Cond, Num, PacketField, Policy, PortField, PortId, PortRef, QueueField, QueueRef, Read, Relation,
    State,
};

const OUT: PortId = PortId(0);

fn now() -> Time {
    Time::from_ns(1_000)
}

fn sched_state(queue: QueueRef) -> State {
    State::QueueSched(queue)
}

fn named(queue: u16) -> QueueRef {
    QueueRef::Named(QueueId(queue))
}

/// Packets with the fewest cycles first, the reverse to drop.
fn shortest_remaining() -> Policy {
    let mut only = queue("q", packets(9));
    only.processing = by_lowest(PacketField::Processing);
    only.admission = by_highest(PacketField::Processing);
    one_port(vec![only])
}

#[test]
fn a_port_takes_the_first_queue_and_of_that_the_first_packet() {
    let mut policy = one_port(vec![queue("a", packets(9)), queue("b", packets(9))]);
    policy.queues[1].processing = by_highest(PacketField::Value);
    policy.ports[0].scheduling = order("longest", &[highest(this_queue(QueueField::CurrSize))]);
    let mut engine = Reference::new(&policy, options(1));
    let to = |id, queue, value| Packet { value, ..arrives_for(id, queue) };
    offer(&mut engine, &[to(1, 0, 0), to(2, 1, 1), to(3, 1, 2), to(4, 0, 0), to(5, 1, 3)]);
    assert_eq!(serve_all(&mut engine, 0), [5, 1, 3, 4, 2]);
}

#[test]
fn each_port_serves_its_own_queues() {
    let queues = vec![queue("a", packets(9)), queue("b", packets(9)), queue("c", packets(9))];
    let policy = policy(queues, vec![port("left", &[0, 2]), port("right", &[1])], Vec::new());
    let mut engine = Reference::new(&policy, options(1));
    offer(&mut engine, &[arrives_for(1, 2), arrives_for(2, 1), arrives_for(3, 0)]);
    assert_eq!(serve_all(&mut engine, 1), [2]);
    assert_eq!(serve_all(&mut engine, 0), [1, 3]);
    assert_eq!(engine.cycle(now(), PortId(1)), Served::Nothing);
}

#[test]
fn a_queue_with_nothing_but_held_packets_is_not_served() {
    let mut engine = Reference::new(&one_port(vec![queue("a", packets(9)), queue("b", packets(9))]), options(1));
    engine.hold(QueueId(0), forebay_engine::Occupancy { packets: 5, bytes: 500 });
    assert_eq!(engine.dequeue(now(), OUT), None);
    offer(&mut engine, &[arrives_for(1, 1)]);
    assert_eq!(serve_all(&mut engine, 0), [1]);
}

/// Fig. 3: the first packet is interrupted by one with fewer cycles.
#[test]
fn cycle_by_cycle_another_packet_may_be_served_in_the_next_cycle() {
    let mut engine = Reference::new(&shortest_remaining(), options(1));
    offer(&mut engine, &[of_cycles(1, 3)]);
    assert_eq!(engine.cycle(now(), OUT), Served::Cycle);
    offer(&mut engine, &[of_cycles(2, 1), of_cycles(3, 2)]);
    let mut served = Vec::new();
    loop {
        match engine.cycle(now(), OUT) {
            Served::Nothing => break,
            Served::Cycle => served.push(0),
            Served::Packet(packet) => served.push(packet.id),
        }
    }
    // Packet 1 has two cycles left, as many as packet 3, and came first.
    assert_eq!(served, [2, 0, 1, 0, 3]);
}

#[test]
fn a_packet_comes_out_with_its_processing_as_it_came_in() {
    let mut engine = Reference::new(&shortest_remaining(), options(1));
    let packet = Packet { processing: Duration::from_ps(1_500), ..arrives(1) };
    offer(&mut engine, &[packet]);
    assert_eq!(engine.cycle(now(), OUT), Served::Cycle);
    assert_eq!(engine.cycle(now(), OUT), Served::Packet(packet), "a started nanosecond is a cycle");
    offer(&mut engine, &[packet]);
    assert_eq!(engine.cycle(now(), OUT), Served::Cycle);
    assert_eq!(engine.dequeue(now(), OUT), Some(packet));
}

#[test]
fn a_packet_without_cycles_leaves_in_its_first() {
    let mut engine = Reference::new(&shortest_remaining(), options(1));
    offer(&mut engine, &[arrives(1)]);
    assert_eq!(engine.cycle(now(), OUT), Served::Packet(arrives(1)));
}

/// Remembers a number in the port's state after each service.
fn remembering(mut policy: Policy, value: Num) -> Policy {
    policy.ports[0].after = condition(&[case(always(), &[modify(State::PortSched(PortRef::This), value)])]);
    policy
}

fn remembered(engine: &Reference) -> String {
    engine.state(State::PortSched(PortRef::Named(OUT))).to_string()
}

#[test]
fn in_post_sched_act_the_packet_is_still_there_and_is_the_head() {
    let occupancy = Num::Read(Read::Queue(QueueRef::Current, QueueField::CurrSize));
    let mut engine = Reference::new(&remembering(shortest_remaining(), occupancy), options(1));
    offer(&mut engine, &[of_cycles(1, 4), of_cycles(2, 4)]);
    engine.dequeue(now(), OUT);
    assert_eq!(remembered(&engine), "2");

    let of_head = head(QueueRef::Current, PacketField::Arrival);
    let mut policy = remembering(shortest_remaining(), of_head);
    // Most cycles first: after its cycle, packet 1 is not first any more, but still the head here.
    policy.queues[0].processing = by_highest(PacketField::Processing);
    let mut engine = Reference::new(&policy, options(1));
    offer(&mut engine, &[of_cycles(1, 4), of_cycles(2, 4)]);
    engine.cycle(now(), OUT);
    assert_eq!(remembered(&engine), "1");
    engine.cycle(now(), OUT);
    assert_eq!(remembered(&engine), "2");
}

#[test]
fn in_post_sched_act_processing_is_what_is_left() {
    let left = head(named(0), PacketField::Processing);
    let mut engine = Reference::new(&remembering(shortest_remaining(), left), options(1));
    offer(&mut engine, &[of_cycles(1, 4)]);
    engine.cycle(now(), OUT);
    assert_eq!(remembered(&engine), "3");
    engine.dequeue(now(), OUT);
    assert_eq!(remembered(&engine), "0");
}

#[test]
fn in_post_sched_act_marks_concern_the_packet_that_was_served() {
    let mut policy = shortest_remaining();
    let few = compare(Relation::Less, head(QueueRef::Current, PacketField::Value), number(5));
    policy.ports[0].after = condition(&[case(few, &[Action::Mark, Action::Notify])]);
    let mut engine = Reference::new(&policy, options(1));
    offer(&mut engine, &[of_value(1, 9), of_value(2, 1)]);
    let marks =
        |packet: Option<Packet>| packet.map(|packet| (packet.marks.eligible_to_drop(), packet.marks.congested()));
    assert_eq!(marks(engine.dequeue(now(), OUT)), Some((false, false)));
    assert_eq!(marks(engine.dequeue(now(), OUT)), Some((true, true)));
    assert_eq!([count(&engine, "marked"), count(&engine, "notified")], [1, 1]);
}

#[test]
fn in_post_sched_act_a_mark_of_many_cycles_counts_once() {
    let mut policy = shortest_remaining();
    policy.ports[0].after = condition(&[case(always(), &[Action::Mark])]);
    let mut engine = Reference::new(&policy, options(1));
    offer(&mut engine, &[of_cycles(1, 3)]);
    while engine.cycle(now(), OUT) == Served::Cycle {}
    assert_eq!(count(&engine, "marked"), 1);
}

#[test]
fn in_post_sched_act_the_value_of_the_packet_that_was_served_can_be_changed() {
    let mut policy = shortest_remaining();
    policy.ports[0].after = condition(&[case(always(), &[modify(State::HeadValue(QueueRef::Current), number(77))])]);
    let mut engine = Reference::new(&policy, options(1));
    offer(&mut engine, &[of_value(1, 9)]);
    assert_eq!(engine.dequeue(now(), OUT).map(|packet| packet.value), Some(77));
}

/// CRR of Listing 5: the queue that was served longest ago is next, by a counter of the port.
#[test]
fn a_round_robin_over_queues_is_a_matter_of_states() {
    let mut policy = one_port(vec![queue("a", packets(9)), queue("b", packets(9)), queue("c", packets(9))]);
    policy.ports[0].scheduling = order("least", &[lowest(this_queue(QueueField::SchedState))]);
    let counter = Num::Read(Read::Port(PortRef::This, PortField::SchedState));
    let next = arith(Arith::Add, counter, number(1));
    policy.ports[0].after = condition(&[case(
        always(),
        &[
            modify(State::PortSched(PortRef::This), next),
            modify(sched_state(QueueRef::Current), Num::Read(Read::Port(PortRef::This, PortField::SchedState))),
        ],
    )]);
    let mut engine = Reference::new(&policy, options(1));
    let offered: Vec<Packet> =
        (0..3).flat_map(|queue| (1..=3).map(move |n| arrives_for(n + 10 * u64::from(queue), queue))).collect();
    offer(&mut engine, &offered);
    assert_eq!(serve_all(&mut engine, 0), [1, 11, 21, 2, 12, 22, 3, 13, 23]);
    assert_eq!(engine.state(sched_state(named(2))).to_string(), "9");
}

#[test]
fn post_sched_act_has_one_acting_case_and_a_clock() {
    let policy = remembering(shortest_remaining(), Num::Read(Read::Now));
    let mut both = policy.clone();
    both.ports[0].after.cases.insert(0, case(Cond::Const(false), &[Action::Mark]));
    both.ports[0].after.cases.push(case(always(), &[Action::Mark]));
    let mut engine = Reference::new(&both, options(1));
    offer(&mut engine, &[arrives(1)]);
    engine.dequeue(now(), OUT);
    assert_eq!((remembered(&engine).as_str(), count(&engine, "marked")), ("1000", 0));
}

#[test]
fn everything_can_be_taken_out_in_order_of_arrival() {
    let queues = vec![queue("a", packets(9)), queue("b", packets(9))];
    let mut engine = Reference::new(&one_port(queues), options(5));
    offer(&mut engine, &[arrives_for(1, 1), arrives_for(2, 0), arrives_for(3, 1)]);
    let taken = engine.take_all();
    let said: Vec<_> = taken.iter().map(|waiting| (waiting.packet.id, waiting.queue.0, waiting.policy_id)).collect();
    assert_eq!(said, [(1, 1, 5), (2, 0, 5), (3, 1, 5)]);
    assert!(engine.take_all().is_empty());
    assert_eq!(engine.dequeue(now(), OUT), None);
}
