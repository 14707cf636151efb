//! The best bounds of strict-priority queues for a known distribution of ranks: the mapping of least unpifoness, by dynamic programming.
//!
//! The best k queues for the first j ranks are the best k - 1 queues for the first i ranks and one queue for the rest, for some i. The
//! unpifoness of a queue is a sum of terms over pairs of its ranks, none negative. Let a <= b <= c <= d. Two queues [a, c) and [b, d) have
//! no more unpifoness than [a, d) and [b, c): they lack the pairs between [a, b) and [c, d). From this quadrangle inequality follows that
//! the best i does not fall when j rises. Divide and conquer therefore finds all of them in O(queues x ranks x log ranks). Memory is 8
//! bytes for each queue and rank, and 80 for each rank. Only ranks that occur are counted.
//!
//! SP-PIFO (NSDI'20, section 3) calls the optimum intractable, since the distribution is unknown. In a study it is known, and the optimum
//! is the yardstick for bounds that are learnt. It is the optimum of unpifoness, which assumes that any two packets are equally likely to
//! meet in a queue. At a real port more packets wait in the queues of low priority, so other bounds may cause fewer inversions there.

use crate::queues::unpifoness::Histogram;
use std::ops::Range;

/// Returns the bounds of least unpifoness for `queues` queues: the lowest rank of each queue, from
/// 0. If there are more queues than ranks that occur, the last bound is repeated, and the queues between the repeated bounds stay empty.
///
/// ```
/// use forebay_sched::queues::{optimal_bounds, unpifoness::Histogram};
/// let uniform = Histogram::of_counts((0..=100).map(|rank| (rank, 1)));
/// let bounds = optimal_bounds(&uniform, 8);
/// assert_eq!(uniform.unpifoness(&bounds), 2_678);
/// ```
///
/// # Panics
/// If there are no queues.
#[must_use]
pub fn optimal_bounds(distribution: &Histogram, queues: usize) -> Vec<u64> {
    assert!(queues > 0, "there must be at least one queue");
    let ranks = distribution.ranks();
    // least[j]: the least unpifoness of the first j ranks with the queues so far.
    let mut least: Vec<u128> = (0..=ranks.len()).map(|end| distribution.unpifoness_of(0, end)).collect();
    let mut last_queue_starts = Vec::new();
    for _ in 1..queues.min(ranks.len()) {
        let mut layer =
            Layer { distribution, without: &least, least: vec![0; least.len()], starts: vec![0; least.len()] };
        layer.fill(0..least.len(), 0..least.len());
        let Layer { least: with, starts, .. } = layer;
        least = with;
        last_queue_starts.push(starts);
    }
    let mut bounds = vec![0; queues];
    let mut end = ranks.len();
    for (queue, starts) in last_queue_starts.iter().enumerate().rev() {
        end = starts[end];
        bounds[queue + 1] = ranks[end];
    }
    let highest = bounds[last_queue_starts.len()];
    bounds[last_queue_starts.len()..].fill(highest);
    bounds
}

/// A step of the programme: one more queue.
struct Layer<'a> {
    distribution: &'a Histogram,
    /// For each number of ranks, the least unpifoness without this queue.
    without: &'a [u128],
    /// The least unpifoness with this queue.
    least: Vec<u128>,
    /// The rank at which this queue then starts.
    starts: Vec<usize>,
}

impl Layer<'_> {
    /// Fills in `ends`, given that the queue starts within `starts` for all of them.
    fn fill(&mut self, ends: Range<usize>, starts: Range<usize>) {
        if ends.is_empty() {
            return;
        }
        let middle = ends.start + ends.len() / 2;
        let candidates = starts.start..starts.end.min(middle + 1);
        let best = candidates.map(|start| (self.with(start, middle), start)).min().unwrap_or((0, middle));
        (self.least[middle], self.starts[middle]) = best;
        self.fill(ends.start..middle, starts.start..best.1 + 1);
        self.fill(middle + 1..ends.end, best.1..starts.end);
    }

    /// The least unpifoness of the ranks before `end` if the queue starts at `start`.
    fn with(&self, start: usize, end: usize) -> u128 {
        self.without[start] + self.distribution.unpifoness_of(start, end)
    }
}
