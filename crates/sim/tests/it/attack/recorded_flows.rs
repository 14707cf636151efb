//! From a recording to jobs: the segments of a pcap that the test writes, reassembled.

use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::tcp::{Costs, InnocentSegments, Reassembler, WINDOW_BYTES, replay};
use forebay_sim::attack::applications::{Application as _, Told};
use forebay_traces::{Content, read_tcp_segments};
use std::collections::BTreeSet;
use std::io::Cursor;

/// A pcap of raw IPv4: microsecond, port, sequence number and bytes of data.
fn pcap(segments: &[(u32, u8, u32, u8)]) -> Vec<u8> {
    let mut file = Vec::new();
    for field in [0xa1b2_c3d4_u32, 4 << 16 | 2, 0, 0, 65_535, 101] {
        file.extend(field.to_le_bytes());
    }
    for &(us, port, sequence, data) in segments {
        let length = 40 + data;
        for field in [0, us, length.into(), length.into()] {
            file.extend(field.to_le_bytes());
        }
        file.extend([0x45, 0, 0, length, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0, port, 0, 80]);
        file.extend(sequence.to_be_bytes());
        file.extend([0, 0, 0, 0, 5 << 4, 16, 1, 0, 0, 0, 0, 0]);
        file.extend(vec![0; data.into()]);
    }
    file
}

#[test]
fn a_recording_makes_the_jobs_of_its_lists() {
    // Flow 1 has a gap that its last segment fills; flow 2 is in order.
    let file =
        pcap(&[(0, 1, 100, 10), (1, 1, 120, 10), (2, 2, 7, 60), (3, 1, 130, 10), (4, 2, 67, 60), (9, 1, 110, 10)]);
    let trace = read_tcp_segments(Content::unpack(Cursor::new(file)).unwrap()).unwrap();
    let costs = Costs { fixed: Duration::from_ns(100), traversal: Duration::from_ns(1) };
    let jobs = |told| -> Vec<(u32, u64, u64)> {
        let segments = replay(trace.segments.clone().into(), 0, 1e9);
        let arrivals = Reassembler::new(costs, WINDOW_BYTES).arrivals(segments, told).take(8);
        arrivals.map(|one| (one.flow, one.job.work.as_ns(), one.job.estimate.as_ns())).collect()
    };
    let work = [(0, 100), (0, 100), (1, 100), (0, 101), (1, 100), (0, 102), (2, 100), (2, 100)];
    assert_eq!(jobs(Told::Truth), work.map(|(flow, ns)| (flow, ns, ns)));
    let estimates = jobs(Told::Estimate).into_iter().map(|(_, _, estimate)| estimate);
    assert!(estimates.eq([100, 100, 100, 101, 100, 102, 100, 100]));
}

#[test]
fn a_recording_begins_somewhere_else_with_another_seed_and_keeps_its_rate() {
    let segments: Vec<_> = (0..50).map(|number: u32| (number * 7, 1, number * 10, 10)).collect();
    let trace = read_tcp_segments(Content::unpack(Cursor::new(pcap(&segments))).unwrap()).unwrap();
    let recorded = InnocentSegments::Recorded(trace.segments.into());
    let first = |seed| recorded.segments(1e9, Seed(seed)).next().map(|segment| segment.sequence);
    let firsts: BTreeSet<_> = (0..40).map(first).collect();
    assert!(firsts.len() > 10, "{firsts:?}");
    assert_eq!(first(3), first(3));
    // 70 B on the wire in each.
    let last = recorded.segments(1e9, Seed(9)).nth(5_000).unwrap();
    assert!((last.arrival.as_secs_f64() / 5_000.0 / (50.0 * 8e-9) - 1.0).abs() < 0.01, "{last:?}");
}
