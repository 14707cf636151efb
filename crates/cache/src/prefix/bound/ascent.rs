//! The search for prices: one price for all gaps at first, then Adam's steps on each (Kingma and Ba, 2015).
//!
//! The dual is convex in the prices. Its slope at a gap is the capacity less the blocks that the prompts choose to keep
//! over this gap. Floating point: whatever comes out is checked in integers by [`most_saved`](super::most_saved).

use super::PrefixProblem;
use crate::belatedly::approximate;

/// The state of a search.
pub(super) struct Ascent<'p> {
    problem: &'p PrefixProblem,
    pub(super) prices: Vec<f64>,
    slope: Vec<f64>,
    mean: Vec<f64>,
    spread: Vec<f64>,
    sums: Vec<f64>,
}

/// Adam's constants, as the paper has them, but with a shorter memory of the spread: slopes change at once.
const MEAN: f64 = 0.9;
const SPREAD: f64 = 0.99;

impl<'p> Ascent<'p> {
    pub(super) fn new(problem: &'p PrefixProblem) -> Self {
        let zeros = vec![0.0; problem.prompts()];
        Self {
            problem,
            prices: zeros.clone(),
            slope: zeros.clone(),
            mean: zeros.clone(),
            spread: zeros,
            sums: Vec::new(),
        }
    }

    /// The dual at the current prices, and its slope at every gap.
    fn evaluate(&mut self) -> f64 {
        let problem = self.problem;
        let capacity = approximate(problem.capacity);
        self.sums.clear();
        self.sums.push(0.0);
        let mut sum = 0.0;
        for &price in &self.prices {
            sum += price;
            self.sums.push(sum);
        }
        // First the change of the occupancy at each gap, then its sum.
        self.slope.fill(0.0);
        let mut value = capacity * sum;
        for prompt in 0..problem.prompts() {
            let (begins, weights) = problem.own(prompt);
            let (mut sum, mut best, mut chosen) = (0.0, 0.0, 0);
            for (number, (&begin, &weight)) in begins.iter().zip(weights).enumerate() {
                sum += approximate(weight) - (self.sums[prompt] - self.sums[begin as usize]);
                if sum > best {
                    (best, chosen) = (sum, number + 1);
                }
            }
            value += best;
            for &begin in &begins[..chosen] {
                self.slope[begin as usize] += 1.0;
                self.slope[prompt] -= 1.0;
            }
        }
        let mut occupancy = 0.0;
        for slope in &mut self.slope {
            occupancy += *slope;
            *slope = 1.0 - occupancy / capacity.max(1.0);
        }
        value
    }

    /// Sets all prices to the best single price, and returns the dual there and this price.
    pub(super) fn level(&mut self) -> (f64, f64) {
        let most = self.problem.weights.iter().copied().max().unwrap_or(0);
        let (mut low, mut high) = (0.0, approximate(most));
        // The dual is convex in the one price: the sign of its slope says on which side the minimum is.
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            self.prices.fill(middle);
            self.evaluate();
            if self.slope.iter().sum::<f64>() > 0.0 { high = middle } else { low = middle }
        }
        self.prices.fill(high);
        (self.evaluate(), high)
    }

    /// Takes a step of about `length` at each gap; returns the dual before it.
    pub(super) fn step(&mut self, number: i32, length: f64) -> f64 {
        let value = self.evaluate();
        let (mean_bias, spread_bias) = (1.0 - MEAN.powi(number), 1.0 - SPREAD.powi(number));
        for (gap, price) in self.prices.iter_mut().enumerate() {
            let slope = self.slope[gap];
            self.mean[gap] = MEAN * self.mean[gap] + (1.0 - MEAN) * slope;
            self.spread[gap] = SPREAD * self.spread[gap] + (1.0 - SPREAD) * slope * slope;
            let step = (self.mean[gap] / mean_bias) / ((self.spread[gap] / spread_bias).sqrt() + 1e-9);
            *price = (*price - length * step).max(0.0);
        }
        value
    }
}
