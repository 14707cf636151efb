//! The certificate: from any prices, a number that no schedule's savings exceed. In integers, without rounding.

use super::PrefixProblem;

/// Prices are in units of one 2^20th of the unit of the weights.
pub(super) const SCALE: u32 = 20;

/// The prices before each gap, added up.
pub(super) fn sums(prices: &[u64]) -> Vec<i128> {
    let mut sum = 0;
    let mut sums = vec![0];
    sums.extend(prices.iter().map(|&price| {
        sum += i128::from(price);
        sum
    }));
    sums
}

/// Returns what schedules can save at most, by weak duality: capacity x prices, plus each prompt's best prefix of
/// intervals less their prices. Holds for all `prices`, of which there is one for each gap, in units of 2^-20.
///
/// # Panics
/// If there are fewer prices than gaps.
#[must_use]
pub fn most_saved(problem: &PrefixProblem, prices: &[u64]) -> u128 {
    let sums = sums(&prices[..problem.prompts()]);
    let mut most = sums[problem.prompts()] * i128::from(problem.capacity);
    for prompt in 0..problem.prompts() {
        let (begins, weights) = problem.own(prompt);
        let (mut sum, mut best) = (0_i128, 0_i128);
        for (&begin, &weight) in begins.iter().zip(weights) {
            sum += (i128::from(weight) << SCALE) - (sums[prompt] - sums[begin as usize]);
            best = best.max(sum);
        }
        most += best;
    }
    u128::try_from(most >> SCALE).expect("prices and best prefixes are not negative")
}
