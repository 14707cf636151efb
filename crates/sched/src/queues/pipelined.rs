//! A queue behind a pipeline: one dequeue may be issued in each step, and its answer arrives a fixed number of steps later.
//!
//! A deeply pipelined hardware queue behaves like this. Operations take effect in the order in which they are issued; an element that a
//! dequeue has extracted is in flight until its answer arrives. Source: BBQ (NSDI'24), sections 4 and 5 and appendix C.

use crate::queues::traits::{PushError, RankQueue};
use std::collections::VecDeque;

/// A queue of any type, with delayed answers to dequeues.
#[derive(Debug)]
pub struct Pipelined<T, Q> {
    queue: Q,
    /// The stages, one per step of latency, oldest first. An empty stage is a step without a dequeue, or a dequeue that found no item.
    stages: VecDeque<Option<(u64, T)>>,
    in_flight: usize,
}

impl<T, Q: RankQueue<T>> Pipelined<T, Q> {
    /// Puts `queue` behind `latency` stages.
    ///
    /// # Panics
    /// If the latency is zero.
    #[must_use]
    pub fn new(queue: Q, latency: usize) -> Self {
        assert!(latency > 0, "an answer takes at least one step");
        Self { queue, stages: (0..latency).map(|_| None).collect(), in_flight: 0 }
    }

    /// Enqueues an item.
    ///
    /// # Errors
    /// As the queue itself.
    pub fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        self.queue.push(rank, item)
    }

    /// Performs one step, in which a dequeue is issued if `dequeue` is set. Returns the item of the dequeue that was issued `latency` steps
    /// before, if that dequeue extracted an item.
    pub fn step(&mut self, dequeue: bool) -> Option<(u64, T)> {
        let taken = if dequeue { self.queue.pop_min() } else { None };
        self.in_flight += usize::from(taken.is_some());
        self.stages.push_back(taken);
        let answer = self.stages.pop_front().flatten();
        self.in_flight -= usize::from(answer.is_some());
        answer
    }

    /// Returns the items whose dequeue has been issued and not been answered, first answer first.
    pub fn in_flight(&self) -> impl Iterator<Item = (u64, &T)> {
        self.stages.iter().flatten().map(|(rank, item)| (*rank, item))
    }

    /// The queue itself, without the items in flight.
    #[must_use]
    pub fn queue(&self) -> &Q {
        &self.queue
    }

    /// The number of items, including items in flight.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queue.len() + self.in_flight
    }

    /// Whether there are no items, neither queued nor in flight.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::queue::pifo::Pifo;

    #[test]
    fn dequeues_take_effect_when_issued_and_are_answered_later() {
        let mut queue = Pipelined::new(Pifo::new(4), 2);
        queue.push(5, 'a').unwrap();
        assert_eq!(queue.step(true), None);
        queue.push(1, 'b').unwrap();
        assert_eq!((queue.len(), queue.in_flight().count()), (2, 1));
        assert_eq!(queue.step(true), None);
        assert_eq!(queue.step(true), Some((5, 'a')), "a better item came after its dequeue");
        assert_eq!(queue.step(false), Some((1, 'b')));
        assert_eq!(queue.step(false), None, "the third dequeue found nothing");
        assert!(queue.is_empty());
    }
}
