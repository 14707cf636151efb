//! Segments, the packets of transports.

use crate::net::sack::SackBlocks;
use forebay_core::{Marks, Time};

/// One packet as its two endpoints see it. The network adds the wire size, the flow and the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Segment {
    /// Of data: the first byte of the flow in it. Of an acknowledgement: the first byte of the data that caused it.
    pub seq: u64,
    /// Of an acknowledgement: every byte before this has been received.
    pub ack: u64,
    /// Bytes of the flow that are not acknowledged when this is sent (pFabric's remaining flow size); 0 for packets without data, so that
    /// they are served first.
    pub remaining: u64,
    /// The time of sending. An acknowledgement repeats the timestamp of the data that caused it (RFC 7323's echo).
    pub timestamp: Time,
    /// The bytes of the flow in the segment.
    pub payload_bytes: u32,
    /// Bytes of all headers on the wire.
    pub header_bytes: u32,
    /// The kind of the segment, and further bits.
    pub flags: Flags,
    /// Of an acknowledgement with [`Flags::SACK`]: the data that has arrived behind a gap, or again.
    pub sack: SackBlocks,
}

impl Segment {
    /// The length on the wire.
    #[must_use]
    pub fn wire_bytes(&self) -> u32 {
        self.payload_bytes + self.header_bytes
    }
}

/// Bits of a segment's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u8);

impl Flags {
    /// No bit.
    pub const NONE: Self = Self(0);
    /// Opens a connection.
    pub const SYN: Self = Self(1);
    /// Acknowledges.
    pub const ACK: Self = Self(2);
    /// The transport understands marks (ECT, RFC 3168): switches mark the packet instead of dropping it.
    pub const ECN_CAPABLE: Self = Self(4);
    /// The network met congestion on the way here (CE); the network sets it on arrival, never a transport.
    pub const CONGESTED: Self = Self(8);
    /// The receiver reports congestion to the sender (ECE).
    pub const ECHO: Self = Self(16);
    /// The sender has reduced its window (CWR).
    pub const REDUCED: Self = Self(32);
    /// Asks whether the path is alive, without data (pFabric's probe mode).
    pub const PROBE: Self = Self(64);
    /// Has selective acknowledgements (RFC 2018).
    pub const SACK: Self = Self(128);

    /// Whether all bits of `other` are set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns these flags with the bits of `other` added.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the marks that switches see.
    pub(crate) fn marks(self) -> Marks {
        let mut marks = Marks::default();
        if self.has(Self::ECN_CAPABLE) {
            marks.set_ecn_capable();
        }
        marks
    }
}
