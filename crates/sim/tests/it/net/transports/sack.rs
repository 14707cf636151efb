//! Selective acknowledgements: many losses, found by time or by counting, and repaired without a timeout.

use crate::net::transports::path::{Fate, Flow, PathSpec, Sent, losing, transport};
use forebay_core::{Duration, Seed, Time};
use forebay_sim::net::{Flags, FlowSpec, Transport};
use rand::RngExt;

const MSS: u64 = 1_000;

/// With segments of 1000 bytes and a window of so many at first, which grows slowly.
fn with_sack(name: &str, rack: &str, window: &str, more: &[(&str, &str)]) -> Box<dyn Transport> {
    let mut params = vec![("mss", "1000"), ("handshake", "no"), ("sack", "yes"), ("rack", rack)];
    params.extend([("initial_window", window), ("initial_ssthresh", window)]);
    params.extend(more);
    transport(name, &params)
}

#[test]
fn many_losses_in_one_window_need_no_timeout() {
    // Every third of 90 segments is lost, the first among them.
    let lost: Vec<u64> = (0..90).step_by(3).collect();
    for (name, rack) in ["newreno", "dctcp", "cubic"].into_iter().flat_map(|name| [(name, "yes"), (name, "no")]) {
        let mut flow = Flow::open(&*with_sack(name, rack, "100", &[]), 300 * MSS, PathSpec::long(), losing(&lost));
        flow.run(100_000);
        let counts = flow.counts();
        let what = format!("{name}, rack {rack}: {counts:?} at {:?}", flow.now);
        assert!(flow.acknowledged().is_some(), "{what}");
        assert_eq!((counts.timeouts, counts.fast_retransmits), (0, 1), "{what}");
        assert_eq!((counts.retransmissions, counts.data_segments), (30, 330), "{what}");
        // NewReno would repair one loss in each round trip: 30 round trips for this window alone.
        let resent =
            flow.sent.iter().filter(|sent| sent.to_receiver && sent.segment.seq < 90 * MSS).map(|sent| sent.at);
        assert!(resent.max() <= Some(Time::from_ns(400_000)), "{what}");
    }
    let plain = [("mss", "1000"), ("handshake", "no"), ("initial_window", "100"), ("initial_ssthresh", "100")];
    let mut without = Flow::open(&*transport("newreno", &plain), 300 * MSS, PathSpec::long(), losing(&lost));
    without.run(100_000);
    assert!(without.acknowledged() > Some(Time::from_ns(1_500_000)), "{:?}", without.acknowledged());
}

#[test]
fn the_window_is_reduced_once_and_prr_spreads_it() {
    for rack in ["yes", "no"] {
        let mut flow = Flow::open(&*with_sack("newreno", rack, "20", &[]), 400 * MSS, PathSpec::long(), losing(&[5]));
        flow.run_until(Time::from_ns(150_000));
        // 5 for what arrived before the loss; the third duplicate sends 5 again; then one segment for every second one.
        let sent = flow.data(MSS, 100, 150);
        assert_eq!(sent[..5], [20, 21, 22, 23, 24], "rack {rack}");
        assert!(sent.contains(&5), "rack {rack}: {sent:?}");
        assert!((12..=15).contains(&sent.len()), "rack {rack}: {sent:?}");
        flow.run_until(Time::from_ns(250_000));
        assert!((10 * MSS..=12 * MSS).contains(&flow.window()), "rack {rack}: {}", flow.window());
        flow.run(10_000);
        let counts = flow.counts();
        assert_eq!((counts.retransmissions, counts.timeouts, counts.fast_retransmits), (1, 0, 1), "rack {rack}");
    }
}

#[test]
fn a_lost_retransmission_is_found_by_time() {
    let mut lost = 0;
    let twice = |sent: &Sent| {
        let hit = sent.to_receiver && sent.segment.seq == 5 * MSS && lost < 2;
        lost += u64::from(hit);
        if hit { Fate::IsLost } else { Fate::Arrives }
    };
    let mut flow = Flow::open(&*with_sack("newreno", "yes", "20", &[]), 400 * MSS, PathSpec::long(), twice);
    flow.run(100_000);
    assert!(flow.acknowledged().is_some());
    let counts = flow.counts();
    assert_eq!((counts.retransmissions, counts.timeouts), (2, 0), "{counts:?}");
}

#[test]
fn the_end_of_a_flow_is_repaired_by_a_probe() {
    // The last five of 20 segments are lost, and no later segment reveals it.
    let params = [("min_rto", "10 ms")];
    let flow_with = |rack| {
        let lost = losing(&[15, 16, 17, 18, 19]);
        let mut flow = Flow::open(&*with_sack("newreno", rack, "20", &params), 20 * MSS, PathSpec::long(), lost);
        flow.run(10_000);
        (flow.acknowledged().expect("all"), flow.counts().timeouts)
    };
    let (by_probe, timeouts) = flow_with("yes");
    assert!(timeouts == 0 && by_probe < Time::from_ns(700_000), "{by_probe:?}, {timeouts}");
    let (by_timer, timeouts) = flow_with("no");
    assert!(timeouts == 1 && by_timer > Time::from_ns(10_000_000), "{by_timer:?}, {timeouts}");
}

#[test]
fn reordering_is_not_taken_for_loss() {
    // Every tenth segment is 20 us late, less than a quarter of a round trip of 100 us, and others overtake it. Only two overtake
    // the first, so that RACK learns of reordering before it takes one for loss.
    let retransmissions = |rack| {
        let mut count = 0;
        let late = |sent: &Sent| {
            count += u64::from(sent.to_receiver);
            let late = sent.to_receiver && count % 10 == 0;
            let by = Duration::from_us(if count == 10 { 2 } else { 20 });
            if late { Fate::IsLate(by) } else { Fate::Arrives }
        };
        let spec = PathSpec::of("10 Gbps", Duration::from_us(50));
        let mut flow = Flow::open(&*with_sack("newreno", rack, "50", &[]), 2_000 * MSS, spec, late);
        flow.run(100_000);
        assert!(flow.acknowledged().is_some());
        flow.counts().retransmissions
    };
    let (by_time, by_count) = (retransmissions("yes"), retransmissions("no"));
    assert_eq!(by_time, 0);
    assert!(by_count > 20, "{by_count}");
}

#[test]
fn blocks_tell_exactly_what_has_arrived() {
    for ack_every in ["1", "2"] {
        let mut rng = Seed(4).stream("blocks");
        let fate = |sent: &Sent| match rng.random_range(0..10) {
            0 if sent.to_receiver => Fate::IsLost,
            1 => Fate::IsLate(Duration::from_us(rng.random_range(0..200))),
            2 => Fate::ArrivesTwice,
            _ => Fate::Arrives,
        };
        let sack = with_sack("newreno", "yes", "50", &[("ack_every", ack_every)]);
        let mut flow = Flow::open(&*sack, 2_000 * MSS, PathSpec::of("10 Gbps", Duration::from_us(20)), fate);
        flow.run(1_000_000);
        assert!(flow.acknowledged().is_some());
        let mut with_blocks = 0;
        for answer in flow.sent.iter().filter(|sent| !sent.to_receiver).map(|sent| sent.segment) {
            assert_eq!(answer.flags.has(Flags::SACK), !answer.sack.is_empty());
            with_blocks += u64::from(!answer.sack.is_empty());
            for (number, block) in answer.sack.near(answer.ack).enumerate() {
                assert!(block.start < block.end && block.end <= 2_000 * MSS, "{block:?}");
                assert!(block.start > answer.ack || number == 0, "only the first block may be of a duplicate");
                assert!(block.start != answer.ack, "a block begins behind a gap");
            }
        }
        assert!(with_blocks > 100, "{with_blocks}");
    }
}

#[test]
fn without_it_nobody_tells() {
    let mut flow = Flow::open(&*transport("newreno", &[]), 300_000, PathSpec::long(), losing(&[5, 9]));
    flow.run(100_000);
    assert!(flow.acknowledged().is_some());
    assert!(flow.sent.iter().all(|sent| sent.segment.sack.is_empty() && !sent.segment.flags.has(Flags::SACK)));
}

#[test]
fn throughput_follows_the_law_and_is_not_below_that_without_it() {
    // As in `newreno.rs`: 1.22 / sqrt(p) segments in a round trip. With 4 % of losses the window holds some six segments.
    for rack in ["yes", "no"] {
        let in_a_round = |sack: &str, loss: f64| {
            let mut rng = Seed(3).stream("loss");
            let fate = move |sent: &Sent| {
                let lost = sent.to_receiver && rng.random_bool(loss);
                if lost { Fate::IsLost } else { Fate::Arrives }
            };
            let params = [("mss", "1000"), ("handshake", "no"), ("min_rto", "200 us"), ("sack", sack), ("rack", rack)];
            let mut flow = Flow::open(&*transport("newreno", &params), FlowSpec::ENDLESS, PathSpec::long(), fate);
            flow.run_until(Time::from_ns(1_000_000_000));
            let counts = flow.counts();
            (counts.data_segments - counts.retransmissions) as f64 / 10_000.0
        };
        for loss in [0.002, 0.008] {
            let share = in_a_round("yes", loss) / (1.22 / f64::sqrt(loss));
            assert!((0.8..1.3).contains(&share), "rack {rack}, {loss}: {share}");
        }
        let (with, without) = (in_a_round("yes", 0.04), in_a_round("no", 0.04));
        assert!(with > without, "rack {rack}: {with} and {without}");
    }
}
