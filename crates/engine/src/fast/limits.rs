//! The limits of a queue or a buffer, prepared for comparisons.

use super::program::Program;
use super::shape::Shape;
use crate::traits::Occupancy;
use forebay_core::BufferSize;

/// The limits of a queue or a buffer.
#[derive(Debug)]
pub(super) struct Limits {
    /// The occupancy that counts although its packets are elsewhere.
    pub(super) held: Occupancy,
    /// The size in its unit; the occupancy never exceeds it.
    pub(super) size: u64,
    pub(super) in_packets: bool,
    /// The occupancy from which on victims leave, in the unit of the size, if `congestion` is a tail drop; otherwise 0.
    pub(super) tail: u64,
    /// The occupancy below which nothing has to be done, in the unit of the size.
    end: u64,
    /// Nothing has to be done for an arrival if there are fewer packets than this, without those that are held, …
    pub(super) count_below: u64,
    /// … and the packet leaves fewer bytes than this.
    pub(super) bytes_below: u64,
}

impl Limits {
    /// Computes the limits of a size, under a `congestion`.
    pub(super) fn new(size: BufferSize, congestion: &Program) -> Self {
        let (in_packets, size) = match size {
            BufferSize::Packets(size) => (true, size),
            BufferSize::Bytes(size) => (false, size),
        };
        let tail = match congestion {
            Program::Tail(tail) => *tail,
            Program::Cases(_) => 0,
        };
        let end = size.saturating_add(1).min(tail);
        let mut new = Self { held: Occupancy::default(), size, in_packets, tail, end, count_below: 0, bytes_below: 0 };
        new.hold(Occupancy::default());
        new
    }

    /// Counts `held` as present, instead of the previous value.
    pub(super) fn hold(&mut self, held: Occupancy) {
        self.held = held;
        let below = |held: u64| self.end.saturating_sub(held);
        (self.count_below, self.bytes_below) = if self.in_packets {
            (below(held.packets).saturating_sub(1), u64::MAX)
        } else {
            (u64::MAX, below(held.bytes))
        };
    }

    /// Whether one more packet of `bytes` bytes can enter without any action.
    #[inline(always)]
    pub(super) fn fits<H: Shape>(&self, there: Occupancy, bytes: u32) -> bool {
        there.packets < self.count_below && (!H::BYTES || there.bytes + u64::from(bytes) < self.bytes_below)
    }

    /// Whether a tail drop acts on one more packet of `bytes` bytes, and stops if that packet is dropped.
    #[inline(always)]
    pub(super) fn only_newest_leaves(&self, there: Occupancy, bytes: u32) -> bool {
        let used = self.used(there);
        used < self.tail && used + self.cost(bytes) >= self.tail
    }

    /// Returns what a packet adds to `currSize`.
    #[inline(always)]
    pub(super) fn cost(&self, bytes: u32) -> u64 {
        if self.in_packets { 1 } else { bytes.into() }
    }

    /// Returns the occupancy that is held, in the unit of the size.
    #[inline(always)]
    pub(super) fn held(&self) -> u64 {
        if self.in_packets { self.held.packets } else { self.held.bytes }
    }

    /// Returns `currSize` for this occupancy.
    #[inline(always)]
    pub(super) fn used(&self, there: Occupancy) -> u64 {
        if self.in_packets { there.packets + self.held.packets } else { there.bytes + self.held.bytes }
    }
}
