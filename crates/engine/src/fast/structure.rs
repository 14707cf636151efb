//! The operations of a queue on its packets, for any of its orders.

use super::expr::Reader;
use super::slab::{NIL, Stored};
use super::source::Source;
use super::value::{number, ordinal};
use forebay_core::{Duration, Packet};

/// The methods of a [`Structure`] that only use its slab of packets.
macro_rules! in_slab {
    () => {
        #[inline(always)]
        fn len(&self) -> u64 {
            self.slab.len()
        }

        #[inline(always)]
        fn get(&self, slot: u32) -> $crate::fast::slab::Stored {
            *self.slab.get(slot)
        }

        fn packet_mut(&mut self, slot: u32) -> &mut forebay_core::Packet {
            &mut self.slab.get_mut(slot).packet
        }

        fn set_left(&mut self, slot: u32, left: forebay_core::Duration) {
            self.slab.get_mut(slot).left = left;
        }
    };
}
pub(super) use in_slab;

/// The packets of a queue, sorted for service and for victims.
///
/// An arriving packet is judged before it is inserted: the structure only compares it. The packet arrived last, so it loses ties for
/// service and wins ties for victims (`docs/openqueue-semantics.md`, 4.3).
pub(super) trait Structure {
    /// The sort key of a packet.
    type Key: Copy + Send + std::fmt::Debug;

    /// Whether an arriving packet is always dropped before all others.
    const DROPS_NEWEST: bool = false;

    /// Whether it sorts only by the order in which packets are enqueued, so that it needs no numbers.
    const KNOWS_ARRIVAL: bool = false;

    /// Returns the number of packets.
    fn len(&self) -> u64;

    /// Returns the sort key of a packet.
    fn key(&self, stored: &Stored) -> Self::Key;

    /// Whether a packet can be inserted without more memory.
    #[inline(always)]
    fn has_slot(&self) -> bool {
        true
    }

    /// Inserts a packet as [`insert`](Self::insert) does; requires [`has_slot`](Self::has_slot).
    #[inline(always)]
    fn insert_into_slot(&mut self, stored: Stored, key: Self::Key) {
        self.insert(stored, key);
    }

    /// Inserts the packet that arrived last.
    fn insert(&mut self, stored: Stored, key: Self::Key);

    /// Returns the slot of the packet to be served next, or [`NIL`]. It is valid until a packet is inserted or removed.
    fn first(&self) -> u32;

    /// Returns the packet in a slot that [`first`](Self::first) returned.
    fn get(&self, slot: u32) -> Stored;

    /// Returns the packet alone, to be changed.
    fn packet_mut(&mut self, slot: u32) -> &mut Packet;

    /// Sets the packet's remaining processing.
    fn set_left(&mut self, slot: u32, left: Duration);

    /// Sorts the packet again after its `processing` or `value` changed.
    fn replace(&mut self, slot: u32);

    /// Removes and returns the packet that [`first`](Self::first) returned.
    fn take(&mut self, slot: u32) -> Option<Stored>;

    /// Removes the packet that [`first`](Self::first) returned, and returns it in its old slot, so that the caller copies it only once.
    fn release(&mut self, slot: u32) -> &Packet;

    /// Removes all packets, in any order.
    fn take_all(&mut self, mut see: impl FnMut(Stored)) {
        loop {
            let slot = self.first();
            match if slot == NIL { None } else { self.take(slot) } {
                Some(stored) => see(stored),
                None => return,
            }
        }
    }

    /// Removes the packet to be dropped next. Returns it with its remaining processing.
    fn pop_victim(&mut self) -> Option<(&Packet, Duration)>;

    /// Whether an arriving packet would be served before all others.
    fn arriving_is_first(&self, arriving: &Stored, key: Self::Key) -> bool;

    /// Whether an arriving packet would be dropped before all others.
    fn arriving_is_victim(&self, arriving: &Stored, key: Self::Key) -> bool;
}

/// Reads one packet.
pub(super) struct OnePacket<'a>(pub(super) &'a Stored);

impl Reader for OnePacket<'_> {
    #[inline(always)]
    fn read(&self, source: Source) -> i64 {
        match source {
            Source::First(what) => number(self.0, what),
            _ => 0,
        }
    }

    #[inline(always)]
    fn ordinal(&self, source: Source) -> u64 {
        match source {
            Source::First(what) => ordinal(self.0, what),
            _ => 0,
        }
    }
}

/// Reads two packets.
pub(super) struct TwoPackets<'a>(pub(super) &'a Stored, pub(super) &'a Stored);

impl Reader for TwoPackets<'_> {
    fn read(&self, source: Source) -> i64 {
        match source {
            Source::First(what) => number(self.0, what),
            Source::Second(what) => number(self.1, what),
            _ => 0,
        }
    }
}
