//! Better and better prices: ascent of the Lagrangian dual.
//!
//! For prices p >= 0 of the checkpoints, the dual is the cost of the shortest paths less capacity times the sum of p.
//! It is concave, and a subgradient is the excess: the occupancy of the paths less the capacity. Steps are Adam's
//! (Kingma and Ba, 2015). They divide the excess of each checkpoint by its usual value, with the same short memory for
//! both moments. Two things matter, both found by measuring:
//!
//! - The best prices are spiky: a few checkpoints carry the price of their neighbourhood.
//!   First steps of several times the best constant price, sinking linearly to 0, get much
//!   further than small ones (`docs/belatedly.md` has figures).
//! - While steps are large, the running average of the prices is better than any of them.
//!   It is what counts when the ascent is stopped early.

use crate::belatedly::paths::{Costs, approximate, prefix_sums, shortest};
use crate::belatedly::problem::Problem;
use std::ops::ControlFlow;

/// Memory of the moments and of the average: about ten steps.
const KEEP: f64 = 0.9;
/// First step, in units of the scale of prices.
const FIRST_STEP: f64 = 12.0;
/// The first step from prices that are nearly right is shorter by this factor.
const MENDING: f64 = 20.0;
/// Bisections of the constant price, on a scale of powers of two.
const BISECTIONS: u32 = 10;
/// Constant prices are sought up to this power of two times the starting scale, and down to its inverse.
const RANGE: f64 = 24.0;

/// The state of an ascent.
#[derive(Debug)]
pub(crate) struct Ascent<'a> {
    problem: &'a Problem,
    costs: Costs,
    sums: Vec<f64>,
    changes: Vec<f64>,
    prices: Vec<f64>,
    average: Vec<f64>,
    first_moment: Vec<f64>,
    second_moment: Vec<f64>,
    first_step: f64,
    steps: u32,
    dual: f64,
}

impl<'a> Ascent<'a> {
    /// An ascent that has yet to [`start`](Self::start).
    pub(crate) fn new(problem: &'a Problem) -> Self {
        let checkpoints = problem.checkpoints();
        Self {
            problem,
            costs: Costs::default(),
            sums: vec![0.0; checkpoints + 1],
            changes: vec![0.0; checkpoints + 1],
            prices: vec![0.0; checkpoints],
            average: vec![0.0; checkpoints],
            first_moment: vec![0.0; checkpoints],
            second_moment: vec![0.0; checkpoints],
            first_step: 0.0,
            steps: 0,
            dual: 0.0,
        }
    }

    /// Goes to the best constant price. `goes_on` is asked before each evaluation but the
    /// first; if it says no, the prices are the last that were evaluated.
    pub(crate) fn start(&mut self, mut goes_on: impl FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        let (scale, end) = self.find_constant(&mut goes_on);
        self.average.copy_from_slice(&self.prices);
        self.first_step = FIRST_STEP * scale;
        end
    }

    /// Starts at prices that are nearly right. `first_step` is that of the search that found them.
    pub(crate) fn start_at(&mut self, prices: &[f64], first_step: f64) {
        self.prices.copy_from_slice(prices);
        self.average.copy_from_slice(prices);
        self.first_step = first_step / MENDING;
        self.dual = self.dual_of_average();
    }

    /// The length of the first step.
    pub(crate) const fn first_step(&self) -> f64 {
        self.first_step
    }

    /// The prices of this step.
    pub(crate) fn prices(&self) -> &[f64] {
        &self.prices
    }

    /// The average of the prices of the last steps.
    pub(crate) fn average(&self) -> &[f64] {
        &self.average
    }

    /// The value of the dual at the prices of this step.
    pub(crate) const fn dual(&self) -> f64 {
        self.dual
    }

    /// Prefix sums of the average.
    pub(crate) fn sums_of_average(&mut self) -> &[f64] {
        prefix_sums(&self.average, &mut self.sums);
        &self.sums
    }

    /// The value of the dual at the average.
    pub(crate) fn dual_of_average(&mut self) -> f64 {
        let average = std::mem::take(&mut self.average);
        let dual = self.evaluate(&average);
        self.average = average;
        dual
    }

    /// One step, of a length that falls from all to nothing with `progress`, 0 to 1.
    pub(crate) fn step(&mut self, progress: f64) {
        let prices = std::mem::take(&mut self.prices);
        self.dual = self.evaluate(&prices);
        self.prices = prices;
        self.steps += 1;
        // Moments start at 0; this undoes the bias, as in the paper.
        let unbias = 1.0 / (1.0 - KEEP.powf(f64::from(self.steps)));
        let step = self.first_step * (1.0 - progress) * unbias / unbias.sqrt();
        let capacity = approximate(self.problem.capacity);
        let mut occupied = 0.0;
        for checkpoint in 0..self.prices.len() {
            occupied += self.changes[checkpoint];
            let excess = occupied - capacity;
            let first = &mut self.first_moment[checkpoint];
            let second = &mut self.second_moment[checkpoint];
            *first = KEEP * *first + (1.0 - KEEP) * excess;
            *second = KEEP * *second + (1.0 - KEEP) * excess * excess;
            let price = &mut self.prices[checkpoint];
            *price = (*price + step * *first / (second.sqrt() + f64::MIN_POSITIVE)).max(0.0);
            self.average[checkpoint] += (1.0 - KEEP) * (*price - self.average[checkpoint]);
        }
    }

    /// The dual at these prices; leaves in `changes` the occupancies of the shortest paths.
    fn evaluate(&mut self, prices: &[f64]) -> f64 {
        let sum = prefix_sums(prices, &mut self.sums);
        self.changes.fill(0.0);
        let paths = shortest(self.problem, &self.sums, &mut self.costs, &mut self.changes);
        approximate(self.problem.fixed) + paths - approximate(self.problem.capacity) * sum
    }

    /// Sets the best constant price and returns the scale of prices.
    fn find_constant(&mut self, goes_on: &mut dyn FnMut() -> ControlFlow<()>) -> (f64, ControlFlow<()>) {
        let checkpoints = self.prices.len();
        let free = self.evaluate(&vec![0.0; checkpoints]);
        self.dual = free;
        // Where the cache is seldom full, the best constant price is near 0 and says little of the price where it is
        // full. Then the scale is the latency that a unit of room saves on average.
        let (excess, occupied) = self.totals();
        let saved = approximate(self.problem.latency_without_cache()) - free;
        let average_worth = saved.max(1.0) / occupied.max(1.0);
        if excess <= 0.0 {
            return (average_worth, ControlFlow::Continue(()));
        }
        let (mut low, mut high) = (-RANGE, RANGE);
        let mut constant = average_worth;
        for _ in 0..BISECTIONS {
            if goes_on().is_break() {
                return (average_worth, ControlFlow::Break(()));
            }
            let middle = f64::midpoint(low, high);
            constant = average_worth * middle.exp2();
            self.prices.fill(constant);
            let prices = std::mem::take(&mut self.prices);
            self.dual = self.evaluate(&prices);
            self.prices = prices;
            if self.totals().0 > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        (constant.max(average_worth), ControlFlow::Continue(()))
    }

    /// The occupancy of the paths last evaluated, less the capacity; and the occupancy. Sums over all checkpoints.
    fn totals(&self) -> (f64, f64) {
        let capacity = approximate(self.problem.capacity);
        let mut occupied = 0.0;
        self.changes[..self.prices.len()].iter().fold((0.0, 0.0), |(excess, total), change| {
            occupied += change;
            (excess + occupied - capacity, total + occupied)
        })
    }
}
