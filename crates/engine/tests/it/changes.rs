//! Section 8 of `docs/openqueue-semantics.md`: change under traffic.

use crate::build::*;
use forebay_core::{Packet, QueueId, Seed, Time, Verdict};
use forebay_engine::live::{Change, TransitionRecord};
use forebay_engine::{Fast, Live, Occupancy, Reference, Served, Transition};
use forebay_lang::ir::{
    Action, Arith, BufferId, BufferRef, Num, PacketField, Policy, PortField, PortId, PortRef, QueueField, QueueRef,
    Read, Relation, State,
};
use forebay_lang::{Fixed, Ratio};

const OUT: PortId = PortId(0);

fn live(policy: &Policy) -> Live<Reference> {
    Live::new(Reference::new, policy.clone(), Seed(1))
}

fn at(ns: u64) -> Time {
    Time::from_ns(ns)
}

/// Offers packets, and returns the numbers of those that were dropped or pushed out.
fn offer_to(live: &mut Live<Reference>, packets: &[Packet]) -> Vec<u64> {
    let mut lost = Vec::new();
    for packet in packets {
        let mut evicted = Vec::new();
        if matches!(live.enqueue(packet.arrival, *packet, &mut evicted), Verdict::Refused { .. }) {
            lost.push(packet.id);
        }
        lost.extend(evicted.iter().map(|victim| victim.id));
    }
    lost
}

fn leave(live: &mut Live<Reference>, port: PortId) -> Vec<u64> {
    std::iter::from_fn(|| live.dequeue(at(1_000), port).map(|packet| packet.id)).collect()
}

/// One queue `q` of so many packets with the highest value first.
fn by_value(size: u64) -> Policy {
    let mut only = queue("q", packets(size));
    only.processing = by_highest(PacketField::Value);
    one_port(vec![only])
}

fn in_turn(size: u64) -> Policy {
    one_port(vec![queue("q", packets(size))])
}

const THREE: [(u64, u32); 3] = [(1, 1), (2, 9), (3, 5)];

fn three() -> Vec<Packet> {
    THREE.iter().map(|&(id, value)| of_value(id, value)).collect()
}

#[test]
fn with_drain_they_leave_first_in_the_order_of_the_old_version() {
    let mut live = live(&in_turn(9));
    offer_to(&mut live, &three());
    let change = live.change(at(4), by_value(9), Transition::Drain);
    assert_eq!(change, Ok(Change { version: 2, transition: Transition::Drain, carried: 0, draining: 3 }));
    offer_to(&mut live, &[of_value(5, 20), of_value(6, 30)]);
    assert_eq!(leave(&mut live, OUT), [1, 2, 3, 6, 5]);
}

#[test]
fn with_rerank_they_take_their_places_in_the_new_orders() {
    let mut live = live(&in_turn(9));
    offer_to(&mut live, &three());
    let change = live.change(at(4), by_value(9), Transition::Rerank);
    assert_eq!(change, Ok(Change { version: 2, transition: Transition::Rerank, carried: 3, draining: 0 }));
    offer_to(&mut live, &[of_value(5, 5), of_value(6, 30)]);
    assert_eq!(leave(&mut live, OUT), [6, 2, 3, 5, 1], "packet 3 arrived before 5");
}

#[test]
fn several_drains_leave_oldest_first_and_a_rerank_takes_all_of_them() {
    let twice_drained = || {
        let mut live = live(&by_value(9));
        offer_to(&mut live, &[of_value(1, 1), of_value(2, 2)]);
        live.change(at(2), by_value(9), Transition::Drain).unwrap();
        offer_to(&mut live, &[of_value(3, 3), of_value(4, 4)]);
        live.change(at(4), by_value(9), Transition::Drain).unwrap();
        offer_to(&mut live, &[of_value(5, 5)]);
        live
    };
    assert_eq!(leave(&mut twice_drained(), OUT), [2, 1, 4, 3, 5]);
    let mut live = twice_drained();
    live.change(at(6), in_turn(9), Transition::Rerank).unwrap();
    assert_eq!(leave(&mut live, OUT), [1, 2, 3, 4, 5]);
}

#[test]
fn a_port_without_older_packets_does_not_wait_for_one_with() {
    let two_ports =
        || policy(vec![queue("a", packets(9)), queue("b", packets(9))], vec![port("x", &[0]), port("y", &[1])], vec![]);
    let mut live = live(&two_ports());
    offer_to(&mut live, &[arrives_for(1, 0)]);
    live.change(at(2), two_ports(), Transition::Drain).unwrap();
    offer_to(&mut live, &[arrives_for(3, 0), arrives_for(4, 1)]);
    assert_eq!(leave(&mut live, PortId(1)), [4]);
    assert_eq!(leave(&mut live, OUT), [1, 3]);
}

#[test]
fn ports_and_queues_are_known_by_their_names() {
    let first =
        policy(vec![queue("a", packets(9)), queue("b", packets(9))], vec![port("x", &[0]), port("y", &[1])], vec![]);
    let swapped =
        policy(vec![queue("b", packets(9)), queue("a", packets(9))], vec![port("y", &[0]), port("x", &[1])], vec![]);
    for transition in [Transition::Drain, Transition::Rerank] {
        let mut live = live(&first);
        offer_to(&mut live, &[arrives_for(1, 0), arrives_for(2, 1)]);
        live.change(at(3), swapped.clone(), transition).unwrap();
        assert_eq!(live.occupancy(QueueId(0)), Occupancy { packets: 1, bytes: 100 });
        assert_eq!([leave(&mut live, PortId(0)), leave(&mut live, PortId(1))], [[2], [1]], "{transition}");
    }
}

#[test]
fn what_drains_counts_in_queue_and_buffer_and_cannot_be_pushed_out() {
    let shared = |size| {
        let queues = vec![queue("a", packets(3)), queue("b", packets(9))];
        policy(queues, vec![port("x", &[0, 1])], vec![buffer("m", packets(size), &[0, 1])])
    };
    let mut live = live(&shared(5));
    offer_to(&mut live, &[arrives_for(1, 0), arrives_for(2, 0)]);
    live.change(at(3), shared(5), Transition::Drain).unwrap();
    assert_eq!(offer_to(&mut live, &[arrives_for(4, 0), arrives_for(5, 0)]), [5], "queue a holds three");
    // The buffer drops from its first queue that has packets of its own.
    assert_eq!(offer_to(&mut live, &[arrives_for(6, 1), arrives_for(7, 1), arrives_for(8, 1)]), [4]);
    assert_eq!(live.occupancy(QueueId(0)).packets, 2);
    // One of the older leaves: room for one more.
    assert_eq!(live.dequeue(at(9), OUT).map(|packet| packet.id), Some(1));
    assert_eq!(offer_to(&mut live, &[arrives_for(10, 1)]), [] as [u64; 0]);
    assert_eq!(offer_to(&mut live, &[arrives_for(11, 1)]), [11]);
}

#[test]
fn with_rerank_too_many_packets_leave_at_the_next_arrivals() {
    let mut live = live(&in_turn(9));
    offer_to(&mut live, &three());
    live.change(at(4), in_turn(1), Transition::Rerank).unwrap();
    assert_eq!(live.len(), 3);
    assert_eq!(offer_to(&mut live, &[arrives(5)]), [5, 3, 2]);
    assert_eq!(leave(&mut live, OUT), [1]);
}

/// Counts services in the state of the port.
fn counting(name: &str, by: i64) -> Policy {
    let mut policy = in_turn(9);
    let own = Num::Read(Read::Port(PortRef::This, PortField::SchedState));
    let more = arith(Arith::Add, own, number(by));
    policy.ports[0].after =
        condition(&[case(always(), &[modify(State::PortSched(PortRef::This), more), Action::Mark])]);
    policy.ports[0].after.name = name.to_owned();
    policy
}

#[test]
fn with_drain_the_old_post_sched_act_goes_on() {
    let mut live = live(&counting("old", 1));
    offer_to(&mut live, &three());
    live.change(at(4), in_turn(9), Transition::Drain).unwrap();
    offer_to(&mut live, &[arrives(5)]);
    let marks: Vec<bool> =
        std::iter::from_fn(|| live.dequeue(at(9), OUT)).map(|packet| packet.marks.eligible_to_drop()).collect();
    assert_eq!(marks, [true, true, true, false]);
    let marked = live.counters().iter().find(|counter| counter.name == "marked").map(|counter| counter.value);
    assert_eq!(marked, Some(3), "counters of versions that are gone count");
}

#[test]
fn counters_of_versions_that_are_gone_count() {
    let overflowing = |size| {
        let mut policy = in_turn(size);
        policy.queues[0].congestion.cases.clear();
        policy
    };
    for transition in [Transition::Drain, Transition::Rerank] {
        let mut live = live(&overflowing(1));
        assert_eq!(offer_to(&mut live, &three()), [2, 3]);
        leave(&mut live, OUT);
        live.change(at(4), overflowing(2), transition).unwrap();
        assert_eq!(offer_to(&mut live, &[arrives(5), arrives(6), arrives(7)]), [7]);
        let overflowed =
            live.counters().iter().find(|counter| counter.name == "overflowed").map(|counter| counter.value);
        assert_eq!(overflowed, Some(3), "{transition}");
    }
}

#[test]
fn the_report_knows_how_many_are_left_even_of_packets_that_look_alike() {
    let mut live = live(&in_turn(9));
    offer_to(&mut live, &[arrives(1), arrives(1), arrives(1)]);
    live.change(at(2), in_turn(9), Transition::Rerank).unwrap();
    for ns in 3..6 {
        assert_eq!(live.transitions()[0].done, None);
        assert!(live.dequeue(at(ns), OUT).is_some());
    }
    assert_eq!(live.transitions()[0].done, Some(at(5)));
}

#[test]
fn states_go_on_if_their_initial_value_is_unchanged() {
    let with_states = |names: [&str; 2], initial: i128| {
        let mut queues = vec![queue(names[0], packets(9)), queue(names[1], packets(9))];
        queues[0].adm_state = Ratio::from_integer(7);
        queues[1].adm_state = Ratio::from_integer(initial);
        queues[1].sched_state = Ratio::from_integer(initial);
        let mut policy = policy(queues, vec![port("x", &[0, 1])], vec![buffer("m", packets(9), &[0, 1])]);
        policy.buffers[0].adm_state = Ratio::from_integer(initial);
        policy
    };
    let queue_adm = |id| State::QueueAdm(QueueRef::Named(QueueId(id)));
    let queue_sched = |id| State::QueueSched(QueueRef::Named(QueueId(id)));
    let (port, buffer) = (State::PortSched(PortRef::Named(OUT)), State::BufferAdm(BufferRef::Named(BufferId(0))));
    for transition in [Transition::Drain, Transition::Rerank] {
        let mut live = live(&with_states(["a", "b"], 0));
        for state in [queue_adm(0), queue_adm(1), queue_sched(0), queue_sched(1), port, buffer] {
            live.set_state(state, Fixed::whole(50));
        }
        // Queue c is new; the other has another place now.
        live.change(at(1), with_states(["c", "b"], 4), transition).unwrap();
        let values = |states: &[State]| states.iter().map(|&state| live.state(state)).collect::<Vec<_>>();
        assert_eq!(values(&[queue_adm(0), queue_sched(0)]), [Fixed::whole(7), Fixed(0)], "new");
        assert_eq!(values(&[port]), [Fixed::whole(50)], "unchanged");
        assert_eq!(values(&[queue_adm(1), queue_sched(1), buffer]), [Fixed::whole(4); 3], "another initial value");
        live.set_state(queue_adm(1), Fixed::whole(60));
        live.change(at(2), with_states(["b", "c"], 4), transition).unwrap();
        assert_eq!(live.state(queue_adm(0)), Fixed::whole(7), "another initial value");
        live.change(at(2), with_states(["c", "b"], 4), transition).unwrap();
        live.set_state(queue_adm(1), Fixed::whole(61));
        live.set_state(queue_sched(1), Fixed::whole(62));
        live.change(at(3), with_states(["a", "b"], 4), transition).unwrap();
        assert_eq!([live.state(queue_adm(1)), live.state(queue_sched(1))], [Fixed::whole(61), Fixed::whole(62)]);
    }
}

#[test]
fn the_policy_id_of_a_packet_is_the_version_under_which_it_arrived() {
    let mut later = in_turn(9);
    later.queues[0].processing = by_highest(PacketField::PolicyId);
    let mut live = live(&later);
    offer_to(&mut live, &[arrives(1), arrives(2)]);
    live.change(at(3), later.clone(), Transition::Rerank).unwrap();
    offer_to(&mut live, &[arrives(4)]);
    live.change(at(5), later, Transition::Rerank).unwrap();
    offer_to(&mut live, &[arrives(6), arrives(7)]);
    assert_eq!(live.version(), 3);
    assert_eq!(leave(&mut live, OUT), [6, 7, 4, 1, 2]);
}

#[test]
fn a_change_that_would_lose_packets_is_refused_and_nothing_happens() {
    let two = || one_port(vec![queue("q1", packets(9)), queue("q2", packets(9))]);
    let mut live = live(&two());
    offer_to(&mut live, &[arrives_for(1, 1), arrives_for(2, 1), arrives_for(3, 0)]);
    let without_q2 = one_port(vec![queue("q1", packets(9))]);
    let refused = live.change(at(4), without_q2.clone(), Transition::Rerank).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "2 packets wait in `q2`, which the new version does not have; change with drain, or let it empty first"
    );
    let mut elsewhere = two();
    elsewhere.ports[0].name = "other".to_owned();
    let refused = live.change(at(4), elsewhere, Transition::Drain).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "3 packets wait at port `out`, which the new version does not have; change with rerank, or let it empty first"
    );
    assert_eq!((live.version(), live.len(), live.transitions().len()), (1, 3, 0));
    // As it says, drain helps; what drains counts nowhere then, and a later rerank still has no place for it.
    live.change(at(5), without_q2.clone(), Transition::Drain).unwrap();
    assert!(live.change(at(6), without_q2.clone(), Transition::Rerank).is_err());
    assert_eq!(leave(&mut live, OUT), [1, 2, 3]);
    live.change(at(7), without_q2, Transition::Rerank).unwrap();
}

#[test]
fn the_report_says_when_the_last_old_packet_has_left() {
    let record = |asked, version, transition, waiting, done| TransitionRecord {
        asked: at(asked),
        version,
        transition,
        waiting,
        done,
    };
    let mut live = live(&in_turn(3));
    live.change(at(0), in_turn(3), Transition::Drain).unwrap();
    offer_to(&mut live, &three());
    live.change(at(4), by_value(9), Transition::Rerank).unwrap();
    offer_to(&mut live, &[of_value(5, 50)]);
    live.change(at(6), in_turn(3), Transition::Drain).unwrap();
    let times: Vec<_> = (7..=10).map(|ns| live.dequeue(at(ns), OUT).map(|packet| packet.id)).collect();
    assert_eq!(times, [Some(5), Some(2), Some(3), Some(1)]);
    let expected = [
        record(0, 2, Transition::Drain, 0, Some(at(0))),
        record(4, 3, Transition::Rerank, 3, Some(at(10))),
        record(6, 4, Transition::Drain, 4, Some(at(10))),
    ];
    assert_eq!(live.transitions(), expected);
}

#[test]
fn a_packet_that_is_pushed_out_has_left() {
    let mut live = live(&in_turn(9));
    offer_to(&mut live, &[of_value(1, 1)]);
    let mut least = in_turn(1);
    least.queues[0].admission = by_lowest(PacketField::Value);
    live.change(at(2), least, Transition::Rerank).unwrap();
    assert_eq!(live.transitions()[0].done, None);
    assert_eq!(offer_to(&mut live, &[of_value(3, 7)]), [1]);
    assert_eq!(live.transitions()[0].done, Some(at(3)));
}

#[test]
fn cycles_of_older_packets_come_first() {
    let mut live = live(&in_turn(9));
    offer_to(&mut live, &[of_cycles(1, 3)]);
    assert_eq!(live.cycle(at(2), OUT), Served::Cycle);
    live.change(at(3), in_turn(9), Transition::Drain).unwrap();
    offer_to(&mut live, &[of_cycles(4, 1)]);
    assert_eq!([live.cycle(at(5), OUT), live.cycle(at(6), OUT)], [Served::Cycle, Served::Packet(of_cycles(1, 3))]);
    assert_eq!([live.cycle(at(7), OUT), live.cycle(at(8), OUT)], [Served::Packet(of_cycles(4, 1)), Served::Nothing]);
}

#[test]
fn what_is_left_of_a_packet_goes_on_after_a_rerank() {
    let mut shortest = in_turn(9);
    shortest.queues[0].processing = by_lowest(PacketField::Processing);
    let mut live = live(&in_turn(9));
    offer_to(&mut live, &[of_cycles(1, 3), of_cycles(2, 2)]);
    assert_eq!([live.cycle(at(3), OUT), live.cycle(at(3), OUT)], [Served::Cycle; 2]);
    live.change(at(4), shortest, Transition::Rerank).unwrap();
    assert!(matches!(live.cycle(at(5), OUT), Served::Packet(packet) if packet.id == 1));
}

/// The trials of a new version are not those of the old one again.
#[test]
fn trials_go_on_with_other_numbers() {
    let mut half = in_turn(1_000);
    let some = compare(Relation::Greater, this_queue(QueueField::CurrSize), number(0));
    half.queues[0].congestion = condition(&[case(some, &[Action::Drop(fraction(1, 2))])]);
    let mut live = live(&half);
    let mut refused = 0;
    for id in 1..=400 {
        refused += offer_to(&mut live, &[arrives(id)]).len();
        live.change(at(id), half.clone(), Transition::Rerank).unwrap();
    }
    assert!(refused.abs_diff(200) < 50, "{refused} of 400");
}

/// So many that no number is left for one more.
#[test]
fn a_policy_of_as_many_queues_as_there_may_be_is_exchanged() {
    let many = || {
        let queues = (0..u16::MAX).map(|number| queue(&format!("q{number}"), packets(1))).collect();
        policy(queues, vec![port("out", &(0..u16::MAX).collect::<Vec<_>>())], vec![])
    };
    let mut live = Live::new(|policy, options| Fast::new(policy, options).unwrap(), many(), Seed(1));
    assert_eq!(live.change(at(1), many(), Transition::Drain).unwrap().version, 2);
}

#[test]
fn what_is_forgotten_is_what_has_ended_and_the_rest_still_ends() {
    let mut live = live(&in_turn(9));
    offer_to(&mut live, &[of_value(1, 1)]);
    live.change(at(2), in_turn(9), Transition::Drain).unwrap();
    assert_eq!(leave(&mut live, OUT), [1]);
    offer_to(&mut live, &[of_value(2, 1)]);
    live.change(at(4), in_turn(9), Transition::Drain).unwrap();
    live.forget_transitions();
    let ends =
        |live: &Live<Reference>| live.transitions().iter().map(|one| (one.version, one.done)).collect::<Vec<_>>();
    assert_eq!(ends(&live), [(3, None)]);
    assert_eq!(leave(&mut live, OUT), [2]);
    assert_eq!(ends(&live), [(3, Some(at(1_000)))]);
}
