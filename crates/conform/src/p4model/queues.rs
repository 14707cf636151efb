//! Strict-priority FIFO queues of a port, as switches have them.

use std::collections::VecDeque;

/// The queues of a port; number 0 is served first.
#[derive(Debug)]
pub struct Queues<T> {
    queues: Vec<VecDeque<T>>,
    capacities: Vec<usize>,
}

impl<T> Queues<T> {
    /// Creates empty queues with these capacities in packets.
    #[must_use]
    pub fn new(capacities: Vec<usize>) -> Self {
        Self { queues: capacities.iter().map(|_| VecDeque::new()).collect(), capacities }
    }

    /// Enqueues an item. Returns whether there was room.
    ///
    /// # Panics
    /// If there is no such queue.
    pub fn push(&mut self, queue: usize, item: T) -> bool {
        let has_room = self.queues[queue].len() < self.capacities[queue];
        if has_room {
            self.queues[queue].push_back(item);
        }
        has_room
    }

    /// Removes and returns the packet that departs next.
    pub fn pop(&mut self) -> Option<T> {
        self.queues.iter_mut().find_map(VecDeque::pop_front)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_queues_refuse_and_the_first_is_served_first() {
        let mut queues = Queues::new(vec![1, 2]);
        assert_eq!(
            [(1, 'a'), (0, 'b'), (0, 'c'), (1, 'd'), (1, 'e')].map(|(queue, item)| queues.push(queue, item)),
            [true, true, false, true, false]
        );
        assert_eq!([(); 4].map(|()| queues.pop()), [Some('b'), Some('a'), Some('d'), None]);
    }
}
