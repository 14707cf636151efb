//! The last W ranks, sorted, to find the share of recent packets with a lower rank than a given one.

use std::collections::VecDeque;

/// A sliding window over ranks.
#[derive(Debug)]
pub(crate) struct RankWindow {
    in_order_of_arrival: VecDeque<u64>,
    sorted: Vec<u64>,
    size: usize,
}

impl RankWindow {
    /// An empty window for the last `size` ranks.
    pub(crate) fn new(size: usize) -> Self {
        assert!(size > 0, "a window holds at least one rank");
        Self { in_order_of_arrival: VecDeque::with_capacity(size), sorted: Vec::with_capacity(size), size }
    }

    /// Adds a rank; the oldest rank leaves the window if it is full.
    pub(crate) fn push(&mut self, rank: u64) {
        if self.in_order_of_arrival.len() == self.size
            && let Some(oldest) = self.in_order_of_arrival.pop_front()
        {
            let place = self.sorted.partition_point(|&seen| seen < oldest);
            self.sorted.remove(place);
        }
        self.in_order_of_arrival.push_back(rank);
        let place = self.sorted.partition_point(|&seen| seen < rank);
        self.sorted.insert(place, rank);
    }

    /// The share of the window below `rank`; 0 if it is empty.
    pub(crate) fn share_below(&self, rank: u64) -> f64 {
        if self.sorted.is_empty() {
            return 0.0;
        }
        self.sorted.partition_point(|&seen| seen < rank) as f64 / self.sorted.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_last_ranks() {
        let mut window = RankWindow::new(3);
        assert_eq!(window.share_below(5), 0.0);
        let mut all = Vec::new();
        for rank in [5, 5, 9, 1, 0, 7, 7, 7, 2] {
            window.push(rank);
            all.push(rank);
            let last = &all[all.len().saturating_sub(3)..];
            for probe in 0..11 {
                let below = last.iter().filter(|&&rank| rank < probe).count();
                assert_eq!(window.share_below(probe), below as f64 / last.len() as f64);
            }
        }
    }
}
