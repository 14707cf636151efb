//! pFabric's transport, step by step.

use crate::net::transports::path::{Fate, Flow, PathSpec, Sent, losing, transport};
use forebay_core::{Duration, Time};
use forebay_sim::net::Flags;

const PAYLOAD: [(&str, &str); 2] = [("payload_bytes", "1000"), ("rto", "300 us")];

#[test]
fn a_flow_starts_with_what_a_round_trip_holds() {
    // 100 us, 1.2 us of a packet and 32 ns of its answer, at 10 Gb/s: 84.4 packets.
    let spec = PathSpec::of("10 Gbps", Duration::from_us(50));
    let mut flow = Flow::open(&*transport("pfabric", &[]), 10_000_000, spec, |_| Fate::Arrives);
    flow.run_until(Time::ZERO);
    assert_eq!(flow.sent.len(), 85);
    assert_eq!(flow.sent[84].segment.remaining, 10_000_000);
    flow.run(100_000);
    let alone = 10_000_000_f64 / 1_460.0 * 1.2e-6 + 50e-6;
    let took = flow.received().unwrap().as_secs_f64();
    assert!((1.0..1.001).contains(&(took / alone)), "{took} and not {alone}");
    assert_eq!((flow.window(), flow.counts().retransmissions), (85 * 1_460, 0));
    let last = flow.sent.iter().rfind(|sent| sent.to_receiver).unwrap().segment;
    assert!(last.remaining <= 85 * 1_460, "what is acknowledged does not remain");
}

#[test]
fn a_timeout_sends_again_only_what_is_missing() {
    let params = [PAYLOAD[0], PAYLOAD[1], ("window_segments", "8")];
    let pfabric = transport("pfabric", &params);
    let mut flow = Flow::open(&*pfabric, 8_000, PathSpec::long(), losing(&[3, 5]));
    flow.run(10_000);
    let counts = flow.counts();
    assert_eq!((counts.timeouts, counts.retransmissions, counts.data_segments), (1, 2, 10));
    // The acknowledgements up to 2 have started the timer anew at 100 us.
    assert_eq!((flow.data(1_000, 400, 450), flow.data(1_000, 500, 550)), (vec![3], vec![5]));
    // Where there is more to send, the others go on. They are not lost at the timeout, since they were sent after the timer
    // was started. One packet goes at once; 5 when the window has grown above what is in flight.
    let mut longer = Flow::open(&*pfabric, 40_000, PathSpec::long(), losing(&[3, 5]));
    longer.run(10_000);
    assert_eq!(longer.data(1_000, 100, 150), [8, 9, 10, 11, 12, 13]);
    assert_eq!(longer.data(1_000, 300, 390), [20, 21, 22, 23, 24, 25]);
    assert_eq!(longer.data(1_000, 400, 450), [3, 5, 26, 27]);
    assert_eq!((longer.counts().timeouts, longer.counts().retransmissions), (1, 2));
}

#[test]
fn after_a_timeout_the_window_is_one_and_doubles_up_to_half() {
    let params = [PAYLOAD[0], PAYLOAD[1], ("window_segments", "16")];
    let all = losing(&(0..16).collect::<Vec<_>>());
    let mut flow = Flow::open(&*transport("pfabric", &params), 1_000_000, PathSpec::long(), all);
    flow.run_until(Time::from_ns(1_000_000));
    let rounds: Vec<_> = (0..6).map(|round| flow.data(1_000, 300 + round * 100, 350 + round * 100).len()).collect();
    assert_eq!(rounds, [1, 2, 4, 8, 9, 10]);
}

#[test]
fn after_five_timeouts_it_only_asks_until_an_answer_comes() {
    let params = [PAYLOAD[0], PAYLOAD[1], ("window_segments", "4")];
    // No packet arrives for 3 ms.
    let fate = |sent: &Sent| if sent.at < Time::from_ns(3_000_000) { Fate::IsLost } else { Fate::Arrives };
    let mut flow = Flow::open(&*transport("pfabric", &params), 1_000_000, PathSpec::long(), fate);
    flow.run_until(Time::from_ns(3_500_000));
    let sent: Vec<_> = flow.sent.iter().filter(|sent| sent.to_receiver).map(|sent| sent.segment).collect();
    assert_eq!(flow.times()[..14], [0, 0, 0, 0, 300, 600, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_700, 3_000]);
    assert!(sent[4..8].iter().all(|packet| (packet.seq, packet.payload_bytes) == (0, 1_000)));
    for probe in &sent[8..14] {
        assert_eq!((probe.flags, probe.wire_bytes(), probe.remaining), (Flags::PROBE, 40, 1_000_000));
    }
    assert_eq!(flow.data(1_000, 3_100, 3_150), [0], "slow start again");
    assert_eq!(flow.data(1_000, 3_200, 3_250), [1, 2]);
    assert_eq!(flow.counts().timeouts, 5, "probes are none");
    flow.run(100_000);
    assert!(flow.acknowledged().is_some());
}
