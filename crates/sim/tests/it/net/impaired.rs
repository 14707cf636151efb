//! Notifications that are lost, late or wrong. That each is accounted for every run asserts itself.

use crate::net::notified::{run_impaired, told, waits};
use crate::net::support::Port;
use forebay_cache::seer::AnnouncerSpec;
use forebay_core::{Duration, Time};
use forebay_sim::net::{Change, Impairments, NetworkOutcome};

const NONE: Impairments = Impairments {
    loss: 0.0,
    jitter: Duration::ZERO,
    clock_rate: 1.0,
    clock_error: Duration::ZERO,
    clock_step: Duration::ZERO,
};

/// Without control packets, which take their time of links whatever they carry.
fn run(impairments: Impairments) -> NetworkOutcome<Port> {
    let spec = AnnouncerSpec { threshold: None, ..AnnouncerSpec::default() };
    run_impaired(Some(spec), Vec::new(), false, impairments)
}

fn plain() -> NetworkOutcome<Port> {
    run_impaired(None, Vec::new(), true, NONE)
}

fn sum(outcome: &NetworkOutcome<Port>, of: impl Fn(&forebay_sim::net::StateNodeCounts) -> u64) -> u64 {
    outcome.states.iter().map(|states| of(&states.counts)).sum()
}

#[test]
fn who_hears_nothing_of_what_is_told_does_as_its_policy() {
    let [plain, deaf] = [plain(), run(Impairments { loss: 1.0, ..NONE })];
    assert_eq!(plain.flows, deaf.flows);
    for (plain, deaf) in plain.states.iter().zip(&deaf.states) {
        let (told, counts) = (deaf.counts.told, deaf.counts);
        assert!(told.sent > 500 && told.lost == told.sent && told.used == 0);
        assert_eq!(plain.accesses, deaf.accesses);
        assert_eq!(
            (plain.counts.cache, plain.counts.waited_ps, plain.counts.most_waiting, 0),
            (counts.cache, counts.waited_ps, counts.most_waiting, counts.prefetches)
        );
    }
}

#[test]
fn the_more_is_lost_the_more_packets_wait() {
    let outcomes = [0.0, 0.1, 0.5, 0.9].map(|loss| run(Impairments { loss, ..NONE }));
    let waits: Vec<u64> = outcomes.iter().map(waits).collect();
    assert!(waits.is_sorted_by(|fewer, more| fewer < more), "{waits:?}");
    // A cache that is notified of few packets evicts, for these, states that other packets need as soon.
    assert!(waits[2] < self::waits(&plain()) && self::waits(&plain()) < waits[3], "{waits:?}");
    for (outcome, loss) in outcomes.iter().zip([0.0, 0.1, 0.5, 0.9]) {
        let share = sum(outcome, |counts| counts.told.lost) as f64 / sum(outcome, |counts| counts.told.sent) as f64;
        assert!((share - loss).abs() < 0.02, "{share} of {loss}");
    }
    // A packet without a notification arrives in place of another one of its flow.
    let mistimed = outcomes.map(|outcome| sum(&outcome, |counts| counts.told.mistimed));
    assert!(mistimed[0] == 0 && mistimed[2] > 1_000, "{mistimed:?}");
}

#[test]
fn wrong_clocks_and_late_notifications_cost_some_of_what_is_gained() {
    let [plain, perfect] = [waits(&plain()), waits(&run(NONE))];
    // Full packets take 12 us of links of hosts.
    let us = Duration::from_us;
    for impairments in [
        Impairments { jitter: us(6), ..NONE },
        Impairments { clock_rate: 2.0, ..NONE },
        Impairments { clock_rate: 0.5, ..NONE },
        Impairments { clock_error: us(20), ..NONE },
        Impairments { clock_step: us(64), ..NONE },
        Impairments { loss: 0.2, jitter: us(3), clock_rate: 1.02, clock_error: us(1), clock_step: us(1) },
    ] {
        let outcome = run(impairments);
        let wait = waits(&outcome);
        assert!(perfect <= wait && wait <= plain, "{perfect} {wait} {plain} {impairments:?}");
        assert!(sum(&outcome, |counts| counts.told.mistimed) > 1_000, "{impairments:?}");
        let is_late = |told: &forebay_sim::net::ToldOutcome| told.cache.fpms.expired > 0;
        assert!(impairments.jitter == Duration::ZERO || told(&outcome).all(is_late));
    }
    // States that are expected in vain take the room of states that are needed.
    assert!(waits(&run(Impairments { jitter: us(50), ..NONE })) > plain);
}

#[test]
fn errors_are_as_great_as_they_are_asked_for() {
    // Over a link of one class, notifications that arrive in order push no expected time back.
    let ns = Duration::from_ns;
    // An acknowledgement takes 160 ns of a link: no errors of these make two packets change places.
    for (impairments, least, most) in [
        (Impairments { clock_error: ns(50), ..NONE }, ns(49), ns(50)),
        (Impairments { clock_step: ns(10), ..NONE }, ns(4), ns(5)),
    ] {
        let outcome = run(impairments);
        let greatest = told(&outcome).map(|told| told.cache.fpms.greatest_error).max().unwrap();
        assert!(least <= greatest && greatest <= most, "{greatest} {impairments:?}");
    }
}

#[test]
fn links_may_fail_as_well() {
    let changes = [(1, Change::Down(18)), (2, Change::Up(18)), (2, Change::Loss(16, 0.05))];
    let changes = changes.map(|(ms, change)| (Time::from_ns(ms * 1_000_000), change));
    let impairments = Impairments { loss: 0.1, jitter: Duration::from_us(5), ..NONE };
    let outcome = run_impaired(Some(AnnouncerSpec::default()), changes.into(), false, impairments);
    assert!(sum(&outcome, |counts| counts.told.control_packets) > 0);
}
