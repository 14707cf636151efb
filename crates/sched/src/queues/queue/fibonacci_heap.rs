//! Fibonacci heap: the textbook's answer to cheap inserts, and a queue that an attacker can slow down.
//!
//! A push costs next to nothing, since it leaves the work of sorting to the next pop. A pop costs O(log n) amortised, and O(n) at worst.
//! Only the first item can be removed, so a full buffer can only drop arriving packets. SurgeProtector measures the benefit of that for an
//! attacker (section 3.6.3).
//!
//! Choices: the key is rank, then arrival, so that equal ranks leave in order of arrival.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::fibonacci::FibonacciHeap as Heap;
use crate::queues::slab::Slab;
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::{About, Exactness};

/// The registry's entry for [`FibonacciHeap`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "fibonacci-heap",
        title: "Fibonacci heap: exact for any rank, cheap to push, expensive to pop",
        exactness: Exactness::Exact,
        hardware: "none: software only",
        cost: "push O(1), pop O(log n) amortised and O(n) at worst; 48 bytes plus the packet per entry",
        source: "Fredman and Tarjan: JACM 1987; SurgeProtector (thesis), section 3.6.3",
        params: &[],
    },
    build: |size, _| Ok(BuiltQueue::SingleEnded(Box::new(FibonacciHeap::new(size.packets)))),
};

/// Items in a Fibonacci heap.
#[derive(Debug)]
pub struct FibonacciHeap<T> {
    heap: Heap<(u64, u64)>,
    items: Slab<(u64, T)>,
    arrivals: u64,
}

impl<T> FibonacciHeap<T> {
    /// An empty heap for `capacity` items.
    ///
    /// # Panics
    /// If `capacity` is 2^32 - 1 or more.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { heap: Heap::new(capacity), items: Slab::new(capacity), arrivals: 0 }
    }
}

impl<T> RankQueue<T> for FibonacciHeap<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let slot = self.items.insert((rank, item)).map_err(|(_, item)| PushError::full(item))?;
        self.heap.insert(slot, (rank, self.arrivals));
        self.arrivals += 1;
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let slot = self.heap.first()?;
        self.heap.remove(slot);
        self.items.take(slot)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.items.get(self.heap.first()?).map(|(rank, item)| (*rank, item))
    }

    fn len(&self) -> usize {
        self.items.len()
    }

    fn capacity(&self) -> usize {
        self.items.capacity()
    }
}
