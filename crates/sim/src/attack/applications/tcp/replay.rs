//! A recording as innocent traffic.

use crate::attack::traffic::Inputs;
use crate::attack::traffic::innocent::to_time;
use forebay_core::{FlowId, Time};
use forebay_traces::TcpSegment;
use std::sync::Arc;

/// The segments of a recording at another mean rate in bits per second, from the `first` on (counted from 0), again and
/// again: its flows come back with other numbers. None at a rate of zero.
///
/// Gaps are those of the recording, stretched; between two rounds lies the mean gap.
#[must_use]
pub fn replay(segments: Arc<[TcpSegment]>, first: usize, rate_bps: f64) -> Inputs<TcpSegment> {
    let bits: f64 = segments.iter().map(|segment| f64::from(segment.size_bytes) * 8.0).sum();
    let start = segments.first().map_or(Time::ZERO, |segment| segment.arrival);
    let recorded = segments.last().map_or(Time::ZERO, |segment| segment.arrival).since(start);
    let flows = segments.iter().map(|segment| segment.flow.0).max().map_or(0, |last| last.wrapping_add(1));
    let round_ps = bits / rate_bps * 1e12;
    if segments.is_empty() || !round_ps.is_finite() {
        return Box::new(std::iter::empty());
    }
    // n segments have n - 1 gaps, and a round has one more.
    let spread_ps = round_ps * (segments.len() - 1) as f64 / segments.len() as f64;
    let stretch = if recorded.as_ps() == 0 { 0.0 } else { spread_ps / recorded.as_ps() as f64 };
    let within_round = move |segment: &TcpSegment| segment.arrival.since(start).as_ps() as f64 * stretch;
    let first = first % segments.len();
    let skipped_ps = within_round(&segments[first]);
    Box::new((0_u32..).flat_map(move |round| {
        let from = if round == 0 { first } else { 0 };
        let round_start = round_ps * f64::from(round) - skipped_ps;
        let segments = Arc::clone(&segments);
        (from..segments.len()).map(move |place| {
            let segment = segments[place];
            TcpSegment {
                arrival: to_time(round_start + within_round(&segment)),
                flow: FlowId(segment.flow.0.wrapping_add(flows.wrapping_mul(round))),
                ..segment
            }
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_traces::TcpFlags;

    fn segments(ns: &[u64]) -> Arc<[TcpSegment]> {
        let one = |(&ns, flow)| TcpSegment {
            arrival: Time::from_ns(ns),
            flow: FlowId(flow),
            sequence: 0,
            payload_bytes: 71,
            size_bytes: 125,
            flags: TcpFlags::default(),
        };
        ns.iter().zip(0..).map(one).collect()
    }

    /// Nanosecond and flow.
    fn played(segments: Arc<[TcpSegment]>, first: usize, count: usize) -> Vec<(u64, u32)> {
        replay(segments, first, 1e9).take(count).map(|one| (one.arrival.as_ps() / 1_000, one.flow.0)).collect()
    }

    #[test]
    fn a_recording_is_stretched_and_repeated() {
        // 1,000 bits each: 1 us at 1 Gb/s.
        let recording = segments(&[50, 60, 90]);
        assert_eq!(
            played(Arc::clone(&recording), 0, 7),
            [(0, 0), (500, 1), (2_000, 2), (3_000, 3), (3_500, 4), (5_000, 5), (6_000, 6)]
        );
        assert_eq!(played(Arc::clone(&recording), 1, 4), [(0, 1), (1_500, 2), (2_500, 3), (3_000, 4)]);
        assert_eq!(played(recording, 5, 2), [(0, 2), (1_000, 3)]);
        assert_eq!(replay(segments(&[50]), 0, 0.0).next(), None);
        assert_eq!(replay(segments(&[]), 0, 1e9).next(), None);
        assert_eq!(played(segments(&[50]), 0, 2), [(0, 0), (1_000, 1)]);
    }
}
