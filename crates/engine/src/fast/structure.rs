//! What a queue does with its packets, whichever orders it has.

use super::expr::{Reader, Source};
use super::slab::{Slab, Stored};
use super::value::{number, ordinal};

/// The packets of a queue, sorted for service and for victims.
///
/// An arriving packet is judged before it is put in: the structure only says how it compares. It arrived last, so it
/// loses ties for service and wins those for victims (`docs/openqueue-semantics.md`, 4.3).
pub(super) trait Structure {
    /// Where a packet belongs.
    type Key: Copy + Send + std::fmt::Debug;

    /// Where a packet belongs.
    fn key(&self, stored: &Stored) -> Self::Key;

    /// Puts in the packet that arrived last.
    fn insert(&mut self, slab: &mut Slab, slot: u32, key: Self::Key);

    /// Gives the [`first`](Self::first) packet its place again after its `processing` or `value` changed.
    fn replace_first(&mut self, slab: &mut Slab, slot: u32);

    /// The packet to be served next, or [`NIL`](super::slab::NIL).
    fn first(&self, slab: &Slab) -> u32;

    /// The packet to be dropped next, or [`NIL`](super::slab::NIL).
    fn victim(&self, slab: &Slab) -> u32;

    /// Takes out `slot`, which is [`first`](Self::first), or was so before its own properties changed.
    fn remove_first(&mut self, slab: &mut Slab, slot: u32);

    /// Takes out `slot`, which is the [`victim`](Self::victim).
    fn remove_victim(&mut self, slab: &mut Slab, slot: u32);

    /// Whether an arriving packet would be served before all others.
    fn arriving_is_first(&self, slab: &Slab, arriving: &Stored, key: Self::Key) -> bool;

    /// Whether an arriving packet would be dropped before all others.
    fn arriving_is_victim(&self, slab: &Slab, arriving: &Stored, key: Self::Key) -> bool;
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
