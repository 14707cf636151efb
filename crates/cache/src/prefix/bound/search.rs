//! Both bounds of a trace: prices that certify the lower one, a schedule that reaches the upper one.

use super::ascent::Ascent;
use super::dual::SCALE;
use super::sweep::fill;
use super::{PrefixProblem, Schedule, most_saved, sweep};

/// Bounds on the least cost of a trace, in the unit of the weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrefixBound {
    /// The cost if nothing is ever a hit.
    pub total: u128,
    /// No policy costs less.
    pub lower: u128,
    /// The schedule costs this.
    pub upper: u128,
    /// Whether the schedule is optimal, since all weights are equal.
    pub exact: bool,
    /// The prices, in units of 2^-20: [`most_saved`] of them is at least what any policy saves.
    pub prices: Vec<u64>,
    /// The best schedule found.
    pub schedule: Schedule,
}

impl PrefixBound {
    /// The gap between the bounds as a share of the lower one, in millionths, rounded up.
    #[must_use]
    pub fn gap_millionths(&self) -> u128 {
        ((self.upper - self.lower) * 1_000_000).div_ceil(self.lower.max(1))
    }
}

/// Evaluations of the schedule during the search, each an O(n log n) sweep.
const SWEEPS: u32 = 20;

/// Searches for `steps` steps; more steps bring the bounds closer.
#[must_use]
pub fn bound(problem: &PrefixProblem, steps: u32) -> PrefixBound {
    let even = vec![1; problem.prompts()];
    let mut schedule = sweep(problem, &even);
    let mut ascent = Ascent::new(problem);
    let (mut least, price) = ascent.level();
    // The best single price is 0 if only some gaps are full; the steps must have a length all the same.
    let length = price.max(problem.break_even_price());
    let mut best = ascent.prices.clone();
    for number in 0..steps {
        let left = 1.0 - f64::from(number) / f64::from(steps);
        let before = ascent.prices.clone();
        let value = ascent.step(i32::try_from(number + 1).unwrap_or(i32::MAX), length * left * left);
        if value < least {
            (least, best) = (value, before);
        }
        if number % (steps / SWEEPS).max(1) == 0 {
            let found = sweep(problem, &in_units(&best));
            if found.saved > schedule.saved {
                schedule = found;
            }
        }
    }
    let prices = in_units(&best);
    let found = sweep(problem, &prices);
    if found.saved > schedule.saved {
        schedule = found;
    }
    fill(problem, &mut schedule);
    let exact = problem.equal_weight().is_some() || schedule.saved == problem.all_saved();
    let saved = if exact { schedule.saved } else { most_saved(problem, &prices).min(problem.all_saved()) };
    let (total, lower) = (problem.total, problem.total.saturating_sub(saved));
    PrefixBound { total, lower, upper: total.saturating_sub(schedule.saved), exact, prices, schedule }
}

/// Prices in the integers of the certificate.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "prices are not negative, and clamped")]
fn in_units(prices: &[f64]) -> Vec<u64> {
    let unit = f64::from(1_u32 << SCALE);
    prices.iter().map(|price| (price * unit).round() as u64).collect()
}
