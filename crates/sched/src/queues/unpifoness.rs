//! Unpifoness: how badly a few strict-priority queues sort a known distribution
//! of ranks, and the gradient algorithm that lowers it.
//!
//! A mapping is a list of bounds, the lowest rank of each queue; ranks below the first bound enter the first queue. Two packets of one
//! queue may leave in the wrong order, but two packets of different queues may not. So the unpifoness of a mapping is the sum, over all
//! queues and all pairs of ranks r < r' in one queue, of `p(r) x p(r') x cost(r', r)`. The cost of an inversion is `r' - r`, or with
//! [`Cost::Constant`] always 1. Source: SP-PIFO (NSDI'20), section 3 and appendix A.
//!
//! The paper's equations 9 and 10, written out for the distance of ranks, give the following. Let `mean` be the mean rank of the packets in
//! the two queues that meet at a bound `q`. A step up changes the risk by `p(q) x packets x (q - mean)`, a step down by `p(q - 1) x packets
//! x (mean - (q - 1))`. A bound is at rest when it lies from `mean` to `mean + 1`. The two directions never both lower the risk. So the
//! gradient algorithm is Lloyd's algorithm: every bound moves to the mean of its two queues.
//!
//! With the constant cost, let `before` and `own` be the packets in these two queues. A step up changes the risk by
//! `p(q) x (before - (own - packets of rank q))`, a step down by `p(q - 1) x (own - (before - packets of rank q - 1))`. So every
//! bound moves to the median of its two queues.
//!
//! Where the text of the paper and its Algorithm 2 differ, this code follows the text: a bound moves only if that lowers the risk.
//! (Algorithm 2 also moves a bound up if the risk stays equal, so a bound would run away over ranks without packets.) Across ranks without
//! packets, a bound moves on towards the mean if the risk falls beyond them. The first bound never moves, since there is no queue before
//! it.
//!
//! Bounds at rest need not be optimal. The paper calls the algorithm optimal for a stable distribution, but its Theorem 2 is about moving
//! one bound alone; moving two bounds can still lower the unpifoness. See [`optimal_bounds`](crate::queues::optimal_bounds()) for the
//! optimum, and `tests/learnt_bounds.rs` for the share of cases in which the two agree.
//!
//! ```
//! use forebay_sched::queues::unpifoness::{Histogram, step};
//! let window = Histogram::of_ranks(&mut [1, 1, 2, 3, 4, 4, 5]);
//! let mut bounds = [1, 4];
//! let mut course = vec![window.unpifoness(&bounds)];
//! while step(&mut bounds, &window) > 0 {
//!     course.push(window.unpifoness(&bounds));
//! }
//! assert_eq!(course, [9, 8]); // in units of 1/49
//! ```

use std::ops::Range;

pub use crate::queues::gradient_steps::{converge, step, step_to_next};
pub use crate::queues::inversion_cost::Cost;

/// The number of packets of each rank. All sums over a histogram are exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    /// The ranks that occur, rising.
    ranks: Vec<u64>,
    /// For each i, the sums over the ranks before index i; one entry longer than `ranks`.
    before: Vec<Sums>,
    cost: Cost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Sums {
    packets: u64,
    ranks: u128,
    /// The sum of the distances of the two ranks, over all pairs of packets.
    distances: u128,
    /// The number of pairs of packets with different ranks.
    pairs: u64,
}

/// The changes of the unpifoness that a step of one bound would cause; `None` where the step is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RiskChange {
    /// The change if the bound rises by one (equation 9).
    pub up: Option<i128>,
    /// The change if the bound falls by one (equation 10).
    pub down: Option<i128>,
}

impl Histogram {
    /// The most packets in a histogram, so that no sum over its ranks overflows.
    pub const MAX_PACKETS: u64 = 1 << 31;

    /// Creates a histogram from pairs of rank and number of packets, in any order.
    ///
    /// # Panics
    /// If there are more than [`MAX_PACKETS`](Self::MAX_PACKETS).
    #[must_use]
    pub fn of_counts(counts: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut counts: Vec<(u64, u64)> = counts.into_iter().filter(|(_, packets)| *packets > 0).collect();
        counts.sort_unstable();
        let mut histogram = Self::with_room_for(counts.len());
        for (rank, packets) in counts {
            histogram.append(rank, packets);
        }
        histogram
    }

    /// Creates a histogram from the ranks of packets, and sorts `ranks`.
    ///
    /// # Panics
    /// If there are more than [`MAX_PACKETS`](Self::MAX_PACKETS).
    #[must_use]
    pub fn of_ranks(ranks: &mut [u64]) -> Self {
        let mut histogram = Self::with_room_for(ranks.len());
        histogram.refill(ranks);
        histogram
    }

    /// Creates a histogram from the weights of consecutive ranks, starting at `min`. The weights are probabilities or proportional to them.
    /// A weight is rounded to a billionth of the sum. A negative weight, or one that is not a number, counts as zero.
    #[must_use]
    pub fn of_weights(min: u64, weights: &[f64]) -> Self {
        const PRECISION: f64 = (1_u64 << 30) as f64;
        let total: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
        #[allow(clippy::cast_possible_truncation, reason = "a share of 2^30; the cast takes what is not one as 0")]
        let packets = |weight: f64| (weight / total * PRECISION).round() as u64;
        let rank = |offset| min.saturating_add(offset as u64);
        Self::of_counts(weights.iter().enumerate().map(|(offset, weight)| (rank(offset), packets(*weight))))
    }

    /// Sets the cost of an inversion. The default is the distance of the two ranks.
    #[must_use]
    pub fn with_cost(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// Creates an empty histogram with room for `ranks` ranks without allocation.
    pub(crate) fn with_room_for(ranks: usize) -> Self {
        let mut before = Vec::with_capacity(ranks + 1);
        before.push(Sums::default());
        Self { ranks: Vec::with_capacity(ranks), before, cost: Cost::default() }
    }

    /// Replaces the contents by the ranks in `ranks`, and sorts `ranks`.
    pub(crate) fn refill(&mut self, ranks: &mut [u64]) {
        ranks.sort_unstable();
        self.ranks.clear();
        self.before.truncate(1);
        for equal in ranks.chunk_by(|a, b| a == b) {
            self.append(equal[0], equal.len() as u64);
        }
    }

    /// Adds packets of a rank that is not below the existing ranks.
    fn append(&mut self, rank: u64, packets: u64) {
        let all = self.all();
        let is_known = self.ranks.last() == Some(&rank);
        let lower = if is_known { self.before[self.ranks.len() - 1].packets } else { all.packets };
        let wide = (u128::from(rank), u128::from(packets));
        let all_packets = all.packets.saturating_add(packets);
        assert!(all_packets <= Self::MAX_PACKETS, "a histogram has at most {} packets", Self::MAX_PACKETS);
        let sums = Sums {
            packets: all_packets,
            ranks: all.ranks + wide.0 * wide.1,
            distances: all.distances + wide.1 * (wide.0 * u128::from(all.packets) - all.ranks),
            pairs: all.pairs + packets * lower,
        };
        if is_known {
            self.before.pop();
        } else {
            self.ranks.push(rank);
        }
        self.before.push(sums);
    }

    fn all(&self) -> Sums {
        self.before[self.ranks.len()]
    }

    /// The number of packets.
    #[must_use]
    pub fn packets(&self) -> u64 {
        self.all().packets
    }

    /// The ranks that occur, rising.
    #[must_use]
    pub fn ranks(&self) -> &[u64] {
        &self.ranks
    }

    /// Returns the unpifoness of sorted bounds
    #[must_use]
    pub fn unpifoness(&self, bounds: &[u64]) -> u128 {
        (0..bounds.len())
            .map(|queue| self.unpifoness_of(self.first(bounds, queue), self.first(bounds, queue + 1)))
            .sum()
    }

    /// As [`unpifoness`](Self::unpifoness), with probabilities in place of numbers of packets; 0 if there are no packets.
    #[must_use]
    pub fn expected_unpifoness(&self, bounds: &[u64]) -> f64 {
        let packets = self.packets().max(1) as f64;
        self.unpifoness(bounds) as f64 / (packets * packets)
    }

    /// Returns the changes of [`unpifoness`](Self::unpifoness) that steps of the bound of `queue` would cause (Theorem 1). A step is
    /// possible if the bounds stay sorted; the first bound cannot move.
    ///
    /// # Panics
    /// If there is no such queue.
    #[must_use]
    pub fn risk_change(&self, bounds: &[u64], queue: usize) -> RiskChange {
        let bound = bounds[queue];
        let Some(bound_before) = queue.checked_sub(1).map(|before| bounds[before]) else {
            return RiskChange { up: None, down: None };
        };
        let may_rise = bounds.get(queue + 1).map_or(bound < u64::MAX, |next| bound < *next);
        RiskChange {
            up: may_rise.then(|| self.packets_of(bound) * self.change_up(bounds, queue)),
            down: (bound_before < bound).then(|| self.packets_of(bound - 1) * self.change_down(bounds, queue)),
        }
    }

    /// Returns the change of the risk per packet at the bound of `queue`, if these packets move to the queue before.
    fn change_up(&self, bounds: &[u64], queue: usize) -> i128 {
        match self.cost {
            Cost::Distance => -self.pull(bounds, queue, bounds[queue]),
            Cost::Constant => {
                let (before, own) = self.packets_of_two(bounds, queue);
                before - (own - self.packets_of(bounds[queue]))
            }
        }
    }

    /// Returns the change of the risk per packet below the bound of `queue`, if these packets move to `queue`.
    fn change_down(&self, bounds: &[u64], queue: usize) -> i128 {
        match self.cost {
            Cost::Distance => self.pull(bounds, queue, bounds[queue] - 1),
            Cost::Constant => {
                let (before, own) = self.packets_of_two(bounds, queue);
                own - (before - self.packets_of(bounds[queue] - 1))
            }
        }
    }

    /// The sum of `rank - from` over all packets of `queue` and the one before.
    fn pull(&self, bounds: &[u64], queue: usize, from: u64) -> i128 {
        let (packets, ranks) = self.sums_of(&self.two_queues(bounds, queue));
        ranks.cast_signed() - (u128::from(packets) * u128::from(from)).cast_signed()
    }

    /// The numbers of the ranks of `queue` and the one before.
    fn two_queues(&self, bounds: &[u64], queue: usize) -> Range<usize> {
        self.first(bounds, queue - 1)..self.first(bounds, queue + 1)
    }

    /// The packets and the sum of their ranks.
    fn sums_of(&self, ranks: &Range<usize>) -> (u64, u128) {
        let (before, all) = (self.before[ranks.start], self.before[ranks.end]);
        (all.packets - before.packets, all.ranks - before.ranks)
    }

    /// The packets of the queue before `queue`, and of `queue`.
    fn packets_of_two(&self, bounds: &[u64], queue: usize) -> (i128, i128) {
        let Range { start, end } = self.two_queues(bounds, queue);
        let bound = self.first(bounds, queue);
        let packets = |ranks: Range<usize>| i128::from(self.sums_of(&ranks).0);
        (packets(start..bound), packets(bound..end))
    }

    fn packets_of(&self, rank: u64) -> i128 {
        let place = self.ranks.partition_point(|&known| known < rank);
        match self.ranks.get(place) {
            Some(&known) if known == rank => (self.before[place + 1].packets - self.before[place].packets).into(),
            _ => 0,
        }
    }

    /// The number of the first rank that goes to `queue` or beyond.
    fn first(&self, bounds: &[u64], queue: usize) -> usize {
        match bounds.get(queue) {
            _ if queue == 0 => 0,
            Some(&bound) => self.ranks.partition_point(|&rank| rank < bound),
            None => self.ranks.len(),
        }
    }

    /// The unpifoness of a queue for the ranks from number `from` up to number `to`.
    pub(crate) fn unpifoness_of(&self, from: usize, to: usize) -> u128 {
        let (before, all) = (self.before[from], self.before[to]);
        let packets = all.packets - before.packets;
        // Take from the pairs of `all` those of `before` and those across.
        match self.cost {
            Cost::Distance => {
                let across = u128::from(before.packets) * (all.ranks - before.ranks);
                all.distances + before.ranks * u128::from(packets) - before.distances - across
            }
            Cost::Constant => (all.pairs - before.pairs - before.packets * packets).into(),
        }
    }

    /// Returns the position nearest to the bound of `queue` at which the bound is at rest.
    pub(crate) fn rest(&self, bounds: &[u64], queue: usize) -> u64 {
        let two_queues = self.two_queues(bounds, queue);
        let (packets, ranks) = self.sums_of(&two_queues);
        if packets == 0 {
            return bounds[queue];
        }
        let (lowest, highest) = match self.cost {
            Cost::Distance => (ranks.div_ceil(packets.into()), ranks / u128::from(packets) + 1),
            Cost::Constant => self.around_median(two_queues),
        };
        let rest = u128::from(bounds[queue]).clamp(lowest, highest);
        u64::try_from(rest).expect("neither a bound nor a mean or median of ranks is above all ranks")
    }

    /// The lowest and the highest place of a bound at rest between packets of these ranks, if costs are constant.
    ///
    /// Let `s(q)` be the packets below `q` and those below `q + 1`. A step up lowers the risk if `s(q)` is
    /// less than all packets, a step down if `s(q - 1)` is more.
    fn around_median(&self, ranks: Range<usize>) -> (u128, u128) {
        let below = |number: usize| self.before[number].packets - self.before[ranks.start].packets;
        let packets = below(ranks.end);
        // The lowest place whose `s` passes: behind the rank before, or at the rank.
        let first = |passes: &dyn Fn(u64) -> bool| {
            let number = first_number(ranks.clone(), |number| passes(below(number) + below(number + 1)));
            let is_behind_the_one_before = passes(2 * below(number));
            let rank = self.ranks[number - usize::from(is_behind_the_one_before)];
            u128::from(rank) + u128::from(is_behind_the_one_before)
        };
        (first(&|sum| sum >= packets), first(&|sum| sum > packets))
    }
}

/// Returns the first number for which `holds` is true, or the end of the range. `holds` must be true for all later numbers.
fn first_number(numbers: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let Range { mut start, mut end } = numbers;
    while start < end {
        let middle = start + (end - start) / 2;
        if holds(middle) { end = middle } else { start = middle + 1 }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of section 3.2 (Figure 4).
    #[test]
    fn the_worked_example_of_the_paper() {
        let window = Histogram::of_counts([(1, 2), (2, 1), (3, 1), (4, 2), (5, 1)]);
        let mut bounds = [1, 4];
        assert_eq!(window.unpifoness(&bounds), 9);
        assert_eq!(window.unpifoness(&[1, 5]), 25);
        assert_eq!(window.unpifoness(&[1, 3]), 8);
        assert_eq!(window.risk_change(&bounds, 1), RiskChange { up: Some(25 - 9), down: Some(8 - 9) });
        assert_eq!(window.risk_change(&bounds, 0), RiskChange { up: None, down: None });
        assert_eq!(step(&mut bounds, &window), 1);
        assert_eq!(bounds, [1, 3]);
        assert_eq!(window.expected_unpifoness(&bounds), 8.0 / 49.0);
        assert_eq!(step(&mut bounds, &window), 0);
    }

    #[test]
    fn counts_ranks_and_weights_make_the_same_histogram() {
        let of_counts = Histogram::of_counts([(9, 1), (7, 1), (7, 1), (8, 0)]);
        assert_eq!(of_counts, Histogram::of_ranks(&mut [7, 9, 7]));
        assert_eq!((of_counts.packets(), of_counts.ranks()), (3, &[7, 9][..]));
        let bounds = [0, 8];
        let of_weights = Histogram::of_weights(7, &[0.5, f64::NAN, 0.25, -1.0]);
        assert_eq!(of_weights.ranks(), [7, 9]);
        assert!((of_weights.expected_unpifoness(&[0]) - of_counts.expected_unpifoness(&[0])).abs() < 1e-8);
        assert_eq!(of_weights.unpifoness(&bounds), 0);
    }

    #[test]
    fn no_sum_overflows_at_the_largest_ranks() {
        let half = Histogram::MAX_PACKETS / 2;
        let window = Histogram::of_counts([(0, half), (u64::MAX, half)]);
        assert_eq!(window.unpifoness(&[0]), u128::from(half) * u128::from(half) * u128::from(u64::MAX));
        let mut bounds = [0, u64::MAX, u64::MAX];
        assert_eq!(window.unpifoness(&bounds), 0);
        converge(&mut bounds, &window);
        assert_eq!(window.unpifoness(&bounds), 0);
        assert_eq!(window.risk_change(&[0, u64::MAX], 1).up, None);
    }

    #[test]
    fn a_window_without_packets_moves_nothing() {
        let nothing = Histogram::of_ranks(&mut []);
        let mut bounds = [0, 3, 3];
        assert_eq!((step(&mut bounds, &nothing), converge(&mut bounds, &nothing)), (0, 0));
        assert_eq!(nothing.expected_unpifoness(&bounds), 0.0);
    }
}
