//! The metadata of packets, on which policies base their decisions.

use crate::ids::{ClassId, FlowId, QueueId};
use crate::time::{Duration, Time};

/// The metadata of one packet; the payload is never needed.
///
/// It is copied, not shared: 64 bytes, one cache line. A field that a source
/// cannot know is zero, and the source does not list it in
/// [`Source::fields`](crate::Source::fields).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Packet {
    /// The time at which the packet arrives at the network element.
    pub arrival: Time,
    /// The packet's rank in the order of service: lowest first. Sources may set it; a rank function overwrites it when
    /// the packet is queued.
    pub rank: u64,
    /// The bytes of the packet's flow that were still to be sent when this packet was sent, itself included (pFabric's remaining flow
    /// size).
    pub remaining_bytes: u64,
    /// The time for which the element must work on the packet (its job size).
    pub processing: Duration,
    /// The time by which the packet may still be late, measured at its arrival.
    pub slack: Duration,
    /// Number of the packet within its source, from 0.
    pub id: u64,
    /// Length on the wire in bytes, without preamble, frame check and gap.
    pub size_bytes: u32,
    /// The packet's value to its owner: higher is more valuable.
    pub value: u32,
    /// The flow that the packet belongs to.
    pub flow: FlowId,
    /// The queue that the packet was directed to, if a discipline has several.
    pub queue: QueueId,
    /// The packet's traffic class.
    pub class: ClassId,
    /// The marks that the packet's sender and policies have set.
    pub marks: Marks,
}

/// The marks that a packet's sender and policies have set on the packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    bits: u8,
}

impl Marks {
    const ELIGIBLE_TO_DROP: u8 = 1;
    const CONGESTED: u8 = 2;
    const ECN_CAPABLE: u8 = 4;

    /// Returns whether later elements should drop this packet before others (like ATM's cell loss priority).
    #[must_use]
    pub fn eligible_to_drop(self) -> bool {
        self.bits & Self::ELIGIBLE_TO_DROP != 0
    }

    /// Returns whether the packet notifies its receiver of congestion (ECN, RFC 3168).
    #[must_use]
    pub fn congested(self) -> bool {
        self.bits & Self::CONGESTED != 0
    }

    /// Returns whether the packet's sender understands notifications of congestion (ECT of RFC 3168). Other senders must learn of
    /// congestion by drops.
    #[must_use]
    pub fn ecn_capable(self) -> bool {
        self.bits & Self::ECN_CAPABLE != 0
    }

    /// Marks the packet to be dropped before others by later elements.
    pub fn set_eligible_to_drop(&mut self) {
        self.bits |= Self::ELIGIBLE_TO_DROP;
    }

    /// Marks the packet to notify the receiver of congestion.
    pub fn set_congested(&mut self) {
        self.bits |= Self::CONGESTED;
    }

    /// Records that the sender understands the mark of [`congested`](Self::congested).
    pub fn set_ecn_capable(&mut self) {
        self.bits |= Self::ECN_CAPABLE;
    }
}

impl Packet {
    /// The size limit of packets in traces and recipes: larger than any Ethernet or IP packet.
    pub const MAX_BYTES: u32 = 1_000_000;
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_packet_fits_a_cache_line() {
        assert_eq!(size_of::<super::Packet>(), 64);
    }
}
