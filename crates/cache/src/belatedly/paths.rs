//! Shortest paths of the objects under given prices, and the capacity that they occupy.
//!
//! With the prefix sums P of the prices, a stay over checkpoints `a..b` costs
//! `size * (P[b] - P[a])`. So stays over several hits telescope, and the least cost from
//! a visit on, given a miss or a hit there, follows from those of two later visits:
//!
//! - `miss[k] = delay[k] + min(miss[d], hit[d] - size * P[commit[k]])`, d = `after_miss[k]`
//! - `hit[k] = min(miss[k + 1] + size * P[before[k]], hit[k + 1])`
//!
//! where `hit` is the cost plus `size * P[before[k]]`. At a visit, `miss - hit` is the value of being in the cache,
//! less the price of all checkpoints until then. The price of the checkpoints until now is the same for all objects, so
//! rounding ranks by this difference.
//!
//! This is linear in the requests and allocates nothing after the first round.

use crate::belatedly::problem::Problem;

/// Least costs from each visit of one object on.
#[derive(Debug, Default)]
pub(crate) struct Costs {
    /// If it is a miss.
    miss: Vec<f64>,
    /// If it is a hit, plus the price of all checkpoints before it.
    hit: Vec<f64>,
}

impl Costs {
    /// Computes them under prices with the given prefix sums.
    fn fill(&mut self, problem: &Problem, object: usize, sums: &[f64]) {
        let visits = problem.visits(object);
        let size = approximate(problem.sizes[object]);
        let count = visits.len();
        if self.miss.len() < count {
            self.miss.resize(count, 0.0);
            self.hit.resize(count, 0.0);
        }
        for own in (0..count).rev() {
            let visit = visits.start + own;
            let next = problem.after_miss[visit] as usize - visits.start;
            self.miss[own] = approximate(problem.delay[visit]);
            if next < count {
                let found = self.hit[next] - size * sums[problem.commit[visit] as usize];
                self.miss[own] += found.min(self.miss[next]);
            }
            let here = size * sums[problem.before[visit] as usize];
            self.hit[own] = if own + 1 < count { self.hit[own + 1].min(self.miss[own + 1] + here) } else { here };
        }
    }
}

/// A number in which the last bits do not matter: the certificate uses integers.
#[expect(clippy::cast_precision_loss, reason = "see above")]
pub(crate) const fn approximate(number: u64) -> f64 {
    number as f64
}

/// The prefix sums of prices into `sums`, which has one entry more; and their sum.
pub(crate) fn prefix_sums(prices: &[f64], sums: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for (price, before) in prices.iter().zip(sums.iter_mut()) {
        *before = sum;
        sum += price;
    }
    sums[prices.len()] = sum;
    sum
}

/// The cost of the shortest paths of all objects with a choice. Adds to `changes` where their stays
/// begin (+size) and end (-size); it has one entry more than there are checkpoints.
pub(crate) fn shortest(problem: &Problem, sums: &[f64], costs: &mut Costs, changes: &mut [f64]) -> f64 {
    let mut total = 0.0;
    for object in 0..problem.flexible {
        costs.fill(problem, object, sums);
        total += costs.miss[0];
        let visits = problem.visits(object);
        let size = approximate(problem.sizes[object]);
        let count = visits.len();
        let mut own = 0;
        while own < count {
            let visit = visits.start + own;
            own = problem.after_miss[visit] as usize - visits.start;
            if own == count {
                break;
            }
            let from = problem.commit[visit] as usize;
            if costs.hit[own] - size * sums[from] < costs.miss[own] {
                // Further hits are the cheaper way as long as the least cost is handed through.
                while own + 1 < count && costs.hit[own] == costs.hit[own + 1] {
                    own += 1;
                }
                changes[from] += size;
                changes[problem.before[visits.start + own] as usize] -= size;
                own += 1;
            }
        }
    }
    total
}

/// What being in the cache at each visit is worth, per unit of size; see above.
pub(crate) fn worths(problem: &Problem, sums: &[f64], costs: &mut Costs, worth: &mut [f64]) {
    for object in 0..problem.flexible {
        costs.fill(problem, object, sums);
        let size = approximate(problem.sizes[object]);
        let pairs = costs.miss.iter().zip(&costs.hit);
        for (worth, (miss, hit)) in worth[problem.visits(object)].iter_mut().zip(pairs) {
            *worth = (miss - hit) / size;
        }
    }
}
