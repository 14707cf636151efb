//! A recording in memory.

use crate::recording::Account;
use forebay_core::{Field, Fields, FlowId, Packet, Source, Time};
use std::sync::Arc;

/// Packets in order of arrival, the first at time zero, and the warnings of the reader.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// The packets.
    pub packets: Vec<Packet>,
    /// The optional fields that the packets have.
    pub fields: Fields,
    /// Warnings about the recording, e.g. that it was cut off.
    pub warnings: Vec<String>,
    /// The account of a recording: its packets, and those left out. `None` for other formats.
    pub account: Option<Account>,
}

impl Trace {
    /// Sorts packets by arrival, numbers them, and shifts time so that the first arrives at zero.
    pub(crate) fn finish(mut self) -> Self {
        let backwards = self.packets.windows(2).filter(|pair| pair[1].arrival < pair[0].arrival).count();
        if backwards > 0 {
            self.warnings.push(format!("{backwards} packets were earlier than the packet before them; sorted by time"));
            self.packets.sort_by_key(|packet| packet.arrival);
        }
        let start = self.packets.first().map_or(Time::ZERO, |packet| packet.arrival);
        for (id, packet) in (0..).zip(&mut self.packets) {
            packet.id = id;
            packet.arrival = Time::ZERO + packet.arrival.since(start);
        }
        self
    }

    /// Sets, for every packet, the bytes that its flow has still to send in this trace.
    pub(crate) fn with_remaining_bytes(mut self) -> Self {
        let mut remaining = vec![0; self.flow_count()];
        for packet in self.packets.iter_mut().rev() {
            let flow = &mut remaining[packet.flow.index()];
            *flow += u64::from(packet.size_bytes);
            packet.remaining_bytes = *flow;
        }
        self.fields = self.fields.with(Field::RemainingBytes);
        self
    }

    /// Returns the number of flows: one more than the greatest flow id.
    #[must_use]
    pub fn flow_count(&self) -> usize {
        self.packets.iter().map(|packet| packet.flow).max().map_or(0, |FlowId(id)| id as usize + 1)
    }
}

/// Plays a trace, as fast as it was recorded or at another speed.
#[derive(Debug, Clone)]
pub struct TraceSource {
    trace: Arc<Trace>,
    next: usize,
    speed: f64,
}

impl TraceSource {
    /// Creates a source that plays `trace` with all gaps divided by `speed`.
    ///
    /// # Panics
    /// If `speed` is not above zero.
    #[must_use]
    pub fn new(trace: Arc<Trace>, speed: f64) -> Self {
        assert!(speed > 0.0, "a trace is played forwards");
        Self { trace, next: 0, speed }
    }
}

impl Source for TraceSource {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    fn next_packet(&mut self) -> Option<Packet> {
        let mut packet = *self.trace.packets.get(self.next)?;
        self.next += 1;
        if self.speed != 1.0 {
            packet.arrival = Time::from_ps((packet.arrival.as_ps() as f64 / self.speed).round() as u64);
        }
        Some(packet)
    }

    fn fields(&self) -> Fields {
        self.trace.fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(packets: &[(u64, u32, u32)]) -> Trace {
        let packets = packets
            .iter()
            .map(|&(ns, flow, size_bytes)| Packet {
                arrival: Time::from_ns(ns),
                flow: FlowId(flow),
                size_bytes,
                ..Packet::default()
            })
            .collect();
        Trace { packets, ..Trace::default() }
    }

    #[test]
    fn packets_are_sorted_and_start_at_zero() {
        let trace = trace(&[(30, 0, 1), (10, 1, 2), (20, 2, 3)]).finish();
        let order: Vec<_> = trace.packets.iter().map(|p| (p.id, p.arrival.as_ps(), p.flow.0)).collect();
        assert_eq!(order, [(0, 0, 1), (1, 10_000, 2), (2, 20_000, 0)]);
        assert_eq!(trace.warnings.len(), 1);
    }

    #[test]
    fn remaining_bytes_fall_to_the_last_packet_of_the_flow() {
        let trace = trace(&[(0, 0, 100), (1, 1, 7), (2, 0, 50)]).with_remaining_bytes();
        let remaining: Vec<_> = trace.packets.iter().map(|packet| packet.remaining_bytes).collect();
        assert_eq!(remaining, [150, 7, 50]);
    }

    #[test]
    fn a_faster_replay_shrinks_the_gaps() {
        let trace = Arc::new(trace(&[(0, 0, 1), (100, 0, 1)]));
        let mut source = TraceSource::new(trace, 4.0);
        source.next_packet();
        assert_eq!(source.next_packet().map(|packet| packet.arrival), Some(Time::from_ns(25)));
        assert_eq!(source.next_packet(), None);
    }
}
