//! Sections 2 and 4 of `docs/openqueue-semantics.md`: orders, ties, and what expressions read.

use crate::build::*;
use forebay_core::{Packet, QueueId, Seed, Time};
use forebay_engine::{Engine, EngineOptions, Reference, Waiting};
use forebay_lang::Fixed;
use forebay_lang::ir::{BufferField, BufferId, BufferRef, PacketField, PortField, PortId, PortRef, Relation};
use forebay_lang::ir::{Num, QueueField, QueueRef, Read, State};

#[test]
fn equal_packets_are_served_first_come_first_and_dropped_last_come_first() {
    let mut only = queue("q", packets(3));
    only.processing = by_lowest(PacketField::Class);
    only.admission = by_highest(PacketField::Class);
    let mut engine = Reference::new(&one_port(vec![only]), options(1));
    let same_time = |id: u64, class: u8| Packet { arrival: Time::ZERO, ..of_class(id, class) };
    let offered = [same_time(1, 5), same_time(2, 5), same_time(3, 1), same_time(4, 5), same_time(5, 1)];
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4- 5+ 2!");
    assert_eq!(serve_all(&mut engine, 0), [3, 5, 1]);
}

#[test]
fn of_equal_queues_the_one_declared_first_is_first() {
    let mut policy = one_port(vec![queue("a", packets(9)), queue("b", packets(9))]);
    policy.ports[0].scheduling = order("none", &[]);
    // The lists of ports are in order of declaration.
    let mut engine = Reference::new(&policy, options(1));
    offer(&mut engine, &[arrives_for(1, 1), arrives_for(2, 0), arrives_for(3, 1)]);
    assert_eq!(serve_all(&mut engine, 0), [2, 1, 3]);
}

#[test]
fn later_keys_decide_where_earlier_ones_are_equal() {
    let mut only = queue("q", packets(9));
    only.processing = order("two", &[highest(packet(PacketField::Value)), lowest(packet(PacketField::Class))]);
    let mut engine = Reference::new(&one_port(vec![only]), options(1));
    offer(
        &mut engine,
        &[
            Packet { value: 1, ..of_class(1, 0) },
            Packet { value: 2, ..of_class(2, 9) },
            Packet { value: 2, ..of_class(3, 3) },
        ],
    );
    assert_eq!(serve_all(&mut engine, 0), [3, 2, 1]);
}

/// 4.2: the field for the first packet, the constant for the rest.
#[test]
fn an_order_of_queues_reads_their_heads() {
    let mut a = queue("a", packets(9));
    a.processing = by_highest(PacketField::Value);
    let b = queue("b", packets(9));
    let mut policy = one_port(vec![a, b]);
    policy.ports[0].scheduling = order("best head", &[highest(head(QueueRef::This, PacketField::Value))]);
    let mut engine = Reference::new(&policy, options(1));
    let to = |id, queue, value| Packet { value, ..arrives_for(id, queue) };
    offer(&mut engine, &[to(1, 0, 1), to(2, 0, 5), to(3, 1, 3), to(4, 1, 9)]);
    assert_eq!(serve_all(&mut engine, 0), [2, 3, 4, 1]);
}

/// 4.4.
#[test]
fn a_place_changes_at_once_when_what_is_read_changes() {
    let mut policy = one_port(vec![queue("a", packets(9)), queue("b", packets(9))]);
    policy.ports[0].scheduling = order("state", &[lowest(this_queue(QueueField::SchedState))]);
    let mut engine = Reference::new(&policy, options(1));
    offer(&mut engine, &[arrives_for(1, 0), arrives_for(2, 1), arrives_for(3, 0)]);
    let state = State::QueueSched(QueueRef::Named(QueueId(0)));
    engine.set_state(state, Fixed::whole(1));
    assert_eq!(engine.dequeue(Time::from_ns(9), PortId(0)).map(|packet| packet.id), Some(2));
    assert_eq!(engine.state(state), Fixed::whole(1));
    assert_eq!(serve_all(&mut engine, 0), [1, 3]);
}

#[test]
fn the_value_of_a_head_can_be_set_and_moves_it() {
    let mut only = queue("q", packets(9));
    only.processing = by_highest(PacketField::Value);
    let mut engine = Reference::new(&one_port(vec![only]), options(1));
    let value = State::HeadValue(QueueRef::Named(QueueId(0)));
    assert_eq!(engine.state(value), Fixed(0), "2.3: zeros for an empty queue");
    offer(&mut engine, &[of_value(1, 7), of_value(2, 9)]);
    assert_eq!(engine.state(value), Fixed::whole(9));
    engine.set_state(value, Fixed::whole(3));
    assert_eq!(engine.state(value), Fixed::whole(7));
    let served = engine.dequeue(Time::from_ns(9), PortId(0)).zip(engine.dequeue(Time::from_ns(9), PortId(0)));
    assert_eq!(served.map(|(first, second)| [first.value, second.value]), Some([7, 3]));
}

/// Evaluates a number when packet 9 arrives, by way of a state.
fn reading(value: Num) -> Fixed {
    let mut a = queue("a", packets(10));
    a.congestion = condition(&[case(always(), &[modify(State::QueueAdm(QueueRef::This), value)])]);
    let mut b = queue("b", bytes(5_000));
    b.adm_state = forebay_lang::Ratio::new(1, 2);
    let mut buffers = vec![buffer("whole", bytes(7_000), &[0, 1])];
    buffers[0].adm_state = forebay_lang::Ratio::from_integer(6);
    let mut ports = vec![port("out", &[0, 1])];
    ports[0].rate = forebay_lang::ir::PortRate::Percent(forebay_lang::Ratio::from_integer(30));
    ports[0].sched_state = forebay_lang::Ratio::from_integer(8);
    let policy = policy(vec![a, b], ports, buffers);
    let mut engine = Reference::new(&policy, EngineOptions { policy_id: 4, seed: Seed(1) });
    engine.place(Waiting { queue: QueueId(1), policy_id: 3, packet: arrives_for(5, 1) });
    offer(&mut engine, &[Packet { size_bytes: 900, ..arrives_for(9, 0) }]);
    engine.state(State::QueueAdm(QueueRef::Named(QueueId(0))))
}

#[test]
fn properties_are_read_as_section_2_says() {
    let queue = |id, field| Num::Read(Read::Queue(QueueRef::Named(QueueId(id)), field));
    let whole = |field| Num::Read(Read::Buffer(BufferRef::Named(BufferId(0)), field));
    let out = |field| Num::Read(Read::Port(PortRef::Named(PortId(0)), field));
    let other = |field| head(QueueRef::Named(QueueId(1)), field);
    for (value, expected) in [
        (queue(0, QueueField::Size), Fixed::whole(10)),
        (queue(0, QueueField::CurrSize), Fixed::whole(1)),
        (queue(1, QueueField::Size), Fixed::whole(5_000)),
        (queue(1, QueueField::CurrSize), Fixed::whole(100)),
        (queue(1, QueueField::AdmState), Fixed(32_768)),
        (whole(BufferField::Size), Fixed::whole(7_000)),
        (whole(BufferField::CurrSize), Fixed::whole(1_000)),
        (whole(BufferField::AdmState), Fixed::whole(6)),
        (out(PortField::Rate), Fixed::whole(30)),
        (out(PortField::SchedState), Fixed::whole(8)),
        (other(PacketField::PolicyId), Fixed::whole(3)),
        (other(PacketField::Arrival), Fixed::whole(5)),
        (arriving(PacketField::PolicyId), Fixed::whole(4)),
        (arriving(PacketField::Size), Fixed::whole(900)),
        (Num::Read(Read::Now), Fixed::whole(9)),
        (fraction(1, 3), Fixed(21_845)),
        (number(i64::MAX), Fixed(i64::MAX)),
    ] {
        let text = value.to_string();
        assert_eq!(reading(value), expected, "{text}");
    }
}

/// 2.3, in a condition.
#[test]
fn the_head_of_an_empty_queue_has_zeros() {
    let mut a = queue("a", packets(9));
    let empty = head(QueueRef::Named(QueueId(1)), PacketField::Arrival);
    a.congestion = condition(&[case(compare(Relation::Equal, empty, number(0)), &[drop_surely()])]);
    let mut engine = Reference::new(&one_port(vec![a, queue("b", packets(9))]), options(1));
    assert_eq!(offer(&mut engine, &[arrives_for(1, 0), arrives_for(2, 1), arrives_for(3, 0)]), "1- 2+ 3+");
}
