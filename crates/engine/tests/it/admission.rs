//! Section 6 of `docs/openqueue-semantics.md`: cases, actions, victims and sizes.

use crate::build::*;
use forebay_core::{Packet, QueueId, Time, Verdict};
use forebay_engine::{Engine, Occupancy, Reference};
use forebay_lang::Fixed;
use forebay_lang::ir::{
    Action, Arith, BufferField, BufferId, BufferRef, Cond, Condition, PacketField, Policy, PortId, Queue, QueueField,
    QueueRef, Relation, State,
};

/// One queue of three packets that drops the least value.
fn least_value(congestion: Condition) -> Policy {
    let mut only = queue("q", packets(3));
    only.admission = by_lowest(PacketField::Value);
    only.congestion = congestion;
    one_port(vec![only])
}

fn adm_state(engine: &Reference, queue: u16) -> Fixed {
    engine.state(State::QueueAdm(QueueRef::Named(QueueId(queue))))
}

#[test]
fn the_arriving_packet_counts_before_it_is_judged() {
    // Listing 2 has `>=`: such a queue holds less than its size (6.9).
    let full = compare(Relation::GreaterEqual, this_queue(QueueField::CurrSize), this_queue(QueueField::Size));
    let mut engine = Reference::new(&least_value(condition(&[case(full, &[drop_surely()])])), options(1));
    assert_eq!(offer(&mut engine, &[of_value(1, 5), of_value(2, 5), of_value(3, 5), of_value(4, 9)]), "1+ 2+ 3- 4+ 2!");
    assert_eq!(engine.occupancy(QueueId(0)), Occupancy { packets: 2, bytes: 200 });
    assert_eq!(count(&engine, "dropped_by_queue"), 2);
}

#[test]
fn only_the_first_case_that_holds_acts() {
    let add = |amount| {
        let state = State::QueueAdm(QueueRef::This);
        modify(state, arith(Arith::Add, this_queue(QueueField::AdmState), number(amount)))
    };
    let more_than = |limit| compare(Relation::Greater, this_queue(QueueField::CurrSize), number(limit));
    let cases = [case(more_than(2), &[add(100)]), case(more_than(1), &[add(10)]), case(more_than(1), &[add(1)])];
    let mut engine = Reference::new(&least_value(condition(&cases)), options(1));
    offer(&mut engine, &[arrives(1), arrives(2), arrives(3)]);
    assert_eq!(adm_state(&engine, 0), Fixed::whole(110));
}

#[test]
fn if_no_case_holds_nothing_happens() {
    let never = condition(&[case(Cond::Const(false), &[drop_surely()])]);
    let mut engine = Reference::new(&least_value(never), options(1));
    assert_eq!(offer(&mut engine, &[arrives(1), arrives(2), arrives(3)]), "1+ 2+ 3+");
}

#[test]
fn actions_are_done_in_their_order() {
    // The victim is chosen after the value was changed: the head (first come) becomes the most valuable.
    let state = State::HeadValue(QueueRef::This);
    let raised = condition(&[case(queue_is_full(), &[modify(state, number(50)), drop_surely()])]);
    let mut engine = Reference::new(&least_value(raised), options(1));
    let offered = [of_value(1, 1), of_value(2, 2), of_value(3, 3), of_value(4, 4)];
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4+ 2!");
    // The other way round.
    let dropped_first = condition(&[case(queue_is_full(), &[drop_surely(), modify(state, number(50))])]);
    let mut engine = Reference::new(&least_value(dropped_first), options(1));
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4+ 1!");
    assert_eq!(engine.dequeue(Time::from_ns(9), PortId(0)).map(|p| p.value), Some(50));
}

#[test]
fn a_mark_needs_the_arriving_packet_to_be_there() {
    let both = condition(&[case(queue_is_full(), &[drop_surely(), Action::Mark, Action::Notify])]);
    let mut engine = Reference::new(&least_value(both), options(1));
    let offered = [of_value(1, 5), of_value(2, 5), of_value(3, 5), of_value(4, 1), of_value(5, 9)];
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4- 5+ 3!");
    assert_eq!([count(&engine, "marked"), count(&engine, "notified")], [1, 1]);
    let marked: Vec<u64> = engine
        .take_all()
        .iter()
        .filter(|waiting| waiting.packet.marks.congested() && waiting.packet.marks.eligible_to_drop())
        .map(|waiting| waiting.packet.id)
        .collect();
    assert_eq!(marked, [5]);
}

/// 6.4: before the packet takes its place.
#[test]
fn the_value_of_the_arriving_packet_can_be_changed_until_it_is_dropped() {
    let give = modify(State::ArrivingValue, number(50));
    let offered = [of_value(1, 1), of_value(2, 2), of_value(3, 3), of_value(4, 0)];
    let raised = condition(&[case(queue_is_full(), &[give.clone(), drop_surely()])]);
    let mut engine = Reference::new(&least_value(raised), options(1));
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4+ 1!");
    let values: Vec<u32> = engine.take_all().iter().map(|waiting| waiting.packet.value).collect();
    assert_eq!(values, [2, 3, 50]);
    // The other way round it is gone, and stays as it was.
    let remember = modify(State::QueueAdm(QueueRef::This), arriving(PacketField::Value));
    let too_late = condition(&[case(queue_is_full(), &[drop_surely(), give, remember])]);
    let mut engine = Reference::new(&least_value(too_late), options(1));
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4-");
    assert_eq!(adm_state(&engine, 0), Fixed(0));
}

/// 2.5: as a packet arrives, and as the policy marks it.
#[test]
fn marks_are_read_as_they_are_at_the_time() {
    let read = |field| arith(Arith::Add, this_queue(QueueField::AdmState), arriving(field));
    let add = |field| modify(State::QueueAdm(QueueRef::This), read(field));
    let (mark, notify) = (PacketField::Marked, PacketField::Notified);
    let actions = [add(mark), add(notify), Action::Mark, add(mark), add(notify), Action::Notify, add(notify)];
    let policy = least_value(condition(&[case(always(), &actions)]));
    let mut marked = arrives(1);
    marked.marks.set_eligible_to_drop();
    for (packet, sum) in [(arrives(1), 2), (marked, 3)] {
        let mut engine = Reference::new(&policy, options(1));
        offer(&mut engine, &[packet]);
        assert_eq!(adm_state(&engine, 0), Fixed::whole(sum));
    }
}

#[test]
fn a_packet_that_is_marked_twice_counts_once() {
    let marks = condition(&[case(always(), &[Action::Mark, Action::Mark, Action::Notify])]);
    let mut engine = Reference::new(&least_value(marks), options(1));
    offer(&mut engine, &[arrives(1)]);
    assert_eq!([count(&engine, "marked"), count(&engine, "notified")], [1, 1]);
}

#[test]
fn expressions_see_the_arriving_packet_after_it_was_dropped() {
    let remember = modify(State::QueueAdm(QueueRef::This), arriving(PacketField::Value));
    let congestion = condition(&[case(queue_is_full(), &[drop_surely(), remember])]);
    let mut engine = Reference::new(&least_value(congestion), options(1));
    assert_eq!(offer(&mut engine, &[of_value(1, 5), of_value(2, 5), of_value(3, 5), of_value(4, 2)]), "1+ 2+ 3+ 4-");
    assert_eq!(adm_state(&engine, 0), Fixed::whole(2));
}

/// A shared buffer of four packets that drops from the longest queue, as LQD does.
fn longest_queue_drop() -> Policy {
    let mut whole = buffer("whole", packets(4), &[0, 1]);
    whole.admission = Some(order("longest", &[highest(this_queue(QueueField::CurrSize))]));
    policy(vec![queue("a", packets(9)), queue("b", packets(9))], vec![port("out", &[0, 1])], vec![whole])
}

#[test]
fn the_victim_of_a_buffer_is_that_of_its_first_queue() {
    let mut engine = Reference::new(&longest_queue_drop(), options(1));
    let offered = [
        arrives_for(1, 0),
        arrives_for(2, 0),
        arrives_for(3, 0),
        arrives_for(4, 1),
        arrives_for(5, 1),
        arrives_for(6, 0),
    ];
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4+ 5+ 3! 6-");
    assert_eq!([count(&engine, "dropped_by_buffer"), count(&engine, "dropped_by_queue")], [2, 0]);
}

#[test]
fn a_buffer_drops_only_from_queues_that_have_packets() {
    let mut declared = longest_queue_drop();
    declared.buffers[0].admission = Some(order("shortest", &[lowest(this_queue(QueueField::CurrSize))]));
    let mut engine = Reference::new(&declared, options(1));
    let offered: Vec<Packet> = (1..=5).map(|id| arrives_for(id, 1)).collect();
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4+ 5-");
}

#[test]
fn the_buffer_is_treated_before_the_queue() {
    let mut declared = longest_queue_drop();
    declared.queues[0].congestion =
        condition(&[case(always(), &[modify(State::BufferAdm(BufferRef::Named(BufferId(0))), number(1))])]);
    declared.buffers[0].congestion =
        condition(&[case(compare(Relation::Equal, this_buffer(BufferField::AdmState), number(1)), &[drop_surely()])]);
    let mut engine = Reference::new(&declared, options(1));
    assert_eq!(offer(&mut engine, &[arrives_for(1, 0), arrives_for(2, 0)]), "1+ 2-");
}

#[test]
fn a_packet_that_the_buffer_dropped_is_not_judged_by_the_queue() {
    let mut declared = longest_queue_drop();
    declared.buffers[0].congestion = condition(&[case(always(), &[drop_surely()])]);
    declared.queues[0].congestion = condition(&[case(always(), &[modify(State::QueueAdm(QueueRef::This), number(1))])]);
    let mut engine = Reference::new(&declared, options(1));
    assert_eq!(offer(&mut engine, &[arrives_for(1, 0)]), "1-");
    assert_eq!(adm_state(&engine, 0), Fixed(0));
}

#[test]
fn a_buffer_condition_knows_the_queue_of_the_arriving_packet() {
    let mut declared = longest_queue_drop();
    let state = State::QueueAdm(QueueRef::Current);
    declared.buffers[0].congestion = condition(&[case(always(), &[modify(state, number(3))])]);
    let mut engine = Reference::new(&declared, options(1));
    offer(&mut engine, &[arrives_for(1, 1)]);
    assert_eq!([adm_state(&engine, 0), adm_state(&engine, 1)], [Fixed(0), Fixed::whole(3)]);
}

#[test]
fn sizes_are_hard_limits() {
    let mut lax = queue("q", packets(2));
    lax.congestion = Condition::default();
    let mut engine = Reference::new(&one_port(vec![lax]), options(1));
    assert_eq!(offer(&mut engine, &[arrives(1), arrives(2), arrives(3)]), "1+ 2+ 3-");
    assert_eq!(count(&engine, "overflowed"), 1);

    let mut whole = buffer("whole", bytes(250), &[0, 1]);
    whole.congestion = Condition::default();
    let lax = |name| Queue { congestion: Condition::default(), ..queue(name, packets(9)) };
    let shared = policy(vec![lax("a"), lax("b")], vec![port("out", &[0, 1])], vec![whole]);
    let mut engine = Reference::new(&shared, options(1));
    assert_eq!(offer(&mut engine, &[arrives_for(1, 0), arrives_for(2, 1), arrives_for(3, 0)]), "1+ 2+ 3-");
    assert_eq!(count(&engine, "overflowed"), 1);
}

#[test]
fn a_packet_larger_than_a_queue_pushes_out_what_is_worse_and_is_then_refused() {
    let mut only = queue("q", bytes(300));
    only.admission = by_lowest(PacketField::Value);
    let mut engine = Reference::new(&one_port(vec![only]), options(1));
    let large = Packet { size_bytes: 400, ..of_value(3, 9) };
    assert_eq!(offer(&mut engine, &[of_value(1, 1), of_value(2, 2), large]), "1+ 2+ 3- 1! 2!");
}

#[test]
fn what_is_held_counts_but_cannot_be_pushed_out() {
    let mut engine = Reference::new(&longest_queue_drop(), options(1));
    engine.hold(QueueId(0), Occupancy { packets: 3, bytes: 300 });
    // Queue a is the longest, but has nothing to drop; then the arriving packet is all that there is.
    assert_eq!(offer(&mut engine, &[arrives_for(1, 1), arrives_for(2, 1), arrives_for(3, 0)]), "1+ 2- 3-");
    assert_eq!(engine.occupancy(QueueId(0)), Occupancy::default());
    engine.hold(QueueId(0), Occupancy { packets: 1, bytes: 100 });
    assert_eq!(offer(&mut engine, &[arrives_for(4, 1), arrives_for(5, 0), arrives_for(6, 0)]), "4+ 5+ 6-");
}

#[test]
fn the_rank_of_a_verdict_is_that_of_the_packet() {
    let mut engine = Reference::new(&one_port(vec![queue("q", packets(1))]), options(1));
    let mut verdict = |id| engine.enqueue(Time::ZERO, Packet { rank: 7 + id, ..arrives(id) }, &mut Vec::new());
    assert_eq!([verdict(0), verdict(1)], [Verdict::Queued { rank: 7 }, Verdict::Refused { rank: 8 }]);
}

#[test]
fn what_is_held_counts_in_bytes_where_sizes_are_in_bytes() {
    let mut engine = Reference::new(&one_port(vec![queue("q", bytes(300))]), options(1));
    engine.hold(QueueId(0), Occupancy { packets: 1, bytes: 150 });
    assert_eq!(offer(&mut engine, &[arrives(1), arrives(2)]), "1+ 2-");
}

#[test]
fn expressions_see_what_a_modify_did_to_the_arriving_packet() {
    let raise = modify(State::HeadValue(QueueRef::This), number(40));
    let remember = || modify(State::QueueAdm(QueueRef::This), arriving(PacketField::Value));
    for actions in [vec![raise.clone(), remember()], vec![raise, drop_surely(), remember()]] {
        let mut engine = Reference::new(&least_value(condition(&[case(always(), &actions)])), options(1));
        offer(&mut engine, &[of_value(1, 3)]);
        assert_eq!(adm_state(&engine, 0), Fixed::whole(40), "{actions:?}");
    }
}

#[test]
fn a_packet_that_is_pushed_out_has_its_processing_as_it_came_in() {
    let mut only = queue("q", packets(1));
    only.admission = fifo();
    let mut engine = Reference::new(&one_port(vec![only]), options(1));
    offer(&mut engine, &[of_cycles(1, 3)]);
    engine.cycle(Time::from_ns(1), PortId(0));
    let mut evicted = Vec::new();
    engine.enqueue(Time::from_ns(2), of_cycles(2, 5), &mut evicted);
    assert_eq!(evicted, [of_cycles(1, 3)]);
}
