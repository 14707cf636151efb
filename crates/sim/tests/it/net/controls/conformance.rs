//! What `congestion/control.rs` promises, for every entry of the registry, at random.

use crate::net::controls::support::Busy;
use forebay_core::{Duration, Rng, Seed};
use forebay_sim::net::congestion::{Acked, CONTROLS, Congestion, Limits};
use rand::RngExt as _;

/// What happens to a control.
#[derive(Debug, Clone, Copy)]
enum Step {
    Ack(Acked),
    Congestion(Congestion, u64),
    Recovered(u64),
    Timeout(Option<u64>),
    Idle,
}

fn limits(rng: &mut Rng) -> Limits {
    let segment_bytes = rng.random_range(1..9_000);
    Limits {
        segment_bytes,
        initial_window_bytes: segment_bytes * rng.random_range(1..40),
        initial_threshold_bytes: [u64::MAX, segment_bytes * rng.random_range(2..100)][rng.random_range(0..2)],
        max_window_bytes: [u64::MAX, segment_bytes + rng.random_range(0..segment_bytes * 300)][rng.random_range(0..2)],
    }
}

fn step(flow: &mut Busy, rng: &mut Rng) -> Step {
    flow.now += Duration::from_ns(rng.random_range(0..200_000));
    let (window, segment) = (flow.control.window_bytes(), flow.limits.segment_bytes);
    let in_flight = if rng.random_bool(0.5) { window } else { rng.random_range(0..=window) };
    match rng.random_range(0..100) {
        0 => Step::Congestion(Congestion::Loss, in_flight),
        1 => Step::Congestion(Congestion::Mark, in_flight),
        2 => Step::Recovered(in_flight),
        3 if rng.random_bool(0.3) => Step::Timeout(rng.random_bool(0.7).then_some(in_flight)),
        4 if rng.random_bool(0.3) => Step::Idle,
        _ => {
            let most = segment * rng.random_range(1..4);
            let bytes = rng.random_range(1..=most);
            let rtt = Duration::from_ns(rng.random_range(1..500_000));
            let marked_bytes = if rng.random_bool(0.05) { bytes } else { 0 };
            let (recovering, app_limited) = (rng.random_bool(0.05), rng.random_bool(0.05));
            Step::Ack(Acked { marked_bytes, recovering, app_limited, ..flow.acked(bytes, rtt) })
        }
    }
}

fn apply(flow: &mut Busy, step: Step) {
    let (now, control) = (flow.now, &mut flow.control);
    match step {
        Step::Ack(acked) => control.on_ack(now, &acked),
        Step::Congestion(congestion, in_flight) => control.on_congestion(now, congestion, in_flight),
        Step::Recovered(in_flight) => control.on_recovered(now, in_flight),
        Step::Timeout(in_flight) => control.on_timeout(now, in_flight),
        Step::Idle => control.on_idle(now),
    }
    control.on_sent(now, 1, 1);
}

/// Parameters under which an entry is tried: the defaults, and what its own are for.
fn settings(name: &str) -> &'static [&'static [(&'static str, &'static str)]] {
    match name {
        "newreno" => &[&[], &[("ecn", "yes")]],
        "dctcp" => &[&[], &[("gain", "1"), ("initial_alpha", "0"), ("reduces", "every")]],
        "cubic" => &[&[], &[("ecn", "yes"), ("pacing", "yes")], &[("c", "1e9"), ("fast_convergence", "no")]],
        _ => &[&[]],
    }
}

#[test]
fn every_control_keeps_the_contract() {
    for entry in CONTROLS {
        let name = entry.about.name;
        for (case, params) in (0..60).flat_map(|case| settings(name).iter().map(move |params| (case, params))) {
            let mut rng = Seed(case).stream(name);
            let limits = limits(&mut rng);
            let (segment, max) = (limits.segment_bytes, limits.max_window_bytes);
            let [mut flow, mut twin] = [0, 1].map(|_| Busy::new(name, params, limits));
            let ecn = flow.control.ecn();
            for _ in 0..2_000 {
                let before = flow.control.window_bytes();
                let step = step(&mut flow, &mut rng);
                apply(&mut flow, step);
                let after = flow.control.window_bytes();
                let what = format!("{name} {params:?} {case}: {before} to {after} by {step:?}, {limits:?}");
                assert!((segment..=max).contains(&after), "{what}");
                match step {
                    Step::Timeout(_) => assert_eq!(after, segment, "{what}"),
                    Step::Congestion(Congestion::Loss, _) if before > 2 * segment => assert!(after < before, "{what}"),
                    Step::Congestion(Congestion::Loss, _) => assert!(after <= 2 * segment, "{what}"),
                    Step::Congestion(Congestion::Mark, _) | Step::Idle => assert!(after <= before, "{what}"),
                    Step::Ack(acked) if acked.recovering => assert_eq!(after, before, "{what}"),
                    Step::Ack(_) => assert!(after >= before, "{what}"),
                    Step::Recovered(in_flight) => assert!(after <= in_flight.max(segment) + segment, "{what}"),
                }
                assert_eq!(flow.control.ecn(), ecn, "{what}");
                twin.now = flow.now;
                apply(&mut twin, step);
                let says = |flow: &Busy| (flow.control.window_bytes(), flow.control.pacing_rate());
                assert_eq!(says(&flow), says(&twin), "{what}");
            }
        }
    }
}

#[test]
fn without_losses_every_window_grows_up_to_its_limit() {
    for entry in CONTROLS {
        for slow_start in [true, false] {
            let limits = Limits {
                segment_bytes: 1_460,
                initial_window_bytes: 14_600,
                initial_threshold_bytes: if slow_start { u64::MAX } else { 14_600 },
                max_window_bytes: 146_000,
            };
            let mut flow = Busy::new(entry.about.name, &[], limits);
            let mut rounds = 0;
            while flow.control.window_bytes() < limits.max_window_bytes {
                flow.round(Duration::from_us(100));
                rounds += 1;
                assert!(rounds < 400, "{}: {}", entry.about.name, flow.control.window_bytes());
            }
            assert_eq!(rounds <= 4, slow_start, "{}: {rounds} rounds", entry.about.name);
        }
    }
}

#[test]
fn a_timeout_is_followed_by_slow_start_up_to_a_share_of_the_flight() {
    for entry in CONTROLS {
        let limits = Limits {
            segment_bytes: 1_000,
            initial_window_bytes: 64_000,
            initial_threshold_bytes: u64::MAX,
            max_window_bytes: u64::MAX,
        };
        let mut flow = Busy::new(entry.about.name, &[], limits);
        flow.control.on_timeout(flow.now, Some(64_000));
        flow.control.on_timeout(flow.now, None);
        let windows: Vec<u64> = (0..5)
            .map(|_| {
                flow.round(Duration::from_us(100));
                flow.control.window_bytes()
            })
            .collect();
        assert_eq!(windows, [2_000, 4_000, 8_000, 16_000, 32_000], "{}", entry.about.name);
        (0..3).for_each(|_| flow.round(Duration::from_us(100)));
        assert!(flow.control.window_bytes() < 64_000, "{}", entry.about.name);
    }
}
