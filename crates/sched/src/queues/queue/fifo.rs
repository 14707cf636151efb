//! FIFO: first in, first out, whatever the rank.
//!
//! The baseline of every comparison. The queue accepts any rank and ignores it. So with ranks that differ from the order of arrival, it has
//! the most inversions of all queues.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::{About, Exactness};
use std::collections::VecDeque;

/// The registry's entry for [`Fifo`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "fifo",
        title: "First in, first out; ranks are ignored",
        exactness: Exactness::IgnoresRanks,
        hardware: "one queue; every device has it",
        cost: "O(1) per operation; one slot per packet",
        source: "common practice",
        params: &[],
    },
    build: |size, _| Ok(BuiltQueue::SingleEnded(Box::new(Fifo::new(size.packets)))),
};

/// A ring of items in order of arrival.
#[derive(Debug)]
pub struct Fifo<T> {
    ring: VecDeque<(u64, T)>,
    capacity: usize,
}

impl<T> Fifo<T> {
    /// An empty queue for `capacity` items.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { ring: VecDeque::new(), capacity }
    }
}

impl<T> RankQueue<T> for Fifo<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        if self.ring.len() == self.capacity {
            return Err(PushError::full(item));
        }
        self.ring.push_back((rank, item));
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let item = self.ring.pop_front();
        if self.ring.is_empty() {
            // So that a queue that is mostly short stays in the same few cache lines of a long ring.
            self.ring.clear();
        }
        item
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.ring.front().map(|(rank, item)| (*rank, item))
    }

    fn len(&self) -> usize {
        self.ring.len()
    }

    fn capacity(&self) -> usize {
        self.capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_leave_in_order_of_arrival_whatever_their_rank() {
        let mut queue = Fifo::new(2);
        queue.push(9, 'a').unwrap();
        queue.push(1, 'b').unwrap();
        assert_eq!(queue.push(0, 'c'), Err(PushError::full('c')));
        assert_eq!(queue.pop_min(), Some((9, 'a')));
        assert_eq!(queue.pop_min(), Some((1, 'b')));
        assert_eq!(queue.pop_min(), None);
    }
}
