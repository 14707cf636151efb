//! Ports notify switches of arriving packets, and the caches of these switches prefetch.

use crate::net::caches::Caches;
use crate::net::support::{List, Port, flow, leaf_spine, spec, transport};
use forebay_cache::seer::AnnouncerSpec;
use forebay_core::{ClassId, Duration, Rate, Seed, Time};
use forebay_sim::net::{
    Carriage, Change, FlowSpec, Impairments, Network, NetworkOutcome, RunOptions, ToldCounts, ToldOutcome,
};
use rand::RngExt;

/// All switches of a leaf-spine, notified by their neighbours if there is an `announcer`.
fn run(announcer: Option<AnnouncerSpec>, changes: Vec<(Time, Change)>, plain: bool) -> NetworkOutcome<Port> {
    run_impaired(announcer, changes, plain, Impairments::default())
}

/// The same where something goes wrong with notifications.
pub(crate) fn run_impaired(
    announcer: Option<AnnouncerSpec>,
    changes: Vec<(Time, Change)>,
    plain: bool,
    impairments: Impairments,
) -> NetworkOutcome<Port> {
    let is_patient = changes.is_empty() && impairments == Impairments::default();
    let patience = (!is_patient).then(|| Duration::from_us(5));
    let caches = Caches { told: !plain, announcer, impairments, patience, ..Caches::of(100_000) };
    run_with(&caches, changes, &RunOptions::default())
}

fn run_with(caches: &Caches, changes: Vec<(Time, Change)>, options: &RunOptions<'_>) -> NetworkOutcome<Port> {
    let mut spec = spec(leaf_spine(), "100 packets", transport("dctcp"));
    spec.states = caches.everywhere(&spec.graph);
    spec.elements = caches.ports(&spec.graph, "100 packets");
    spec.changes = changes;
    if caches.announcer.is_some_and(|announcer| announcer.classes == 2) {
        let urgent = Carriage { class: ClassId(1), ..Carriage::plain(transport("dctcp")) };
        spec.workloads.push(urgent);
    }
    let flows = flows(spec.workloads.len());
    Network::new(spec).unwrap().run(&mut List::new(&flows), options)
}

fn flows(workloads: usize) -> Vec<FlowSpec> {
    let mut rng = Seed(11).stream("flows");
    let mut flows: Vec<_> = (0..300)
        .map(|number| {
            let src = rng.random_range(0..8);
            let dst = (src + rng.random_range(1..8)) % 8;
            let flow = flow(rng.random_range(0..4_000_000), src, dst, rng.random_range(1..40_000));
            FlowSpec { workload: u16::try_from(number % workloads).unwrap(), ..flow }
        })
        .collect();
    flows.sort_by_key(|flow| flow.start);
    flows
}

pub(crate) fn told(outcome: &NetworkOutcome<Port>) -> impl Iterator<Item = &ToldOutcome> {
    outcome.states.iter().filter_map(|states| states.told.as_ref())
}

/// Packets that had to wait for their states.
pub(crate) fn waits(outcome: &NetworkOutcome<Port>) -> u64 {
    outcome.states.iter().map(|states| states.counts.cache.misses + states.counts.cache.delayed_hits).sum()
}

#[test]
fn who_is_told_nothing_does_as_its_policy() {
    let [plain, told] = [true, false].map(|plain| run(None, Vec::new(), plain));
    assert_eq!(plain.flows, told.flows);
    for (plain, told) in plain.states.iter().zip(&told.states) {
        assert_eq!((plain.counts, &plain.accesses), (told.counts, &told.accesses));
    }
}

#[test]
fn packets_come_when_they_are_expected_and_wait_less_for_their_states() {
    let plain = run(None, Vec::new(), true);
    for classes in [1, 2] {
        let spec = AnnouncerSpec { classes, ..AnnouncerSpec::default() };
        // The run itself asserts that no packet arrived at another time than expected.
        let outcome = run(Some(spec), Vec::new(), false);
        assert!(told(&outcome).all(|told| told.cache.fpms.used > 500 && told.cache.fpms.full == 0));
        assert!(told(&outcome).all(|told| told.cache.visibility.unannounced == 0));
        assert!(waits(&outcome) * 4 < waits(&plain), "{} {}", waits(&outcome), waits(&plain));
        let prefetches: u64 = outcome.states.iter().map(|states| states.counts.prefetches).sum();
        assert!(prefetches > 1_000, "{prefetches}");
        // All is counted, from the beginning to the end.
        for states in &outcome.states {
            let (counts, told) = (states.counts.told, states.told.as_ref().unwrap());
            let sent: u64 = told.notifiers.iter().map(|notifier| notifier.announcer.sent()).sum();
            assert_eq!((counts.used, counts.sent), (told.cache.fpms.used, sent));
            assert_eq!(counts.lead_ps, told.cache.visibility.lead_ps);
            assert!(counts.prefetches_used >= counts.prefetches_late && counts.made >= counts.sent);
        }
    }
}

#[test]
fn control_packets_take_the_link() {
    let spec = AnnouncerSpec { per_gap: 0, threshold: Some(2), interval: Duration::ZERO, ..AnnouncerSpec::default() };
    let outcome = run(Some(spec), Vec::new(), false);
    let control: u64 =
        told(&outcome).flat_map(|told| &told.notifiers).map(|notifier| notifier.announcer.control_packets).sum();
    assert!(control > 100, "{control}");
}

#[test]
fn control_packets_take_no_more_of_links_than_there_is() {
    // As large as can be, and as many as fit.
    let spec = AnnouncerSpec {
        control_bytes: 65_535,
        threshold: Some(0),
        interval: Duration::ZERO,
        ..AnnouncerSpec::default()
    };
    let caches = Caches { announcer: Some(spec), ..Caches::of(100_000) };
    let us = |us: u64| Time::from_ns(us * 1_000);
    // One takes 524 us of the links of hosts, so some are cut here.
    for (from, until) in [(us(0), us(2_100)), (us(1_000), us(1_300))] {
        let options = RunOptions { until: us(3_000), count_from: from, count_until: until, ..RunOptions::default() };
        let outcome = run_with(&caches, Vec::new(), &options);
        let mut most = 0;
        for states in &outcome.states {
            let links = states.told.as_ref().unwrap().notifiers.iter().map(|notifier| notifier.link);
            let busy: u64 = links.map(|link| outcome.ports[link].busy_ps).sum();
            let control = states.counts.told.control_ps;
            assert!(control <= busy, "{control} of {busy}");
            most = most.max(control * 100 / busy.max(1));
        }
        assert!(most > 90, "{most}");
    }
}

#[test]
fn who_tells_knows_the_new_rate_of_a_link() {
    // From hosts, which send faster from then on, or slower, and from spines.
    for gbps in [5, 40] {
        for classes in [1, 2] {
            let rate = Rate::from_bits_per_second(gbps * 100_000_000).unwrap();
            let changes = [0, 2, 4, 17, 19].map(|link| (Time::from_ns(1_000_000), Change::Rate(link, rate)));
            let spec = AnnouncerSpec { classes, ..AnnouncerSpec::default() };
            let caches = Caches { announcer: Some(spec), ..Caches::of(100_000) };
            let mistimed = |from_ms: u64| {
                let options = RunOptions { count_from: Time::from_ns(from_ms * 1_000_000), ..RunOptions::default() };
                let outcome = run_with(&caches, changes.into(), &options);
                assert!(told(&outcome).map(|told| told.notifiers.len()).sum::<usize>() == 16);
                let sum = |of: fn(&ToldCounts) -> u64| {
                    outcome.states.iter().map(|states| of(&states.counts.told)).sum::<u64>()
                };
                (sum(|counts| counts.mistimed), sum(|counts| counts.control_packets), sum(|counts| counts.used))
            };
            let (few, control, all) = mistimed(0);
            assert!(
                few > 0 && few * 20 < all && control > 100,
                "those of which was told before: {few} of {all}, {control}"
            );
            // They have arrived by then.
            let (none, _, later) = mistimed(8);
            assert!(none == 0 && later > 1_000, "{none} {later} {gbps} {classes}");
        }
    }
}

#[test]
fn control_packets_take_as_long_as_the_new_rate_has_it() {
    let rate = Rate::from_bits_per_second(500_000_000).unwrap();
    let changes = (0..leaf_spine().links().len()).map(|link| (Time::ZERO, Change::Rate(link, rate)));
    let outcome = run(Some(AnnouncerSpec::default()), changes.collect(), false);
    for states in &outcome.states {
        let ToldCounts { control_packets, control_ps, mistimed, .. } = states.counts.told;
        assert!(control_packets > 20 && mistimed == 0, "{control_packets} {mistimed}");
        assert_eq!(control_ps, control_packets * rate.transmission_time(64).as_ps());
    }
}

#[test]
fn links_that_lose_packets_lose_control_packets() {
    let spec = AnnouncerSpec { per_gap: 0, threshold: Some(2), interval: Duration::ZERO, ..AnnouncerSpec::default() };
    let changes = vec![(Time::ZERO, Change::Loss(0, 0.5))];
    let outcome = run(Some(spec), changes, false);
    let counts = told(&outcome).flat_map(|told| &told.notifiers).find(|counts| counts.link == 0).unwrap();
    let share = counts.lost as f64 / counts.announcer.sent_in_control as f64;
    assert!((0.4..0.6).contains(&share), "{counts:?}");
    let others = told(&outcome).flat_map(|told| &told.notifiers).filter(|counts| counts.link != 0);
    assert_eq!(others.map(|counts| counts.lost).sum::<u64>(), 0);
}

#[test]
fn where_links_fail_notifications_are_given_up() {
    let changes = [(1, Change::Down(18)), (2, Change::Up(18)), (2, Change::Loss(16, 0.05))];
    let changes = changes.map(|(ms, change)| (Time::from_ns(ms * 1_000_000), change));
    let outcome = run(Some(AnnouncerSpec::default()), changes.into(), false);
    assert!(told(&outcome).map(|told| told.cache.fpms.expired).sum::<u64>() > 0);
}

#[test]
fn who_leaves_untold_overtakes_those_that_are_announced() {
    // Notifications never travel between packets, only in control packets; one is sent for each nine waiting packets.
    let spec = AnnouncerSpec { classes: 2, per_gap: 0, interval: Duration::ZERO, ..AnnouncerSpec::default() };
    let outcome = run(Some(spec), Vec::new(), false);
    let mistimed: u64 = told(&outcome).map(|told| told.cache.fpms.mistimed).sum();
    let untold: u64 = told(&outcome).flat_map(|told| &told.notifiers).map(|notifier| notifier.untold).sum();
    assert!(mistimed > 0 && untold > mistimed, "{mistimed} {untold}");
    // With one class no packet overtakes, so all notified packets arrive in time.
    let outcome = run(Some(AnnouncerSpec { classes: 1, ..spec }), Vec::new(), false);
    assert!(told(&outcome).all(|told| told.cache.fpms.used > 100 && told.cache.fpms.mistimed == 0));
    assert!(told(&outcome).flat_map(|told| &told.notifiers).all(|notifier| notifier.untold == 0));
}
