//! DCTCP: marks, their echoes, and their effect on the window.

use crate::net::transports::path::{Fate, Flow, PathSpec, Sent, transport};
use forebay_core::{Duration, Seed, Time};
use forebay_sim::net::{Flags, FlowSpec};
use rand::RngExt;

#[test]
fn echoes_tell_exactly_how_many_bytes_were_marked() {
    for ack_every in ["1", "2", "3", "8"] {
        let mut rng = Seed(5).stream("marks");
        let fate = |_: &Sent| if rng.random_bool(0.3) { Fate::IsMarked } else { Fate::Arrives };
        let params = [("ack_every", ack_every), ("ack_delay", "30 us"), ("mss", "999")];
        let dctcp = transport("dctcp", &params);
        let mut flow = Flow::open(&*dctcp, 1_000_003, PathSpec::of("10 Gbps", Duration::from_us(10)), fate);
        flow.run(1_000_000);
        let data = flow.sent.iter().filter(|sent| sent.to_receiver);
        let marked = data.filter(|sent| sent.fate == Fate::IsMarked).map(|sent| u64::from(sent.segment.payload_bytes));
        let mut before = 0;
        let mut echoed = 0;
        for answer in flow.sent.iter().filter(|sent| !sent.to_receiver).map(|sent| sent.segment) {
            echoed += if answer.flags.has(Flags::ECHO) { answer.ack - before } else { 0 };
            before = answer.ack;
        }
        assert_eq!(echoed, marked.sum::<u64>(), "an acknowledgement for every {ack_every}");
        assert_eq!((before, flow.counts().retransmissions), (1_000_003, 0));
    }
}

#[test]
fn the_window_follows_the_share_that_is_marked() {
    // Every fifth packet is marked, so that each window has marks, and alpha is 1/5 in the end.
    let mut count = 0_u64;
    let fate = |sent: &Sent| {
        count += u64::from(sent.to_receiver);
        if sent.to_receiver && count.is_multiple_of(5) { Fate::IsMarked } else { Fate::Arrives }
    };
    let params = [("mss", "1000"), ("initial_window", "900"), ("initial_ssthresh", "900"), ("gain", "0.25")];
    let mut flow = Flow::open(&*transport("dctcp", &params), FlowSpec::ENDLESS, PathSpec::long(), fate);
    flow.run_until(Time::from_ns(1_300_000));
    let windows: Vec<u64> = flow.sent.iter().filter(|sent| sent.to_receiver).map(|sent| sent.window).collect();
    let cuts: Vec<f64> =
        windows.windows(2).filter(|pair| pair[1] < pair[0]).map(|pair| pair[1] as f64 / pair[0] as f64).collect();
    // One in each of the twelve round trips after the first, which starts with alpha = 1.
    assert!((11..=13).contains(&cuts.len()), "{cuts:?}");
    let mut alpha = 1.0;
    for (number, cut) in cuts.iter().enumerate() {
        // The first acknowledgement is an observation of its own, without a mark.
        let marked = if number == 0 { 0.0 } else { 0.2 };
        alpha = 0.75 * alpha + 0.25 * marked;
        assert!((cut - (1.0 - alpha / 2.0)).abs() < 0.01, "{number}: {cut} and not {}", 1.0 - alpha / 2.0);
    }
    assert!((alpha - 0.2).abs() < 0.05);
}

/// A hundred segments are sent at once, and three in a row of them are marked.
#[test]
fn every_marked_acknowledgement_reduces_the_window_if_that_is_asked_for() {
    for sack in ["no", "yes"] {
        let cuts = |reduces: &str| {
            let mut count = 0_u64;
            let fate = |sent: &Sent| {
                count += u64::from(sent.to_receiver && sent.segment.payload_bytes > 0);
                let is_marked = sent.to_receiver && (50..53).contains(&count);
                if is_marked { Fate::IsMarked } else { Fate::Arrives }
            };
            let params = [
                ("mss", "1000"),
                ("initial_window", "100"),
                ("initial_ssthresh", "2"),
                ("initial_alpha", "1"),
                ("gain", "0.000001"),
                ("sack", sack),
                ("reduces", reduces),
            ];
            let mut flow = Flow::open(&*transport("dctcp", &params), 1_000_000, PathSpec::long(), fate);
            flow.run(1_000_000);
            let windows = flow.sent.iter().filter(|sent| sent.to_receiver).map(|sent| sent.window);
            windows.min().expect("data was sent")
        };
        // Alpha stays 1: a reduction halves the window. Data is sent again when no more than the window is on the way; until then
        // the window grows by a segment for each window that is acknowledged: from 50 to 51 segments, and from 12.5 to 17.5.
        let (once, every) = (cuts("once"), cuts("every"));
        assert!((50_000..52_000).contains(&once), "{sack}: {once}");
        assert!((16_500..18_500).contains(&every), "{sack}: {every}");
    }
}

#[test]
fn one_flow_fills_the_link_and_keeps_the_queue_at_the_threshold() {
    const THRESHOLD: u64 = 65 * 1_500;
    let spec = PathSpec { mark_above: THRESHOLD, ..PathSpec::of("10 Gbps", Duration::from_us(50)) };
    let mut flow = Flow::open(&*transport("dctcp", &[]), FlowSpec::ENDLESS, spec, |_| Fate::Arrives);
    flow.run_until(Time::from_ns(40_000_000));
    let data = |flow: &Flow<'_>| flow.counts().data_segments;
    let before = data(&flow);
    flow.run_until(Time::from_ns(90_000_000));
    let share = (data(&flow) - before) as f64 * 1_500.0 * 8.0 / 0.05 / 10e9;
    assert!(share > 0.99, "{share}");
    let windows = flow.sent.iter().filter(|sent| sent.at > Time::from_ns(40_000_000)).map(|sent| sent.window);
    let (least, greatest) = windows.fold((u64::MAX, 0), |(least, greatest), at| (least.min(at), greatest.max(at)));
    // Alizadeh et al., SIGCOMM'10, section 3.3: the window swings by sqrt(2 (C RTT + K)) / 2 segments below its peak.
    let peak = (125_000.0 + THRESHOLD as f64) / 1_500.0;
    let swing = (greatest - least) as f64 / 1_460.0;
    assert!((0.7..2.0).contains(&(swing / (f64::sqrt(2.0 * peak) / 2.0))), "{swing}");
    assert!((0.95..1.1).contains(&(greatest as f64 / 1_460.0 / peak)), "{greatest}");
    assert_eq!(flow.counts().retransmissions, 0);
}

#[test]
fn a_loss_halves_the_window_as_in_newreno() {
    let run = |name: &str| {
        let fate = crate::net::transports::path::losing(&[40, 41, 300]);
        let mut flow = Flow::open(&*transport(name, &[]), 1_000_000, PathSpec::long(), fate);
        flow.run(100_000);
        let windows: Vec<_> = flow.sent.iter().map(|sent| (sent.at, sent.window, sent.segment.seq)).collect();
        (windows, flow.counts())
    };
    assert_eq!(run("dctcp"), run("newreno"), "without marks they are the same");
}
