//! Whatever the path does, every flow arrives whole.

use crate::net::transports::path::{Fate, Flow, PathSpec, Sent, transport};
use forebay_core::{Duration, Seed};
use rand::RngExt;

/// Shares of segments that are lost, late, repeated and marked.
#[derive(Debug, Clone, Copy)]
struct Trouble {
    lost: f64,
    late: f64,
    twice: f64,
    marked: f64,
    /// Lost only on the way to the receiver, only back, or on both.
    ways: u8,
}

fn check(name: &str, params: &[(&str, &str)], most_bytes: u64, cases: u64) {
    let transport = transport(name, params);
    let mut rng = Seed(11).stream(name);
    for case in 0..cases {
        let bytes = match case % 4 {
            0 => rng.random_range(1..100),
            1 => rng.random_range(1..most_bytes / 30),
            _ => rng.random_range(1..most_bytes),
        };
        let trouble = Trouble {
            lost: [0.0, 0.01, 0.1, 0.5, 0.9][rng.random_range(0..5)],
            late: [0.0, 0.1, 0.5][rng.random_range(0..3)],
            twice: [0.0, 0.1][rng.random_range(0..2)],
            marked: [0.0, 0.1, 1.0][rng.random_range(0..3)],
            ways: rng.random_range(1..=3),
        };
        let mut dice = Seed(case).stream("fate");
        let fate = |sent: &Sent| {
            let exposed = trouble.ways & if sent.to_receiver { 1 } else { 2 } != 0;
            if exposed && dice.random_bool(trouble.lost) {
                Fate::IsLost
            } else if dice.random_bool(trouble.late) {
                Fate::IsLate(Duration::from_us(dice.random_range(0..300)))
            } else if dice.random_bool(trouble.twice) {
                Fate::ArrivesTwice
            } else if dice.random_bool(trouble.marked) {
                Fate::IsMarked
            } else {
                Fate::Arrives
            }
        };
        let rate = ["10 Gbps", "1 Gbps"][rng.random_range(0..2)];
        let spec = PathSpec::of(rate, Duration::from_us(rng.random_range(0..20)));
        let mut flow = Flow::open(&*transport, bytes, spec, fate);
        flow.run(3_000_000);
        let case = format!("{name} {params:?}, {bytes} B, {trouble:?}, {spec:?}: {:?}", flow.counts());
        assert!(flow.received().is_some(), "not received: {case}");
        assert!(flow.acknowledged() >= flow.received(), "not acknowledged: {case}");
    }
}

#[test]
fn newreno_repairs_everything() {
    check("newreno", &[], 300_000, 150);
    check("newreno", &[("min_rto", "0 s"), ("initial_rto", "300 us"), ("max_rto", "50 ms")], 300_000, 150);
    check("newreno", &[("handshake", "no"), ("ack_every", "2"), ("max_window_bytes", "65535")], 300_000, 100);
    check("newreno", &[("mss", "1"), ("initial_window", "1"), ("max_window_bytes", "400")], 3_000, 40);
    check("newreno", &[("ecn", "yes"), ("dupack_threshold", "1"), ("initial_ssthresh", "2")], 300_000, 100);
}

#[test]
fn dctcp_repairs_everything() {
    check("dctcp", &[], 300_000, 100);
    check("dctcp", &[("ack_every", "3"), ("ack_delay", "50 us"), ("min_rto", "0 s")], 300_000, 100);
}

#[test]
fn cubic_repairs_everything() {
    check("cubic", &[], 300_000, 100);
    check("cubic", &[("ecn", "yes"), ("pacing", "yes"), ("min_rto", "0 s")], 300_000, 100);
    check("cubic", &[("handshake", "no"), ("pacing", "yes"), ("ack_every", "2")], 300_000, 100);
}

#[test]
fn selective_acknowledgements_repair_everything() {
    for name in ["newreno", "dctcp", "cubic"] {
        for rack in ["yes", "no"] {
            let sack = [("sack", "yes"), ("rack", rack)];
            let with = |more: &[(&'static str, &'static str)]| [&sack[..], more].concat();
            check(name, &with(&[]), 300_000, 100);
            check(name, &with(&[("min_rto", "0 s"), ("initial_rto", "300 us"), ("max_rto", "50 ms")]), 300_000, 100);
            check(name, &with(&[("handshake", "no"), ("ack_every", "2"), ("max_window_bytes", "65535")]), 300_000, 100);
            check(name, &with(&[("mss", "1"), ("initial_window", "1"), ("max_window_bytes", "400")]), 3_000, 40);
            check(
                name,
                &with(&[("dupack_threshold", "1"), ("initial_ssthresh", "2"), ("ack_every", "3")]),
                300_000,
                60,
            );
        }
    }
    check("cubic", &[("sack", "yes"), ("pacing", "yes"), ("ecn", "yes")], 300_000, 100);
}

#[test]
fn pfabric_repairs_everything() {
    check("pfabric", &[], 300_000, 200);
    check("pfabric", &[("probe_after", "1"), ("max_window_segments", "1000")], 300_000, 100);
    check("pfabric", &[("window_segments", "1"), ("rto", "20 us")], 30_000, 50);
    check("pfabric", &[("window_segments", "1000"), ("payload_bytes", "7")], 3_000, 50);
}
