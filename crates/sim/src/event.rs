//! The event queue, which returns the next event.
//!
//! Events fire in order of time; events of the same time fire in the order in which they were scheduled. So a run has the same course on
//! every machine.

use forebay_core::Time;

/// The pending events.
///
/// A heap with four children per node: half as deep as a binary one, and the
/// children of a node lie in one or two cache lines.
#[derive(Debug, Clone)]
pub struct EventQueue<E> {
    heap: Vec<Scheduled<E>>,
    scheduled: u64,
}

#[derive(Debug, Clone, Copy)]
struct Scheduled<E> {
    time: Time,
    order: u64,
    event: E,
}

impl<E> Scheduled<E> {
    fn key(&self) -> (Time, u64) {
        (self.time, self.order)
    }
}

const CHILDREN: usize = 4;

impl<E: Copy> EventQueue<E> {
    /// Creates an empty queue with room for `capacity` events; more events need another allocation.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { heap: Vec::with_capacity(capacity), scheduled: 0 }
    }

    /// Schedules `event` at `time`.
    #[inline]
    pub fn schedule(&mut self, time: Time, event: E) {
        let new = Scheduled { time, order: self.scheduled, event };
        self.scheduled += 1;
        let mut hole = self.heap.len();
        self.heap.push(new);
        while hole > 0 {
            let parent = (hole - 1) / CHILDREN;
            if self.heap[parent].key() <= new.key() {
                break;
            }
            self.heap[hole] = self.heap[parent];
            hole = parent;
        }
        self.heap[hole] = new;
    }

    /// The time of the next event.
    #[must_use]
    pub fn peek_time(&self) -> Option<Time> {
        self.heap.first().map(|next| next.time)
    }

    /// Removes and returns the next event.
    #[inline]
    pub fn pop(&mut self) -> Option<(Time, E)> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else {
            return Some((last.time, last.event));
        };
        let mut hole = 0;
        loop {
            let children = CHILDREN * hole + 1..(CHILDREN * hole + 1 + CHILDREN).min(self.heap.len());
            let mut least = hole;
            let mut least_key = last.key();
            for child in children {
                let key = self.heap[child].key();
                if key < least_key {
                    (least, least_key) = (child, key);
                }
            }
            if least == hole {
                break;
            }
            self.heap[hole] = self.heap[least];
            hole = least;
        }
        self.heap[hole] = last;
        Some((first.time, first.event))
    }

    /// The number of pending events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether there are no pending events.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    #[test]
    fn events_of_one_time_keep_their_order() {
        let mut events = EventQueue::with_capacity(0);
        for name in 'a'..='z' {
            events.schedule(Time::from_ns(1), name);
        }
        events.schedule(Time::ZERO, '0');
        let order: String = std::iter::from_fn(|| events.pop()).map(|(_, name)| name).collect();
        assert_eq!(order, "0abcdefghijklmnopqrstuvwxyz");
    }

    #[test]
    fn random_events_come_out_as_a_stable_sort_has_them() {
        let mut rng = Seed(1).stream("events");
        let mut events = EventQueue::with_capacity(0);
        let mut expected: Vec<(Time, u32)> = Vec::new();
        for index in 0..10_000 {
            if rng.random_range(0..3) > 0 || expected.is_empty() {
                let time = Time::from_ps(rng.random_range(0..500));
                events.schedule(time, index);
                expected.push((time, index));
            } else {
                let first = (0..expected.len()).min_by_key(|&at| expected[at].0).unwrap();
                assert_eq!(events.pop(), Some(expected.remove(first)));
            }
            assert_eq!(events.len(), expected.len());
        }
    }
}
