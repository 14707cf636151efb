//! Sections 6.4 and 6.5 of `docs/openqueue-semantics.md`: how often `drop` drops.

use crate::build::*;
use forebay_core::Seed;
use forebay_engine::drop_trial::{Trial, Trials};
use forebay_engine::{Engine, EngineOptions, Reference};
use forebay_lang::Ratio;
use forebay_lang::ir::{
    Action, Arith, Case, Num, PacketField, Policy, PortField, PortId, PortRef, QueueField, QueueRef, Read, Relation,
    State,
};

/// One queue of 100 packets that drops what came last.
fn dropping(cases: &[Case]) -> Policy {
    let mut only = queue("q", packets(100));
    only.admission = order("last", &[]);
    only.congestion = condition(cases);
    one_port(vec![only])
}

fn longer_than(limit: i64) -> forebay_lang::ir::Cond {
    compare(Relation::Greater, this_queue(QueueField::CurrSize), number(limit))
}

/// Occupancy above the queue's state, which a test sets.
fn more_than_the_state() -> forebay_lang::ir::Cond {
    compare(Relation::Greater, this_queue(QueueField::CurrSize), this_queue(QueueField::AdmState))
}

fn set_limit(engine: &mut Reference, limit: u64) {
    engine.set_state(State::QueueAdm(QueueRef::Named(forebay_core::QueueId(0))), forebay_lang::Fixed::whole(limit));
}

#[test]
fn a_sure_drop_goes_on_until_the_condition_is_lifted() {
    let mut engine = Reference::new(&dropping(&[case(more_than_the_state(), &[drop_surely()])]), options(1));
    set_limit(&mut engine, 9);
    assert_eq!(offer(&mut engine, &[arrives(1), arrives(2), arrives(3), arrives(4)]), "1+ 2+ 3+ 4+");
    set_limit(&mut engine, 1);
    assert_eq!(offer(&mut engine, &[arrives(5)]), "5- 4! 3! 2!");
}

#[test]
fn it_goes_on_after_all_actions_of_the_case() {
    // The port's state is changed once, not once per victim.
    let state = State::PortSched(PortRef::Named(PortId(0)));
    let so_far = Num::Read(Read::Port(PortRef::Named(PortId(0)), PortField::SchedState));
    let count_it = modify(state, arith(Arith::Add, so_far, number(1)));
    let mut engine = Reference::new(&dropping(&[case(more_than_the_state(), &[drop_surely(), count_it])]), options(1));
    set_limit(&mut engine, 9);
    offer(&mut engine, &[arrives(1), arrives(2), arrives(3)]);
    set_limit(&mut engine, 1);
    offer(&mut engine, &[arrives(4)]);
    assert_eq!(engine.state(state).to_string(), "1");
    assert_eq!(count(&engine, "dropped_by_queue"), 3);
}

#[test]
fn a_condition_about_the_arriving_packet_ends_with_it() {
    let more = compare(Relation::Greater, this_queue(QueueField::CurrSize), arriving(PacketField::Value));
    let mut engine = Reference::new(&dropping(&[case(more.clone(), &[drop_surely()])]), options(1));
    let offered = [of_value(1, 9), of_value(2, 9), of_value(3, 9), of_value(4, 1)];
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4-");
    // As long as it is there, others leave.
    let mut policy = dropping(&[case(more, &[drop_surely()])]);
    policy.queues[0].admission = by_highest(PacketField::Value);
    let mut engine = Reference::new(&policy, options(1));
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4+ 3! 2! 1!");
}

#[test]
fn it_goes_on_also_if_a_later_drop_of_the_case_is_not_sure() {
    let never = Action::Drop(number(0));
    let mut engine = Reference::new(&dropping(&[case(more_than_the_state(), &[drop_surely(), never])]), options(1));
    set_limit(&mut engine, 9);
    offer(&mut engine, &[arrives(1), arrives(2), arrives(3)]);
    set_limit(&mut engine, 1);
    assert_eq!(offer(&mut engine, &[arrives(4)]), "4- 3! 2!");
}

#[test]
fn two_drops_of_a_case_are_two_victims() {
    let mut engine = Reference::new(&dropping(&[case(longer_than(2), &[drop_surely(), drop_surely()])]), options(1));
    assert_eq!(offer(&mut engine, &[arrives(1), arrives(2), arrives(3)]), "1+ 2+ 3- 2!");
}

#[test]
fn it_ends_when_nothing_is_left_to_drop() {
    let mut engine = Reference::new(&dropping(&[case(longer_than(-1), &[drop_surely()])]), options(1));
    assert_eq!(offer(&mut engine, &[arrives(1), arrives(2)]), "1- 2-");
}

/// `third_drop`: a state says when.
#[test]
fn a_condition_that_dropping_cannot_lift_drops_one() {
    let state = State::QueueAdm(QueueRef::This);
    let third = compare(Relation::Equal, this_queue(QueueField::AdmState), number(2));
    let next = arith(Arith::Add, this_queue(QueueField::AdmState), number(1));
    let cases = [case(third, &[drop_surely(), modify(state, number(0))]), case(always(), &[modify(state, next)])];
    let mut engine = Reference::new(&dropping(&cases), options(1));
    let offered: Vec<_> = (1..=6).map(arrives).collect();
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3- 4+ 5+ 6-");
    // Even if it goes on holding.
    let state_is_zero = compare(Relation::Equal, this_queue(QueueField::AdmState), number(0));
    let mut engine = Reference::new(&dropping(&[case(state_is_zero, &[drop_surely()])]), options(1));
    engine.place(forebay_engine::Waiting { queue: forebay_core::QueueId(0), policy_id: 1, packet: arrives(1) });
    assert_eq!(offer(&mut engine, &[arrives(2), arrives(3)]), "2- 3-");
    assert_eq!(serve_all(&mut engine, 0), [1]);
}

#[test]
fn the_condition_may_be_lifted_by_the_next_packet_of_a_queue() {
    // Drops as long as the next packet came before nanosecond 3; the victim is the first come.
    let mut only = queue("q", packets(100));
    only.admission = fifo();
    let early = compare(Relation::Less, head(QueueRef::This, PacketField::Arrival), number(3));
    let much = compare(Relation::Greater, arriving(PacketField::Value), number(0));
    let both = forebay_lang::ir::Cond::And(Box::new(much), Box::new(early));
    only.congestion = condition(&[case(both, &[drop_surely()])]);
    let mut engine = Reference::new(&one_port(vec![only]), options(1));
    let offered = [of_value(1, 0), of_value(2, 0), of_value(3, 0), of_value(4, 1)];
    assert_eq!(offer(&mut engine, &offered), "1+ 2+ 3+ 4+ 1! 2!");
}

#[test]
fn probabilities_outside_are_sure_or_never() {
    for (probability, said) in [(number(2), "1-"), (number(1), "1-"), (number(0), "1+"), (number(-1), "1+")] {
        let policy = dropping(&[case(always(), &[Action::Drop(probability)])]);
        assert_eq!(offer(&mut Reference::new(&policy, options(1)), &[arrives(1)]), said);
    }
}

#[test]
fn a_probability_between_is_one_trial_per_arrival() {
    // The condition goes on holding; still at most one leaves.
    let policy = dropping(&[case(longer_than(0), &[Action::Drop(fraction(1, 2))])]);
    let seed = Seed(7);
    let mut engine = Reference::new(&policy, EngineOptions { policy_id: 1, seed });
    let mut trials = Trials::new(seed);
    for id in 0..50 {
        let sign = if trials.decide(Ratio::new(1, 2)) == Trial::Drop { '-' } else { '+' };
        assert_eq!(offer(&mut engine, &[arrives(id)]), format!("{id}{sign}"));
    }
}

#[test]
fn a_trial_is_drawn_also_if_nothing_is_left_to_drop() {
    let worthless = compare(Relation::Equal, arriving(PacketField::Value), number(0));
    let half = || Action::Drop(fraction(1, 2));
    let policy = dropping(&[case(worthless, &[drop_surely(), half()]), case(always(), &[half()])]);
    let seed = Seed(7);
    let mut trials = Trials::new(seed);
    let mut engine = Reference::new(&policy, EngineOptions { policy_id: 1, seed });
    for id in 0..20 {
        assert_eq!(offer(&mut engine, &[of_value(id, 0)]), format!("{id}-"), "the queue is empty at the trial");
        trials.decide(Ratio::new(1, 2));
        let sign = if trials.decide(Ratio::new(1, 2)) == Trial::Drop { '-' } else { '+' };
        assert_eq!(offer(&mut engine, &[of_value(id, 1)]), format!("{id}{sign}"));
        engine.take_all();
    }
}

#[test]
fn a_probability_may_be_read_from_a_state() {
    let policy = dropping(&[case(always(), &[Action::Drop(this_queue(QueueField::AdmState))])]);
    let mut engine = Reference::new(&policy, options(1));
    assert_eq!(offer(&mut engine, &[arrives(1)]), "1+");
    engine.set_state(State::QueueAdm(QueueRef::Named(forebay_core::QueueId(0))), forebay_lang::Fixed::whole(1));
    assert_eq!(offer(&mut engine, &[arrives(2)]), "2-");
}
