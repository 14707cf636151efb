//! Segments of innocent and attack flows on one link.

use forebay_core::{Field, Fields, FlowId, Packet, Source, Time};
use forebay_traces::TcpSegment;
use std::iter::Peekable;

/// A stream of segments in order of time.
pub type Segments = Box<dyn Iterator<Item = TcpSegment> + Send>;

/// The segments of a recording at another mean rate in bits per second, again and again: its flows come back with other
/// numbers. None at a rate of zero.
///
/// Gaps are those of the recording, stretched; between two rounds lies the mean gap.
#[must_use]
pub fn replay(segments: Vec<TcpSegment>, rate_bps: f64) -> Segments {
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
            arrival: crate::traffic::to_time(round_start + segment.arrival.since(start).as_ps() as f64 * stretch),
            flow: FlowId(segment.flow.0.wrapping_add(flows.wrapping_mul(round))),
            ..segment
        })
    }))
}

/// Segments of innocent and attack flows, merged by time; innocent ones come first where both arrive at once. Flows are numbered as
/// [`Traffic`](crate::Traffic) does.
///
/// As a source of packets it leaves their work open: [`Reassembly`](super::Reassembly), which must be given an equal one,
/// says it.
pub struct SegmentTraffic {
    innocent: Peekable<Segments>,
    attack: Peekable<Segments>,
    until: Time,
    next_id: u64,
}

impl SegmentTraffic {
    /// Merges two streams; nothing arrives after `until`.
    #[must_use]
    pub fn new(innocent: Segments, attack: Option<Segments>, until: Time) -> Self {
        let attack = attack.unwrap_or_else(|| Box::new(std::iter::empty()));
        Self { innocent: innocent.peekable(), attack: attack.peekable(), until, next_id: 0 }
    }
}

impl Iterator for SegmentTraffic {
    type Item = TcpSegment;

    fn next(&mut self) -> Option<TcpSegment> {
        let attack_first = match (self.innocent.peek(), self.attack.peek()) {
            (Some(innocent), Some(attack)) => attack.arrival < innocent.arrival,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let segment = if attack_first { self.attack.next() } else { self.innocent.next() };
        let segment = segment.filter(|segment| segment.arrival <= self.until)?;
        let flow = FlowId(segment.flow.0.wrapping_mul(2) | u32::from(attack_first));
        Some(TcpSegment { flow, ..segment })
    }
}

impl Source for SegmentTraffic {
    fn next_packet(&mut self) -> Option<Packet> {
        let TcpSegment { arrival, flow, size_bytes, .. } = self.next()?;
        let id = self.next_id;
        self.next_id += 1;
        Some(Packet { arrival, size_bytes, flow, id, ..Packet::default() })
    }

    fn fields(&self) -> Fields {
        Fields::NONE.with(Field::Processing)
    }
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

    #[test]
    fn streams_merge_by_time_and_keep_their_flows_apart() {
        let innocent: Segments = Box::new(segments(&[1, 3, 900]).into_iter());
        let attack: Segments = Box::new(segments(&[2, 3, 9]).into_iter());
        let traffic = SegmentTraffic::new(innocent, Some(attack), Time::from_ns(100));
        let seen: Vec<_> = traffic.map(|one| (one.arrival.as_ps() / 1_000, one.flow.0)).collect();
        assert_eq!(seen, [(1, 0), (2, 1), (3, 2), (3, 3), (9, 5)]);
    }
}
