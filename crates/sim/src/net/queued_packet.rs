//! A packet that a port has accepted, as a hook sees it.

use crate::net::packets::{InFlight, Packets};
use forebay_core::{Packet, Time};

/// A packet that a port has accepted.
pub struct Queued<'a> {
    packets: &'a Packets,
    now: Time,
    index: u32,
    rank: u64,
}

impl<'a> Queued<'a> {
    /// The packet of this number, which a port has accepted now and given this rank.
    #[inline]
    pub(crate) fn new(packets: &'a Packets, now: Time, index: u32, rank: u64) -> Self {
        Self { packets, now, index, rank }
    }

    /// The packet in the network.
    #[inline]
    #[must_use]
    pub fn packet(&self) -> &'a InFlight {
        self.packets.get(self.index)
    }

    /// The rank that the port gave to the packet.
    #[inline]
    #[must_use]
    pub fn rank(&self) -> u64 {
        self.rank
    }

    /// The packet as the port saw it on arrival, with the rank that the port gave it.
    #[inline]
    #[must_use]
    pub fn at_port(&self) -> Packet {
        Packet { rank: self.rank, ..self.packets.offered(self.now, self.index) }
    }
}
