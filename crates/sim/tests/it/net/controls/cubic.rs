//! CUBIC against the formulas of RFC 9438, computed here again and in other units.

use crate::net::controls::support::Busy;
use forebay_core::{Duration, Time};
use forebay_sim::net::congestion::{Congestion, Limits};

const SEGMENT: u64 = 1_000;
const BETA: f64 = 0.7;
const C: f64 = 0.4;
/// So long that Reno is the slower one.
const RTT: Duration = Duration::from_ms(100);

/// A flow whose first loss found a window of `segments`.
fn after_loss_at(segments: u64, params: &[(&str, &str)]) -> Busy {
    let limits = Limits {
        segment_bytes: SEGMENT,
        initial_window_bytes: segments * SEGMENT,
        initial_threshold_bytes: u64::MAX,
        max_window_bytes: u64::MAX,
    };
    let mut flow = Busy::new("cubic", params, limits);
    lose(&mut flow);
    flow
}

/// A loss with a full window in flight, and its repair.
fn lose(flow: &mut Busy) {
    flow.control.on_congestion(flow.now, Congestion::Loss, flow.control.window_bytes());
    flow.control.on_recovered(flow.now, flow.control.window_bytes());
}

fn window(flow: &Busy) -> f64 {
    flow.control.window_bytes() as f64 / SEGMENT as f64
}

#[test]
fn a_loss_leaves_seven_tenths() {
    let flow = after_loss_at(1_000, &[]);
    assert!((window(&flow) - 1_000.0 * BETA).abs() < 0.01, "{}", window(&flow));
}

#[test]
fn the_window_follows_the_curve_of_figure_1() {
    for w_max in [1_000_u64, 10_000] {
        let mut flow = after_loss_at(w_max, &[]);
        // Figure 2.
        let k = (w_max as f64 * (1.0 - BETA) / C).cbrt();
        // The first acknowledgement begins the stage.
        let start = flow.now.as_secs_f64() + 0.1 / (w_max as f64 * BETA);
        let mut before = 0.0_f64;
        let mut compared = 0;
        while flow.now < Time::from_ns(30_000_000_000) {
            flow.round(RTT);
            let t = flow.now.as_secs_f64() - start;
            // Behind a round of acknowledgements the window is what the curve says for its end, and has been following it
            // from below by at most what it rises in a round trip.
            let [now, ahead] = [t, t + 0.1].map(|t| C * (t - k).powi(3) + w_max as f64);
            let rises = ahead - now;
            let says = format!("{t:.2} s: {} and not {now} to {ahead}", window(&flow));
            // Far beyond the plateau a round trip may add half of the window only.
            if ahead < 1.4 * before {
                assert!(window(&flow) > now - 0.1 * rises - 2.0 && window(&flow) < ahead + 2.0, "{says}");
                compared += 1;
            }
            before = window(&flow);
        }
        assert!(compared > 200, "{compared}");
        assert!(k < 20.0, "30 s are concave before K and convex behind it: {k}");
    }
}

#[test]
fn at_k_the_window_is_what_it_was() {
    let mut flow = after_loss_at(1_000, &[]);
    let k = (300.0 / C).cbrt();
    while flow.now.as_secs_f64() < k {
        flow.round(RTT);
    }
    assert!((window(&flow) - 1_000.0).abs() < 2.0, "{} after {k} s", window(&flow));
}

#[test]
fn where_reno_is_faster_the_window_is_its_estimate() {
    // Figure 4: 3 (1 - beta) / (1 + beta) segments in a round trip, up to the window before the loss; then one.
    let rtt = Duration::from_us(100);
    let mut flow = after_loss_at(100, &[]);
    let alpha = 3.0 * (1.0 - BETA) / (1.0 + BETA);
    let mut expected = 70.0_f64;
    for round in 0..100 {
        // A round has as many acknowledgements as there were whole segments in the window.
        for _ in 0..flow.control.window_bytes() / SEGMENT {
            expected += if expected < 100.0 { alpha / expected } else { 1.0 / expected };
        }
        flow.round(rtt);
        assert!((window(&flow) - expected).abs() < 0.01, "{round}: {} and not {expected}", window(&flow));
    }
    assert!(expected > 100.0 + 20.0, "{expected}");
}

#[test]
fn a_second_loss_below_the_first_gives_way() {
    // Section 4.7: W_max becomes (1 + beta) / 2 of the window, here 595 in place of 700.
    for (params, w_max) in [(&[][..], 700.0 * (1.0 + BETA) / 2.0), (&[("fast_convergence", "no")][..], 700.0)] {
        let mut flow = after_loss_at(1_000, params);
        lose(&mut flow);
        assert!((window(&flow) - 490.0).abs() < 0.01, "{}", window(&flow));
        let k = ((w_max - 490.0) / C).cbrt();
        while flow.now.as_secs_f64() < k {
            flow.round(RTT);
        }
        assert!((window(&flow) - w_max).abs() < 2.0, "{params:?}: {} and not {w_max}", window(&flow));
    }
}

#[test]
fn a_loss_above_the_last_one_does_not() {
    let mut flow = after_loss_at(1_000, &[]);
    while window(&flow) < 1_200.0 {
        flow.round(RTT);
    }
    let before = window(&flow);
    lose(&mut flow);
    let start = flow.now.as_secs_f64();
    let k = (before * (1.0 - BETA) / C).cbrt();
    while flow.now.as_secs_f64() < start + k {
        flow.round(RTT);
    }
    assert!((window(&flow) - before).abs() < 2.0, "{} and not {before}", window(&flow));
}

#[test]
fn after_a_timeout_the_curve_begins_at_its_middle() {
    // Section 4.8: K = 0, and W_max is the window at which slow start ends.
    let mut flow = after_loss_at(1_000, &[]);
    flow.control.on_timeout(flow.now, Some(700 * SEGMENT));
    while window(&flow) < 490.0 {
        flow.round(RTT);
    }
    let (start, from) = (flow.now.as_secs_f64(), window(&flow));
    for _ in 0..60 {
        flow.round(RTT);
        let t = flow.now.as_secs_f64() - start;
        let curve = |t: f64| from + C * t.powi(3);
        // Reno's estimate is larger at first: alpha in a round trip.
        let reno = from + t / 0.1 * 3.0 * (1.0 - BETA) / (1.0 + BETA);
        let least = (curve(t) - 0.1 * (curve(t + 0.1) - curve(t))).max(from);
        assert!(window(&flow) > least - 2.0, "{t}: {} and not {least}", window(&flow));
        assert!(window(&flow) < curve(t + 0.1).max(reno) + 2.0, "{t}: {} is too large", window(&flow));
    }
}

#[test]
fn time_without_data_does_not_count() {
    // Section 5.8: after 20 s in which the application limits the flow, the window goes on from where it was.
    let rtt = Duration::from_ms(10);
    let [mut paused, mut steady] = [0, 1].map(|_| after_loss_at(1_000, &[]));
    for _ in 0..100 {
        paused.round(rtt);
        steady.round(rtt);
    }
    for _ in 0..2_000 {
        paused.now += rtt;
        let acked = paused.acked(SEGMENT, rtt);
        paused.control.on_ack(paused.now, &forebay_sim::net::congestion::Acked { app_limited: true, ..acked });
    }
    for _ in 0..100 {
        paused.round(rtt);
        steady.round(rtt);
    }
    assert!((window(&paused) - window(&steady)).abs() < 2.0, "{} and not {}", window(&paused), window(&steady));
}

#[test]
fn pacing_spreads_a_window_and_a_quarter_over_a_round_trip() {
    let rtt = Duration::from_ms(10);
    let mut flow = after_loss_at(1_000, &[("pacing", "yes")]);
    assert_eq!(flow.control.pacing_rate(), None, "before the first sample");
    flow.round(rtt);
    let rate = flow.control.pacing_rate().expect("a rate").bits_per_second() as f64;
    let expected = 1.25 * window(&flow) * SEGMENT as f64 * 8.0 / 0.01;
    assert!((rate / expected - 1.0).abs() < 1e-3, "{rate} and not {expected}");
    flow.control.on_timeout(flow.now, Some(700 * SEGMENT));
    let rate = flow.control.pacing_rate().expect("a rate").bits_per_second();
    assert_eq!(rate, 2 * SEGMENT * 8 * 100, "two windows in slow start");
}
