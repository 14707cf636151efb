//! The average movement of the bounds of SP-PIFO, and their equilibrium.
//!
//! Source: SP-PIFO (NSDI'20), appendix B.1, equations 17 to 21. Let a packet have rank `r` with probability `p(r)`, whatever came
//! before. If `r` is below all bounds, all of them sink by `q_1 - r`; that is a push-down, on average
//!
//! ```text
//! down = sum over r < q_1 of p(r) (q_1 - r)                       (equation 20)
//! ```
//!
//! Otherwise one bound rises to `r`, which is `r - q_i` above where it was; that is a push-up, on average
//!
//! ```text
//! up_i = sum over q_i <= r < q_(i+1) of p(r) (r - q_i)            (equation 19)
//! ```
//!
//! and the bound moves by `up_i - down` (equation 21). At the equilibrium all of these are 0. Bounds are real numbers here, since the
//! equilibrium lies between ranks. For uniform ranks 0 to R and n queues, the bounds of the equilibrium are spread evenly: the first is R /
//! (n + 1), and so on.
//!
//! The bounds of a run are never at rest: each packet moves them. Their means over a long run are near the equilibrium, not at it, since
//! `up` and `down` are not linear. For eight queues and uniform ranks 0 to 100 they are within two ranks
//! (`the_mean_bounds_of_a_long_run_are_near_the_equilibrium`).

/// The probability of each rank.
#[derive(Debug, Clone, PartialEq)]
pub struct RankProbabilities {
    /// The ranks, rising.
    ranks: Vec<u64>,
    /// For the ranks before each rank, and for all ranks: their total probability, and this probability times their mean.
    before: Vec<(f64, f64)>,
}

impl RankProbabilities {
    /// Creates the probabilities from pairs of rank and weight with rising ranks. The weights need not sum to 1. Returns `None` if no
    /// weight is above 0, or the ranks do not rise.
    #[must_use]
    pub fn of_weights(weights: impl IntoIterator<Item = (u64, f64)>) -> Option<Self> {
        let weights: Vec<(u64, f64)> = weights.into_iter().filter(|(_, weight)| *weight > 0.0).collect();
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        if weights.is_empty() || !weights.is_sorted_by(|(one, _), (next, _)| one < next) {
            return None;
        }
        let mut before = vec![(0.0, 0.0)];
        let (mut probability, mut moment) = (0.0, 0.0);
        for (rank, weight) in &weights {
            probability += weight / total;
            moment += weight / total * *rank as f64;
            before.push((probability, moment));
        }
        Some(Self { ranks: weights.into_iter().map(|(rank, _)| rank).collect(), before })
    }

    /// The mean distance from `from` of the ranks from `low` on and below `high`, times their probability.
    fn distance(&self, low: f64, high: f64, from: f64) -> f64 {
        let place = |bound: f64| self.before[self.ranks.partition_point(|&rank| (rank as f64) < bound)];
        let ((p_low, m_low), (p_high, m_high)) = (place(low), place(high.max(low)));
        (m_high - m_low) - from * (p_high - p_low)
    }

    fn push_down(&self, lowest_bound: f64) -> f64 {
        -self.distance(f64::NEG_INFINITY, lowest_bound, lowest_bound)
    }

    /// Returns the mean push-up of a bound whose next bound is `next`, or infinity.
    fn push_up(&self, bound: f64, next: f64) -> f64 {
        self.distance(bound, next, bound)
    }
}

/// Returns the average change of each bound per packet (equation 21). `bounds` rise, highest priority first.
#[must_use]
pub fn expected_change(ranks: &RankProbabilities, bounds: &[f64]) -> Vec<f64> {
    let Some(&lowest) = bounds.first() else { return Vec::new() };
    let down = ranks.push_down(lowest);
    let next = bounds.iter().skip(1).copied().chain([f64::INFINITY]);
    bounds.iter().zip(next).map(|(&bound, next)| ranks.push_up(bound, next) - down).collect()
}

/// The number of halvings of an interval: enough for the last bit of a number.
const HALVINGS: u32 = 128;

/// Returns the bounds of `queues` queues whose average change per packet is 0.
///
/// A given push-down determines each bound, from the last bound on: the push-up of the bound equals it. At the equilibrium, the lowest of
/// these bounds causes exactly this push-down. Where a few ranks have most of the probability, a push-up changes abruptly when a bound
/// passes one of these ranks. Then no bounds are at rest, and the result is the point at which the expected change falls from above 0 to
/// below 0.
#[must_use]
pub fn equilibrium(ranks: &RankProbabilities, queues: usize) -> Vec<f64> {
    let greatest = *ranks.ranks.last().expect("made of at least one rank") as f64;
    let (mut too_little, mut too_much) = (0.0, greatest + 1.0);
    for _ in 0..HALVINGS {
        let down = f64::midpoint(too_little, too_much);
        let is_too_much = bounds_for(ranks, queues, down)
            .is_none_or(|bounds| bounds.first().is_some_and(|&low| ranks.push_down(low) < down));
        if is_too_much {
            too_much = down;
        } else {
            too_little = down;
        }
    }
    bounds_for(ranks, queues, too_little)
        .unwrap_or_else(|| vec![*ranks.ranks.first().expect("one rank") as f64; queues])
}

/// The bounds whose push-ups are all `size`; `None` if they would have to be below all ranks.
fn bounds_for(ranks: &RankProbabilities, queues: usize, size: f64) -> Option<Vec<f64>> {
    let lowest = *ranks.ranks.first()? as f64;
    let mut next = f64::INFINITY;
    let mut bounds = vec![0.0; queues];
    for bound in bounds.iter_mut().rev() {
        if ranks.push_up(lowest, next) < size {
            return None;
        }
        let (mut low, mut high) = (lowest, next.min(*ranks.ranks.last()? as f64));
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if ranks.push_up(middle, next) > size {
                low = middle;
            } else {
                high = middle;
            }
        }
        *bound = low;
        next = low;
    }
    Some(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::moving_bounds::{MovingBounds, PushDown};
    use forebay_core::Seed;
    use rand::RngExt;

    fn uniform(ranks: u64) -> RankProbabilities {
        RankProbabilities::of_weights((0..ranks).map(|rank| (rank, 1.0))).unwrap()
    }

    /// The sums of equations 19 to 21, written out over all ranks.
    #[test]
    fn the_expected_change_is_the_mean_of_what_each_rank_does() {
        let mut rng = Seed(5).stream("dynamics");
        for _ in 0..200 {
            let weights: Vec<(u64, f64)> = (0..30).map(|rank| (rank, rng.random_range(0.0..1.0))).collect();
            let ranks = RankProbabilities::of_weights(weights.clone()).unwrap();
            let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
            let mut bounds: Vec<u64> = (0..5).map(|_| rng.random_range(0..30)).collect();
            bounds.sort_unstable();
            let mut mean = [0.0; 5];
            for &(rank, weight) in &weights {
                let mut moved = MovingBounds::new(5, PushDown::Cost);
                moved.replace(bounds.iter().copied());
                moved.map(rank);
                for ((mean, new), old) in mean.iter_mut().zip(moved.as_slice()).zip(&bounds) {
                    *mean += weight / total * (*new as f64 - *old as f64);
                }
            }
            let bounds: Vec<f64> = bounds.iter().map(|&bound| bound as f64).collect();
            for (expected, mean) in expected_change(&ranks, &bounds).into_iter().zip(mean) {
                assert!((expected - mean).abs() < 1e-9, "{expected} {mean}");
            }
        }
    }

    #[test]
    fn uniform_ranks_have_evenly_spread_bounds_at_rest() {
        for (ranks, queues) in [(101, 1), (101, 4), (1_001, 8)] {
            let bounds = equilibrium(&uniform(ranks), queues);
            for (number, bound) in bounds.iter().enumerate() {
                let even = ranks as f64 * (number + 1) as f64 / (queues + 1) as f64;
                assert!((bound - even).abs() < 1.0, "{bounds:?}");
            }
            let change = expected_change(&uniform(ranks), &bounds);
            assert!(change.iter().all(|change| change.abs() < 0.02 * ranks as f64 / queues as f64), "{change:?}");
        }
    }

    /// A test that the starting bounds do not matter: the equilibrium attracts.
    #[test]
    fn the_mean_bounds_of_a_long_run_are_near_the_equilibrium() {
        for (ranks, queues) in [(101, 2), (101, 8), (1_001, 8)] {
            let at_rest = equilibrium(&uniform(ranks), queues);
            for start in [0, ranks] {
                let mut rng = Seed(6).stream("bounds");
                let mut bounds = MovingBounds::new(queues, PushDown::Cost);
                bounds.replace(std::iter::repeat_n(start, queues));
                let mut sums = vec![0_u64; queues];
                let packets = 400_000;
                for packet in 0..packets + 10_000 {
                    bounds.map(rng.random_range(0..ranks));
                    if packet >= 10_000 {
                        sums.iter_mut().zip(bounds.as_slice()).for_each(|(sum, bound)| *sum += bound);
                    }
                }
                for (sum, bound) in sums.iter().zip(&at_rest) {
                    let off = *sum as f64 / f64::from(packets) - bound;
                    assert!(off.abs() < 3.0, "{ranks} ranks, {queues} queues: {off} from {at_rest:?}");
                }
            }
        }
    }

    #[test]
    fn one_rank_keeps_all_bounds_at_it() {
        let one = RankProbabilities::of_weights([(7, 0.5)]).unwrap();
        assert!(equilibrium(&one, 3).iter().all(|bound| (bound - 7.0).abs() < 1e-9));
        assert_eq!(expected_change(&one, &[7.0, 7.0, 7.0]), [0.0; 3]);
        assert_eq!(RankProbabilities::of_weights([(7, 0.0)]), None);
        assert_eq!(RankProbabilities::of_weights([(7, 1.0), (7, 1.0)]), None);
    }
}
