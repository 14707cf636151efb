//! A recording as innocent traffic.

use crate::applications::Inputs;
use forebay_core::{FlowId, Time};
use forebay_traces::TcpSegment;

/// The segments of a recording at another mean rate in bits per second, again and again: its flows come back with other
/// numbers. None at a rate of zero.
///
/// Gaps are those of the recording, stretched; between two rounds lies the mean gap.
#[must_use]
pub fn replay(segments: Vec<TcpSegment>, rate_bps: f64) -> Inputs<TcpSegment> {
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
    Box::new((0_u32..).flat_map(move |round| {
        let round_start = round_ps * f64::from(round);
        let again = segments.clone();
        again.into_iter().map(move |segment| TcpSegment {
            arrival: crate::traffic::innocent::to_time(
                round_start + segment.arrival.since(start).as_ps() as f64 * stretch,
            ),
            flow: FlowId(segment.flow.0.wrapping_add(flows.wrapping_mul(round))),
            ..segment
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_traces::TcpFlags;

    fn segments(ns: &[u64]) -> Vec<TcpSegment> {
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

    #[test]
    fn a_recording_is_stretched_and_repeated() {
        // 1,000 bits each: 1 us at 1 Gb/s.
        let played: Vec<_> = replay(segments(&[50, 60, 90]), 1e9).take(7).collect();
        let times: Vec<u64> = played.iter().map(|one| one.arrival.as_ps() / 1_000).collect();
        assert_eq!(times, [0, 500, 2_000, 3_000, 3_500, 5_000, 6_000]);
        assert_eq!(played.iter().map(|one| one.flow.0).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(replay(segments(&[50]), 0.0).next(), None);
        assert_eq!(replay(Vec::new(), 1e9).next(), None);
        let alone: Vec<u64> = replay(segments(&[50]), 1e9).take(2).map(|one| one.arrival.as_ps() / 1_000).collect();
        assert_eq!(alone, [0, 1_000]);
    }
}
