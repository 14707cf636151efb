//! CUBIC between two hosts: the window in seconds, and data that leaves evenly.

use crate::net::transports::path::{Fate, Flow, PathSpec, losing, transport};
use forebay_core::{Duration, Time};
use forebay_sim::net::FlowSpec;

#[test]
fn after_a_loss_it_is_back_in_the_time_of_the_curve() {
    // 1000 segments of 1000 bytes and a round trip of 100 ms; Reno would take 500 of them, 50 s.
    let params = [("mss", "1000"), ("initial_window", "1000"), ("initial_ssthresh", "1000"), ("handshake", "no")];
    let spec = PathSpec::of("100 Gbps", Duration::from_ms(50));
    let mut flow = Flow::open(&*transport("cubic", &params), FlowSpec::ENDLESS, spec, losing(&[500]));
    flow.run_until(Time::from_ns(400_000_000));
    let after = flow.window();
    assert!((690_000..730_000).contains(&after), "{after}");
    let start = flow.now;
    while flow.window() < 999_000 {
        flow.run(100);
    }
    let back = flow.now.since(start).as_secs_f64();
    // From there up to the middle of the curve, but for the last segment.
    let expected = ((1_000.0 - after as f64 / 1_000.0) / 0.4).cbrt() - (1.0_f64 / 0.4).cbrt();
    assert!((back - expected).abs() < 0.3, "{back} s and not {expected} s");
}

#[test]
fn paced_data_leaves_evenly() {
    let params = [("mss", "1000"), ("pacing", "yes"), ("max_window_bytes", "100000"), ("initial_window", "2")];
    let mut flow = Flow::open(&*transport("cubic", &params), FlowSpec::ENDLESS, PathSpec::long(), |_| Fate::Arrives);
    flow.run_until(Time::from_ns(5_000_000));
    let late = flow.sent.iter().filter(|sent| sent.to_receiver && sent.at > Time::from_ns(4_000_000));
    let times: Vec<Time> = late.map(|sent| sent.at).collect();
    // 100 segments in 100 us; paced at two windows in a round trip, they are no closer than half a microsecond.
    assert!((900..1_100).contains(&times.len()), "{}", times.len());
    let least = times.windows(2).map(|pair| pair[1].since(pair[0])).min().expect("gaps");
    assert!(least >= Duration::from_ns(490), "{least:?}");
    let unpaced = [params[0], params[2], params[3]];
    let mut flow = Flow::open(&*transport("cubic", &unpaced), FlowSpec::ENDLESS, PathSpec::long(), |_| Fate::Arrives);
    flow.run_until(Time::from_ns(1_000_000));
    assert!(
        flow.sent.windows(2).any(|pair| pair[0].to_receiver && pair[0].at == pair[1].at),
        "without it they are not"
    );
}
