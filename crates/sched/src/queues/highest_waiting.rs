//! The highest rank in a FIFO queue, kept up to date as packets enter and leave.

use std::collections::VecDeque;

/// The highest rank in a FIFO queue, stored as the ranks that no later rank exceeds, in order of arrival.
#[derive(Debug, Default)]
pub(crate) struct HighestWaiting(VecDeque<u64>);

impl HighestWaiting {
    /// Adds the rank of a packet that enters.
    pub(crate) fn push(&mut self, rank: u64) {
        while self.0.pop_back_if(|last| *last < rank).is_some() {}
        self.0.push_back(rank);
    }

    /// Removes the rank of the first packet, which leaves.
    pub(crate) fn pop(&mut self, rank: u64) {
        self.0.pop_front_if(|first| *first == rank);
    }

    /// The highest rank, if a packet waits.
    pub(crate) fn get(&self) -> Option<u64> {
        self.0.front().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_rank_is_that_of_the_packets_that_wait() {
        let mut rng = forebay_core::Seed(1).stream("highest");
        let mut highest = HighestWaiting::default();
        let mut waiting = VecDeque::new();
        for _ in 0..20_000 {
            let rank = rand::RngExt::random_range(&mut rng, 0..20);
            if rand::RngExt::random_bool(&mut rng, 0.5) {
                highest.push(rank);
                waiting.push_back(rank);
            } else if let Some(rank) = waiting.pop_front() {
                highest.pop(rank);
            }
            assert_eq!(highest.get(), waiting.iter().copied().max());
        }
    }
}
