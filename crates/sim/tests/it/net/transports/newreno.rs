//! TCP NewReno, step by step as the RFCs have it.

use crate::net::transports::path::{Fate, Flow, PathSpec, Sent, losing, transport};
use forebay_core::{Duration, Seed, Time};
use forebay_sim::net::{Flags, FlowSpec, Transport};
use rand::RngExt;

const MSS: u64 = 1_000;

/// Without a handshake and limited transmit, in segments of 1000 bytes.
fn plain(more: &[(&str, &str)]) -> Box<dyn Transport> {
    let mut params = vec![("mss", "1000"), ("handshake", "no"), ("limited_transmit", "no")];
    params.extend(more);
    transport("newreno", &params)
}

fn arrives(_: &Sent) -> Fate {
    Fate::Arrives
}

#[test]
fn packets_say_what_is_left_of_their_flow_or_unsent_or_how_large_it_is() {
    for sack in ["no", "yes"] {
        for announces in ["remaining", "unsent", "size"] {
            let transport = plain(&[("announces", announces), ("sack", sack)]);
            let mut flow = Flow::open(&*transport, 50 * MSS, PathSpec::long(), arrives);
            flow.run(10_000);
            let said: Vec<u64> =
                flow.sent.iter().filter(|sent| sent.to_receiver).map(|sent| sent.segment.remaining).collect();
            let (first, last) = (said[0], said[said.len() - 1]);
            assert_eq!((first, last < 50 * MSS), (50 * MSS, announces != "size"), "{sack} {said:?}");
            if announces == "unsent" {
                assert!(said.is_sorted_by(|before, after| *before == after + MSS), "{sack} {said:?}");
            }
        }
    }
}

#[test]
fn slow_start_doubles_the_window_in_each_round_trip() {
    let transport = plain(&[("initial_window", "2")]);
    let mut flow = Flow::open(&*transport, 1_000 * MSS, PathSpec::long(), arrives);
    flow.run_until(Time::from_ns(550_000));
    let rounds: Vec<_> = (0..5).map(|round| flow.data(MSS, round * 100, (round + 1) * 100).len()).collect();
    assert_eq!(rounds, [2, 4, 8, 16, 32]);
}

#[test]
fn congestion_avoidance_adds_a_segment_in_each_round_trip() {
    for (ack_every, ack_delay) in [("1", "500 us"), ("2", "1 us")] {
        let params =
            [("initial_window", "8"), ("initial_ssthresh", "8"), ("ack_every", ack_every), ("ack_delay", ack_delay)];
        let transport = plain(&params);
        let mut flow = Flow::open(&*transport, 1_000 * MSS, PathSpec::long(), arrives);
        flow.run_until(Time::from_ns(590_000));
        let rounds: Vec<_> = (0..5).map(|round| flow.data(MSS, round * 100, round * 100 + 50).len()).collect();
        assert_eq!(rounds, [8, 9, 10, 11, 12], "an acknowledgement for every {ack_every}");
    }
}

#[test]
fn the_third_duplicate_sends_again_and_halves_the_window() {
    let transport = plain(&[("initial_window", "8"), ("initial_ssthresh", "8")]);
    let mut flow = Flow::open(&*transport, 1_000 * MSS, PathSpec::long(), losing(&[2]));
    flow.run_until(Time::from_ns(150_000));
    // Two new ones for what arrived; 2 at the third duplicate; the window is then 4 + 3, and 9 after two more.
    assert_eq!(flow.data(MSS, 100, 150), [8, 9, 2, 10]);
    assert_eq!(flow.window(), 9 * MSS);
    flow.run_until(Time::from_ns(250_000));
    // A duplicate for each of 8 and 9; then all up to 9 is acknowledged, with 10, 11 and 12 in flight of a window of 4;
    // then 10.
    assert_eq!(flow.data(MSS, 200, 250), [11, 12, 13, 14]);
    assert_eq!(flow.window(), 4 * MSS);
    let counts = flow.counts();
    assert_eq!((counts.fast_retransmits, counts.retransmissions, counts.timeouts), (1, 1, 0));
}

#[test]
fn partial_acknowledgements_repair_several_losses_of_one_window() {
    let transport = plain(&[("initial_window", "10"), ("initial_ssthresh", "10")]);
    let mut flow = Flow::open(&*transport, 200 * MSS, PathSpec::long(), losing(&[1, 3, 4, 8]));
    flow.run(100_000);
    let again: Vec<u64> = (1..6)
        .map(|round| flow.data(MSS, round * 100, round * 100 + 50))
        .map(|data| data.into_iter().filter(|segment| *segment < 10).collect::<Vec<_>>())
        .inspect(|again| assert!(again.len() <= 1, "one in each round trip: {again:?}"))
        .flatten()
        .collect();
    assert_eq!(again, [1, 3, 4, 8]);
    let counts = flow.counts();
    assert_eq!((counts.fast_retransmits, counts.retransmissions, counts.timeouts), (1, 4, 0));
    assert_eq!(counts.data_segments, 204);
    assert!(flow.acknowledged() > flow.received());
}

#[test]
fn limited_transmit_sends_new_data_for_the_first_two_duplicates() {
    let params = [("initial_window", "4"), ("initial_ssthresh", "4"), ("limited_transmit", "yes")];
    let mut flow = Flow::open(&*plain(&params), 200 * MSS, PathSpec::long(), losing(&[1]));
    flow.run_until(Time::from_ns(250_000));
    // 4 for what arrived, 5 and 6 for two duplicates; 4's, 5's and 6's acknowledgements come a round trip later.
    assert_eq!(flow.data(MSS, 100, 150), [4, 5, 6]);
    assert_eq!(flow.data(MSS, 200, 250)[0], 1);
    // Without it there are only two duplicates in the first round trip, and one in the second.
    let mut without = Flow::open(&*plain(&params[..2]), 200 * MSS, PathSpec::long(), losing(&[1]));
    without.run_until(Time::from_ns(250_000));
    assert_eq!((without.data(MSS, 100, 150), without.data(MSS, 200, 250)), (vec![4], vec![1, 5]));
}

#[test]
fn a_timeout_starts_again_with_one_segment_up_to_half_of_the_flight() {
    let params = [("initial_window", "8"), ("min_rto", "1 ms"), ("initial_rto", "1 ms")];
    let transport = plain(&params);
    let mut flow = Flow::open(&*transport, 1_000 * MSS, PathSpec::long(), losing(&[0, 1, 2, 3, 4, 5, 6, 7]));
    flow.run_until(Time::from_ns(1_000_000));
    assert_eq!(flow.data(MSS, 1_000, 1_050), [0]);
    flow.run_until(Time::from_ns(1_600_000));
    let rounds: Vec<_> = (0..6).map(|round| flow.data(MSS, 1_000 + round * 100, 1_050 + round * 100).len()).collect();
    assert_eq!(rounds, [1, 2, 4, 5, 6, 7], "slow start to 4, then congestion avoidance");
}

#[test]
fn timeouts_double_and_hold_the_threshold() {
    let params = [("initial_window", "16"), ("initial_rto", "300 us"), ("min_rto", "0 s"), ("max_rto", "2 ms")];
    let mut sent = 0;
    let fate = |_: &Sent| {
        sent += 1;
        if sent <= 21 { Fate::IsLost } else { Fate::Arrives }
    };
    let transport = plain(&params);
    let mut flow = Flow::open(&*transport, 1_000 * MSS, PathSpec::long(), fate);
    flow.run_until(Time::from_ns(8_200_000));
    assert_eq!(flow.times()[15..22], [0, 300, 900, 2_100, 4_100, 6_100, 8_100]);
    assert_eq!(flow.counts().timeouts, 6);
    flow.run_until(Time::from_ns(8_700_000));
    let rounds: Vec<_> = (0..6).map(|round| flow.data(MSS, 8_100 + round * 100, 8_150 + round * 100).len()).collect();
    assert_eq!(rounds, [1, 2, 4, 8, 9, 10], "half of the 16 that were lost first");
}

#[test]
fn duplicates_that_a_timeout_causes_repair_nothing_unless_it_is_careless() {
    // The first window arrives just after the timer has expired in vain, and all of it is sent twice.
    for careful in ["yes", "no"] {
        let params = [("initial_window", "8"), ("initial_rto", "500 us"), ("min_rto", "0 s"), ("careful", careful)];
        let late =
            |sent: &Sent| if sent.at == Time::ZERO { Fate::IsLate(Duration::from_us(460)) } else { Fate::Arrives };
        let mut flow = Flow::open(&*plain(&params), 100 * MSS, PathSpec::long(), late);
        flow.run(10_000);
        assert!(flow.acknowledged().is_some());
        let counts = flow.counts();
        assert_eq!(counts.timeouts, 1);
        if careful == "yes" {
            assert_eq!((counts.retransmissions, counts.fast_retransmits), (8, 0));
        } else {
            assert!(counts.retransmissions > 8 && counts.fast_retransmits > 0, "{counts:?}");
        }
    }
}

#[test]
fn a_published_setup_can_be_said() {
    let params = [
        ("mss", "1380"),
        ("header_bytes", "120"),
        ("initial_window", "3"),
        ("initial_ssthresh", "30"),
        ("max_window_bytes", "65535"),
        ("initial_rto", "300 us"),
        ("min_rto", "0 s"),
        ("limited_transmit", "no"),
    ];
    let transport = transport("newreno", &params);
    assert_eq!(transport.full_segment_bytes(), (1_500, 120));
    let mut flow = Flow::open(&*transport, 4_000_000, PathSpec::of("10 Gbps", Duration::from_us(50)), arrives);
    flow.run_until(Time::from_ns(150_000));
    let first: Vec<_> = flow.sent.iter().take(6).map(|sent| (sent.to_receiver, sent.segment)).collect();
    let (syn, ack) = (Flags::SYN, Flags::ACK);
    let says = |(to_receiver, segment): &(bool, forebay_sim::net::Segment)| {
        (*to_receiver, segment.flags, segment.wire_bytes(), segment.seq, segment.remaining)
    };
    let expected = [
        (true, syn, 120, 0, 0),
        (false, syn.with(ack), 120, 0, 0),
        (true, ack, 120, 0, 0),
        (true, Flags::NONE, 1_500, 0, 4_000_000),
        (true, Flags::NONE, 1_500, 1_380, 4_000_000),
        (true, Flags::NONE, 1_500, 2_760, 4_000_000),
    ];
    assert_eq!(first.iter().map(says).collect::<Vec<_>>(), expected);
    flow.run(1_000_000);
    assert!(flow.acknowledged().is_some());
    assert_eq!(flow.sent.iter().map(|sent| sent.window).max(), Some(65_535));
    let last = flow.sent.iter().rfind(|sent| sent.to_receiver).unwrap().segment;
    assert_eq!(u64::from(last.payload_bytes), 4_000_000 % 1_380);
    assert!(last.remaining <= 65_535);
}

#[test]
fn a_lost_handshake_is_sent_again() {
    for lost in [0, 1, 2] {
        let mut count = 0;
        let fate = |_: &Sent| {
            count += 1;
            if count - 1 == lost { Fate::IsLost } else { Fate::Arrives }
        };
        let transport = transport("newreno", &[("initial_rto", "10 ms")]);
        let mut flow = Flow::open(&*transport, 5_000, PathSpec::long(), fate);
        flow.run(1_000);
        let late = Time::from_ns(if lost < 2 { 10_000_000 } else { 0 });
        assert!(flow.received().is_some_and(|time| time.since(late) < Duration::from_us(200)), "{lost}");
        assert_eq!(flow.counts().retransmissions, 0);
    }
}

#[test]
fn delayed_acknowledgements_come_for_every_second_segment_or_late() {
    let params = [("initial_window", "3"), ("ack_every", "2"), ("ack_delay", "40 us")];
    let mut flow = Flow::open(&*plain(&params), 100 * MSS, PathSpec::long(), arrives);
    flow.run_until(Time::from_ns(99_000));
    let answers: Vec<_> = flow.sent.iter().filter(|sent| !sent.to_receiver).collect();
    let says: Vec<_> = answers.iter().map(|sent| (sent.at.as_ps() / 1_000_000, sent.segment.ack)).collect();
    assert_eq!(says, [(50, 2_000), (90, 3_000)]);
    assert_eq!(answers[0].segment.timestamp, Time::ZERO);
    flow.run(10_000);
    assert!(flow.acknowledged().is_some());
}

#[test]
fn marks_halve_the_window_once_in_a_round_trip() {
    let params = [("initial_window", "16"), ("initial_ssthresh", "16"), ("ecn", "yes")];
    // Three marks in the first window.
    let mut count = 0;
    let fate = |sent: &Sent| {
        count += u64::from(sent.to_receiver);
        if sent.to_receiver && [3, 5, 9].contains(&count) { Fate::IsMarked } else { Fate::Arrives }
    };
    let transport = plain(&params);
    let mut flow = Flow::open(&*transport, 300 * MSS, PathSpec::long(), fate);
    flow.run_until(Time::from_ns(190_000));
    assert_eq!(flow.window(), 8 * MSS);
    flow.run_until(Time::from_ns(290_000));
    assert_eq!(flow.window(), 8 * MSS);
    flow.run(100_000);
    let reduced = flow.sent.iter().filter(|sent| sent.segment.flags.has(Flags::REDUCED)).count();
    let echoes = flow.sent.iter().filter(|sent| sent.segment.flags.has(Flags::ECHO)).count();
    assert_eq!((reduced, flow.counts().retransmissions), (1, 0));
    assert!((8..30).contains(&echoes), "from the mark until the receiver knows: {echoes}");
}

#[test]
fn throughput_falls_with_the_square_root_of_the_loss() {
    // Mathis et al., The macroscopic behavior of the TCP congestion avoidance algorithm, CCR 1997: 1.22 / sqrt(p)
    // segments in a round trip.
    for loss in [0.0005, 0.002, 0.008] {
        let mut rng = Seed(3).stream("loss");
        let fate = move |sent: &Sent| {
            let lost = sent.to_receiver && rng.random_bool(loss);
            if lost { Fate::IsLost } else { Fate::Arrives }
        };
        let transport = plain(&[("min_rto", "200 us"), ("limited_transmit", "yes")]);
        let mut flow = Flow::open(&*transport, FlowSpec::ENDLESS, PathSpec::long(), fate);
        flow.run_until(Time::from_ns(2_000_000_000));
        let counts = flow.counts();
        let in_a_round = (counts.data_segments - counts.retransmissions) as f64 / 20_000.0;
        let law = 1.22 / f64::sqrt(loss);
        let share = in_a_round / law;
        assert!((0.8..1.2).contains(&share), "{share}");
    }
}

#[test]
fn a_handshake_says_how_long_data_waits_if_it_may() {
    // The first SYN and the only data are lost.
    let when_again = |sample: &str| {
        let params = [("initial_rto", "500 us"), ("min_rto", "0 s"), ("handshake_sample", sample)];
        let mut count = 0;
        let fate = |_: &Sent| {
            count += 1;
            if [1, 5].contains(&count) { Fate::IsLost } else { Fate::Arrives }
        };
        let mut flow = Flow::open(&*transport("newreno", &params), 1_000, PathSpec::long(), fate);
        flow.run(1_000);
        flow.times()
    };
    // SYN, SYN, ACK with data, data: three round trips after it, or the first timeout without its backing off.
    assert_eq!(when_again("yes"), [0, 500, 600, 600, 900]);
    assert_eq!(when_again("no"), [0, 500, 600, 600, 1_100]);
}
