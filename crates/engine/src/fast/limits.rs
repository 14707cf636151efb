//! How much may be in a queue or a buffer, ready to be compared.

use super::program::Program;
use super::shape::Shape;
use crate::traits::Occupancy;
use forebay_core::BufferSize;

/// How much may be in a queue or a buffer.
#[derive(Debug)]
pub(super) struct Limits {
    /// What counts without being there.
    pub(super) held: Occupancy,
    /// In its unit; more is never kept.
    pub(super) size: u64,
    pub(super) in_packets: bool,
    /// In its unit; from here on victims leave, if `congestion` is a tail drop; 0, if it is more.
    pub(super) tail: u64,
    /// In its unit; below this nothing has to be done.
    end: u64,
    /// Nothing has to be done for a packet that arrives at fewer than this many, not counting what is held …
    pub(super) count_below: u64,
    /// … and makes them fewer than so many bytes.
    pub(super) bytes_below: u64,
}

impl Limits {
    /// The limits of a size, under a `congestion`.
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

    /// Counts this as being there, instead of what was held before.
    pub(super) fn hold(&mut self, held: Occupancy) {
        self.held = held;
        let below = |held: u64| self.end.saturating_sub(held);
        (self.count_below, self.bytes_below) = if self.in_packets {
            (below(held.packets).saturating_sub(1), u64::MAX)
        } else {
            (u64::MAX, below(held.bytes))
        };
    }

    /// Whether one more packet of so many bytes can enter without anything being done.
    #[inline(always)]
    pub(super) fn fits<H: Shape>(&self, there: Occupancy, bytes: u32) -> bool {
        there.packets < self.count_below && (!H::BYTES || there.bytes + u64::from(bytes) < self.bytes_below)
    }

    /// Whether a tail drop acts on one more packet of so many bytes, and stops if that is dropped.
    #[inline(always)]
    pub(super) fn only_newest_leaves(&self, there: Occupancy, bytes: u32) -> bool {
        let used = self.used(there);
        used < self.tail && used + self.cost(bytes) >= self.tail
    }

    /// What a packet adds to `currSize`.
    #[inline(always)]
    pub(super) fn cost(&self, bytes: u32) -> u64 {
        if self.in_packets { 1 } else { bytes.into() }
    }

    /// What is held, in its unit.
    #[inline(always)]
    pub(super) fn held(&self) -> u64 {
        if self.in_packets { self.held.packets } else { self.held.bytes }
    }

    /// `currSize`, if this is there.
    #[inline(always)]
    pub(super) fn used(&self, there: Occupancy) -> u64 {
        if self.in_packets { there.packets + self.held.packets } else { there.bytes + self.held.bytes }
    }
}
