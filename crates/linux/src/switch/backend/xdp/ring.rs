//! A ring that is shared with the kernel: one side adds entries, the other removes them.
//!
//! Each side has a count of 32 bits that grows and wraps. The lowest bits of a count are the index of its slot. An entry is written before
//! the producer's count is stored with release, and read after that count was loaded with acquire. The consumer's count gives entries back
//! in the same way.
#![expect(unsafe_code, reason = "the ring is memory that is shared with the kernel")]

use crate::switch::mapping::Mapping;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The kernel's `xdp_ring_offset`: the offsets of the parts in the memory of a ring.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(super) struct Offsets {
    pub(super) producer: u64,
    pub(super) consumer: u64,
    pub(super) entries: u64,
    pub(super) flags: u64,
}

/// One side of a ring. In a test, the other side may share the same memory.
pub(super) struct Ring<T> {
    memory: Arc<Mapping>,
    producer: usize,
    consumer: usize,
    entries: usize,
    /// The number of slots, a power of two.
    room: u32,
    of: PhantomData<T>,
}

impl<T: Copy> Ring<T> {
    /// Returns the size of a ring in bytes, up to its last entry.
    pub(super) fn bytes(offsets: Offsets, room: u32) -> usize {
        number(offsets.entries).saturating_add(room as usize * size_of::<T>())
    }

    /// Creates the ring in `memory`, with `room` slots, a power of two. Every byte of `T` may have any value.
    pub(super) fn new(memory: Arc<Mapping>, offsets: Offsets, room: u32) -> Self {
        assert!(room.is_power_of_two(), "a ring has room for a power of two");
        let [producer, consumer, entries] = [offsets.producer, offsets.consumer, offsets.entries].map(number);
        Self { memory, producer, consumer, entries, room, of: PhantomData }
    }

    fn produced(&self) -> &AtomicU32 {
        self.memory.atomic(self.producer)
    }

    fn consumed(&self) -> &AtomicU32 {
        self.memory.atomic(self.consumer)
    }

    fn entry(&self, count: u32) -> *mut T {
        let place = (count % self.room) as usize;
        self.memory.place(self.entries + place * size_of::<T>(), size_of::<T>()).as_ptr()
    }

    /// Adds an entry. Returns whether there was room.
    pub(super) fn push(&mut self, entry: T) -> bool {
        let count = self.produced().load(Ordering::Relaxed);
        if count.wrapping_sub(self.consumed().load(Ordering::Acquire)) >= self.room {
            return false;
        }
        // SAFETY: the place is within the mapping, and this entry is ours until it is counted as produced.
        unsafe { self.entry(count).write(entry) };
        self.produced().store(count.wrapping_add(1), Ordering::Release);
        true
    }

    /// Whether entries remain that the other side has not removed.
    pub(super) fn has_entries(&self) -> bool {
        self.produced().load(Ordering::Relaxed) != self.consumed().load(Ordering::Acquire)
    }

    /// Changes the entries that the other side has not removed. The other side must not remove any meanwhile.
    pub(super) fn change(&mut self, mut change: impl FnMut(&mut T)) {
        let (begin, end) = (self.consumed().load(Ordering::Acquire), self.produced().load(Ordering::Relaxed));
        for number in 0..end.wrapping_sub(begin).min(self.room) {
            // SAFETY: the place is within the mapping, was written by `push`, and the other side does not look at it now.
            change(unsafe { &mut *self.entry(begin.wrapping_add(number)) });
        }
    }

    /// Removes and returns the next entry.
    pub(super) fn pop(&mut self) -> Option<T> {
        let count = self.consumed().load(Ordering::Relaxed);
        if count == self.produced().load(Ordering::Acquire) {
            return None;
        }
        // SAFETY: the place is within the mapping, and the other side has counted this entry as produced, so it is ours until it is
        // counted as consumed.
        let entry = unsafe { self.entry(count).read() };
        self.consumed().store(count.wrapping_add(1), Ordering::Release);
        Some(entry)
    }
}

/// Converts a 64-bit offset of the kernel. An offset that does not fit is outside of every mapping.
fn number(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
