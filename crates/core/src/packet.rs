//! What a policy can know about a packet.

use crate::ids::{ClassId, FlowId, QueueId};
use crate::time::{Duration, Time};

/// The metadata of one packet; the payload is never needed.
///
/// It is copied, not shared: 64 bytes, one cache line. A field that a source
/// cannot know is zero, and the source does not list it in
/// [`Source::fields`](crate::Source::fields).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Packet {
    /// When the packet arrives at the network element.
    pub arrival: Time,
    /// The packet's place in the order of service: lowest first. Sources may set
    /// it; a rank function overwrites it when the packet is queued.
    pub rank: u64,
    /// Bytes of its flow that were still to be sent when this packet was sent,
    /// itself included (pFabric's remaining flow size).
    pub remaining_bytes: u64,
    /// How long the element must work on it (its job size).
    pub processing: Duration,
    /// How late it may still be, as of its arrival.
    pub slack: Duration,
    /// Number of the packet within its source, from 0.
    pub id: u64,
    /// Length on the wire in bytes, without preamble, frame check and gap.
    pub size_bytes: u32,
    /// What it is worth to its owner: higher is worth more.
    pub value: u32,
    /// The flow that it belongs to.
    pub flow: FlowId,
    /// The queue that it was directed to, where a discipline has several.
    pub queue: QueueId,
    /// Its traffic class.
    pub class: ClassId,
    /// What its sender and policies have written on it.
    pub marks: Marks,
}

/// What its sender and policies have written on a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    bits: u8,
}

impl Marks {
    const ELIGIBLE_TO_DROP: u8 = 1;
    const CONGESTED: u8 = 2;
    const ECN_CAPABLE: u8 = 4;

    /// Whether later elements may rather drop this packet than others (as ATM's cell loss priority says).
    #[must_use]
    pub fn eligible_to_drop(self) -> bool {
        self.bits & Self::ELIGIBLE_TO_DROP != 0
    }

    /// Whether the packet tells its receiver of congestion (ECN, RFC 3168).
    #[must_use]
    pub fn congested(self) -> bool {
        self.bits & Self::CONGESTED != 0
    }

    /// Whether its sender understands that it tells of congestion (ECT of RFC 3168). A sender that does not must learn of
    /// congestion by drops.
    #[must_use]
    pub fn ecn_capable(self) -> bool {
        self.bits & Self::ECN_CAPABLE != 0
    }

    /// Later elements may rather drop this packet than others.
    pub fn set_eligible_to_drop(&mut self) {
        self.bits |= Self::ELIGIBLE_TO_DROP;
    }

    /// The receiver shall know of congestion.
    pub fn set_congested(&mut self) {
        self.bits |= Self::CONGESTED;
    }

    /// The sender understands what [`congested`](Self::congested) says.
    pub fn set_ecn_capable(&mut self) {
        self.bits |= Self::ECN_CAPABLE;
    }
}

impl Packet {
    /// The largest packet that traces and recipes may have: more than any Ethernet
    /// or IP packet.
    pub const MAX_BYTES: u32 = 1_000_000;
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_packet_fits_a_cache_line() {
        assert_eq!(size_of::<super::Packet>(), 64);
    }
}
