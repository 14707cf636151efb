//! One direction of a connection while a recording is read.

use crate::directions::Way;
use crate::frame::TcpHeader;

/// A sequence number that is further away than this is of no window.
const FARTHEST: i64 = 1 << 30;

/// Data without a long pause, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start_ns: i128,
    /// Sequence number of its first byte.
    first: i64,
    /// Behind its last byte.
    end: i64,
    pub(super) dscp: u8,
}

impl Span {
    pub(super) fn bytes(&self) -> u64 {
        u64::try_from(self.end - self.first).unwrap_or(0)
    }
}

/// New data whose acknowledgement has not been seen.
#[derive(Debug, Clone, Copy)]
struct Timed {
    first: i64,
    end: i64,
    ns: i128,
}

/// The data that one direction has carried so far. Sequence numbers are unwrapped to 64 bits.
#[derive(Debug, Default)]
pub(super) struct Half {
    pub(super) packets: u64,
    pub(super) way: Option<Way>,
    /// The sequence number of the SYN, as it is in the header.
    pub(super) syn: Option<u32>,
    /// Behind the greatest byte seen.
    high: Option<i64>,
    pub(super) spans: Vec<Span>,
    last_data_ns: i128,
    timed: Option<Timed>,
    pub(super) least_ns: Option<i128>,
    pub(super) has_ended: bool,
}

impl Half {
    /// Returns whether data, or its end, was seen.
    pub(super) fn is_used(&self) -> bool {
        !self.spans.is_empty() || self.has_ended
    }

    /// Adds a segment of this direction.
    pub(super) fn sent(&mut self, ns: i128, header: &TcpHeader, pause_ns: i128) {
        self.packets += 1;
        self.has_ended |= header.fin || header.rst;
        let mut sequence = header.sequence;
        if header.syn {
            self.syn = Some(header.sequence);
            sequence = sequence.wrapping_add(1);
            self.high.get_or_insert(i64::from(sequence));
        }
        if header.payload_bytes == 0 || header.rst {
            return;
        }
        let Some(first) = self.unwrapped(sequence) else { return };
        let end = first + i64::from(header.payload_bytes);
        let before = self.high.unwrap_or(first);
        self.high = Some(before.max(end));
        match self.spans.last_mut() {
            Some(span) if end > before && first >= before && ns - self.last_data_ns >= pause_ns => {
                // What the recording missed in between belongs to the earlier transfer.
                span.end = first;
                self.spans.push(Span { start_ns: ns, first, end, dscp: header.dscp });
            }
            Some(span) => span.end = span.end.max(end),
            None => {
                let start = if self.syn.is_some() { before.min(first) } else { first };
                self.spans.push(Span { start_ns: ns, first: start, end, dscp: header.dscp });
            }
        }
        // In a connection that was there before the recording, the first packet may have been overtaken.
        if self.syn.is_none()
            && let [only] = &mut self.spans[..]
        {
            only.first = only.first.min(first);
        }
        self.last_data_ns = ns;
        if first >= before && self.timed.is_none() {
            self.timed = Some(Timed { first, end, ns });
        } else if self.timed.is_some_and(|timed| first < timed.end && end > timed.first) {
            // Sent again: nobody knows which one is acknowledged (Karn).
            self.timed = None;
        }
    }

    /// Adds a number that the other direction acknowledges.
    pub(super) fn acknowledged(&mut self, ns: i128, number: u32) {
        let Some(timed) = self.timed else { return };
        let Some(number) = self.unwrapped(number) else { return };
        if number >= timed.end {
            self.timed = None;
            let took = ns - timed.ns;
            if took >= 0 {
                self.least_ns = Some(self.least_ns.map_or(took, |least| least.min(took)));
            }
        }
    }

    /// Returns the unwrapped number that is nearest to the greatest so far.
    fn unwrapped(&self, sequence: u32) -> Option<i64> {
        let Some(high) = self.high else { return Some(i64::from(sequence)) };
        let low_bits = u32::try_from(high & 0xffff_ffff).expect("32 bits are left");
        let distance = i64::from(sequence.wrapping_sub(low_bits).cast_signed());
        (distance.abs() <= FARTHEST).then_some(high + distance)
    }
}
