//! The certificate: the dual in integers, so that rounding errors cannot lift the bound.
//!
//! Any prices >= 0 give a valid bound, so the prices are rounded to multiples of a power
//! of two, and the dual at exactly these is computed without any error. The optimum is an
//! integer, so the bound is rounded up. This does not share code with the ascent, but the
//! [`Problem`]: visits, aggregate delays and checkpoints are taken from there.

use crate::belatedly::problem::Problem;

/// Binary places of a price, besides those that the capacity asks for.
const PLACES: u32 = 30;
/// Costs of paths stay below this power of two, and so do all sums of two of them.
const LIMIT: i128 = 1 << 125;

/// A lower bound of the total latency of every schedule, from prices per checkpoint and
/// unit of size. Prices that are negative or no numbers count as 0.
#[must_use]
pub fn certified_lower_bound(problem: &Problem, prices: &[f64]) -> u64 {
    bound_of_leaf(problem, prices, &[])
}

/// The same for the schedules that obey: of each visit, whether it is a hit, if that is decided. It is the greatest
/// number if no schedule obeys.
pub(crate) fn bound_of_leaf(problem: &Problem, prices: &[f64], outcomes: &[Option<bool>]) -> u64 {
    dual(problem, prices, outcomes).or_else(|| dual(problem, &[], outcomes)).unwrap_or(0)
}

/// Binary places of the integers that prices are rounded to.
pub(crate) fn places(problem: &Problem) -> u32 {
    // Errors of prices are multiplied by an excess of occupancy that is seldom above the capacity.
    (PLACES + u64::BITS - problem.capacity.leading_zeros()).min(60)
}

/// A price as an integer.
pub(crate) fn in_units(price: f64, places: u32) -> i128 {
    #[expect(clippy::cast_possible_truncation, reason = "a float out of range becomes the nearest integer")]
    let price = (price * f64::from(places).exp2()).round() as i128;
    price.max(0)
}

/// The dual, rounded up; none if the prices are so high that sums might not fit.
fn dual(problem: &Problem, prices: &[f64], outcomes: &[Option<bool>]) -> Option<u64> {
    let places = places(problem);
    let mut sums = Vec::with_capacity(problem.checkpoints() + 1);
    let mut sum = 0i128;
    for checkpoint in 0..problem.checkpoints() {
        sums.push(sum);
        let price = prices.get(checkpoint).copied().unwrap_or(0.0);
        sum = sum.checked_add(in_units(price, places))?;
    }
    sums.push(sum);
    let rent = i128::from(problem.capacity).checked_mul(sum).filter(|&rent| rent < LIMIT)?;
    let mut total = i128::from(problem.fixed) << places;
    let (mut miss, mut hit) = (Vec::new(), Vec::new());
    for object in 0..problem.flexible {
        let least = shortest(problem, object, places, &sums, outcomes, &mut miss, &mut hit);
        if least >= LIMIT {
            return Some(u64::MAX);
        }
        total += least;
    }
    let steps = (total - rent).max(0);
    let whole = (steps >> places) + i128::from(steps & ((1 << places) - 1) != 0);
    u64::try_from(whole).ok()
}

/// The shortest path of an object with a choice, or `LIMIT` and more if none obeys. Otherwise it is below 2^122 if nothing
/// is decided, since no price has to be paid then.
fn shortest(
    problem: &Problem,
    object: usize,
    places: u32,
    sums: &[i128],
    outcomes: &[Option<bool>],
    miss: &mut Vec<i128>,
    hit: &mut Vec<i128>,
) -> i128 {
    let visits = problem.visits(object);
    let size = i128::from(problem.sizes[object]);
    let decided = |visit: usize| outcomes.get(visit).copied().flatten();
    // From the last visit to the first, so that entry i is of visit end - 1 - i.
    miss.clear();
    hit.clear();
    for visit in visits.clone().rev() {
        let mut cost = i128::from(problem.delay[visit]) << places;
        let next = problem.after_miss[visit] as usize;
        if next < visits.end {
            let entry = visits.end - 1 - next;
            let found =
                if hit[entry] < LIMIT { hit[entry] - size * sums[problem.commit[visit] as usize] } else { LIMIT };
            cost = cost.saturating_add(miss[entry].min(found)).min(LIMIT);
        }
        if (visit..next).any(|passed| decided(passed) == Some(true)) {
            cost = LIMIT;
        }
        let here = size * sums[problem.before[visit] as usize];
        let found = match (miss.last(), hit.last()) {
            (Some(miss), Some(hit)) => (miss + here).min(*hit).min(LIMIT),
            _ => here,
        };
        let found = if decided(visit) == Some(false) { LIMIT } else { found };
        miss.push(cost);
        hit.push(found);
    }
    miss.last().copied().unwrap_or(0)
}
