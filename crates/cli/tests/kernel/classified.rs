//! A policy's queues by what the kernel says of packets (priority, mark) and by headers (DSCP, the hash of the flow).

use crate::guest_or_skip;
use forebay_targets::headers::{Mapping, Metadata};

const FLOWS: u8 = 64;

/// The queue, of four, that the flow of a UDP port has, of a frame as `traffic` sends it.
fn queue_of_flow(port: u8) -> usize {
    let mut frame = vec![0; 200];
    frame[..15].copy_from_slice(&[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45]);
    frame[16..18].copy_from_slice(&186_u16.to_be_bytes());
    (frame[22], frame[23], frame[35]) = (64, 17, port);
    frame[38..40].copy_from_slice(&166_u16.to_be_bytes());
    Mapping::default().packet(&frame, Metadata::default()).flow.0 as usize % 4
}

#[test]
fn packets_enter_queues_by_priority_mark_dscp_and_flow() {
    let guest = guest_or_skip!(&[("classified", &["--field", "rank=priority", "--field", "value=mark>>8"])]);
    let said = guest.run(
        &format!(
            "pair v0 v1
            put v0 classified
            # Priority 6; mark 0x703; DSCP 9 with ECT(0); flows.
            traffic send v0 3 200 1 0 0 6 >/dev/null
            traffic send v0 5 200 2 0 0 0 1795 >/dev/null
            traffic send v0 7 200 3 0 38 >/dev/null
            traffic send v0 {FLOWS} 200 4 0 0 0 0 {FLOWS} >/dev/null
            stats all v0
            "
        ),
        600,
    );
    let stats = said.stats("all");
    stats.check();
    let mut expected = [0; 16];
    expected[2] = 3;
    expected[4 + 3] = 5;
    expected[8 + 1] = 7;
    (0..FLOWS).for_each(|port| expected[12 + queue_of_flow(port)] += 1);
    assert!(expected[12..].iter().all(|flows| *flows > 5), "flows spread: {expected:?}");
    let found: Vec<u64> = (1..=16).map(|queue| stats.arrived_at(&format!("q{queue}"))).collect();
    assert_eq!(found, expected);
}
