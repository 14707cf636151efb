//! A pair of Fibonacci heaps: a double-ended queue in which every operation costs twice as much as in one heap.
//!
//! Each item is in a heap with the lowest rank first and in a heap with the highest rank first. An item that is popped from one heap is
//! removed from the middle of the other heap. This is the double-ended queue that SurgeProtector compares HFFS with (section 3.6.3). A pop
//! costs O(log n) amortised at either end.
//!
//! Choices: the key is rank, then arrival, so that equal ranks leave in order of arrival, and in reverse order from the upper end.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::fibonacci::FibonacciHeap as Heap;
use crate::queues::slab::Slab;
use crate::queues::traits::{Handle, PopMax, PushError, RankQueue, Remove};
use forebay_core::{About, Exactness};
use std::cmp::Reverse;

/// The registry's entry for [`FibonacciPair`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "fibonacci-pair",
        title: "Two Fibonacci heaps, one for each end: exact for any rank",
        exactness: Exactness::Exact,
        hardware: "none: software only",
        cost: "push O(1), pop at either end O(log n) amortised and O(n) at worst; 96 bytes plus the packet per entry",
        source: "SurgeProtector (thesis), section 3.6.3",
        params: &[],
    },
    build: |size, _| Ok(BuiltQueue::DoubleEnded(Box::new(FibonacciPair::new(size.packets)))),
};

/// Items in two Fibonacci heaps.
#[derive(Debug)]
pub struct FibonacciPair<T> {
    lowest: Heap<(u64, u64)>,
    highest: Heap<Reverse<(u64, u64)>>,
    items: Slab<(u64, T)>,
    arrivals: u64,
}

impl<T> FibonacciPair<T> {
    /// An empty pair for `capacity` items.
    ///
    /// # Panics
    /// If `capacity` is 2^32 - 1 or more.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { lowest: Heap::new(capacity), highest: Heap::new(capacity), items: Slab::new(capacity), arrivals: 0 }
    }

    fn put(&mut self, rank: u64, item: T) -> Result<u32, PushError<T>> {
        let slot = self.items.insert((rank, item)).map_err(|(_, item)| PushError::full(item))?;
        let key = (rank, self.arrivals);
        self.arrivals += 1;
        self.lowest.insert(slot, key);
        self.highest.insert(slot, Reverse(key));
        Ok(slot)
    }

    fn take(&mut self, slot: u32) -> Option<(u64, T)> {
        self.lowest.remove(slot);
        self.highest.remove(slot);
        self.items.take(slot)
    }

    fn look(&self, slot: Option<u32>) -> Option<(u64, &T)> {
        self.items.get(slot?).map(|(rank, item)| (*rank, item))
    }
}

impl<T> RankQueue<T> for FibonacciPair<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        self.put(rank, item).map(|_| ())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let slot = self.lowest.first()?;
        self.take(slot)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.look(self.lowest.first())
    }

    fn len(&self) -> usize {
        self.items.len()
    }

    fn capacity(&self) -> usize {
        self.items.capacity()
    }

    fn as_remove_mut(&mut self) -> Option<&mut dyn Remove<T>> {
        Some(self)
    }
}

impl<T> PopMax<T> for FibonacciPair<T> {
    fn pop_max(&mut self) -> Option<(u64, T)> {
        let slot = self.highest.first()?;
        self.take(slot)
    }

    fn peek_max(&self) -> Option<(u64, &T)> {
        self.look(self.highest.first())
    }
}

impl<T> Remove<T> for FibonacciPair<T> {
    fn insert(&mut self, rank: u64, item: T) -> Result<Handle, PushError<T>> {
        self.put(rank, item).map(|slot| self.items.handle(slot))
    }

    fn remove(&mut self, handle: Handle) -> Option<(u64, T)> {
        self.items.find(handle)?;
        self.take(handle.slot)
    }
}
