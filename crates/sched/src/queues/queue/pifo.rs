//! PIFO: push-in first-out, the exact queue for any rank.
//!
//! The abstraction of Sivaraman et al. (SIGCOMM'16), here with both ends open: a full buffer can push out its worst packet. The order is by
//! rank, then by arrival.
//!
//! Cost: O(log n) per operation, 24 bytes plus the item per entry. Where ranks are
//! bounded, `hffs` gives the same answers in constant time.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::keyed_slab::{Key, KeyedSlab};
use crate::queues::min_max_heap::MinMaxHeap;
use crate::queues::traits::{PopMax, PushError, RankQueue};
use forebay_core::{About, Exactness};

/// The registry's entry for [`Pifo`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "pifo",
        title: "Push-in first-out: exact for any 64-bit rank, both ends open",
        exactness: Exactness::Exact,
        hardware: "a sorting block; as a shift register about a thousand entries",
        cost: "O(log n) per operation; 24 bytes plus the packet per entry",
        source: "Sivaraman et al.: Programmable packet scheduling at line rate, SIGCOMM'16",
        params: &[],
    },
    build: |size, _| Ok(BuiltQueue::DoubleEnded(Box::new(Pifo::new(size.packets)))),
};

/// An exact double-ended rank queue.
#[derive(Debug)]
pub struct Pifo<T> {
    heap: MinMaxHeap<Key>,
    items: KeyedSlab<T>,
}

impl<T> Pifo<T> {
    /// An empty queue for `capacity` items.
    ///
    /// # Panics
    /// If `capacity` does not fit 32 bits.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { heap: MinMaxHeap::with_capacity(0), items: KeyedSlab::new(capacity) }
    }
}

impl<T> RankQueue<T> for Pifo<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        self.heap.push(self.items.insert(rank, item)?);
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        self.items.take(self.heap.pop_min()?)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.items.get(*self.heap.peek_min()?)
    }

    fn len(&self) -> usize {
        self.heap.len()
    }

    fn capacity(&self) -> usize {
        self.items.capacity()
    }
}

impl<T> PopMax<T> for Pifo<T> {
    fn pop_max(&mut self) -> Option<(u64, T)> {
        self.items.take(self.heap.pop_max()?)
    }

    fn peek_max(&self) -> Option<(u64, &T)> {
        self.items.get(*self.heap.peek_max()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_any_size_are_sorted_and_equals_keep_their_order() {
        let mut queue = Pifo::new(4);
        for (rank, item) in [(u64::MAX, 'a'), (0, 'b'), (u64::MAX, 'c'), (0, 'd')] {
            queue.push(rank, item).unwrap();
        }
        assert_eq!(queue.push(1, 'e'), Err(PushError::full('e')));
        assert_eq!(queue.pop_max(), Some((u64::MAX, 'c')));
        assert_eq!(queue.pop_min(), Some((0, 'b')));
        assert_eq!(queue.pop_min(), Some((0, 'd')));
        assert_eq!(queue.pop_min(), Some((u64::MAX, 'a')));
    }
}
