//! When requests arrive, and which objects are popular.

use forebay_core::{Clock, Rng};
use rand::RngExt as _;
use rand_distr::{Distribution as _, Exp1, Zipf};

/// Independent arrivals: Poisson in nanoseconds, each slot with the same probability in slots.
#[derive(Debug, Clone)]
pub(crate) struct Arrivals {
    clock: Clock,
    mean_gap: f64,
    /// The first tick at which the next one may be.
    next: u64,
    /// What of a nanosecond has passed besides.
    below: f64,
    rng: Rng,
}

impl Arrivals {
    /// Arrivals every `mean_gap` ticks in the mean.
    pub(crate) fn new(clock: Clock, mean_gap: f64, rng: Rng) -> Self {
        Self { clock, mean_gap, next: 0, below: 0.0, rng }
    }

    /// The time of the next arrival.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub(crate) fn next_time(&mut self) -> u64 {
        match self.clock {
            Clock::Slots => {
                let time = self.next.saturating_add(geometric(self.mean_gap, &mut self.rng) - 1);
                self.next = time.saturating_add(1);
                time
            }
            Clock::Nanoseconds => {
                let gap: f64 = Exp1.sample(&mut self.rng);
                let gap = gap * self.mean_gap + self.below;
                self.next = self.next.saturating_add(gap as u64);
                self.below = gap.fract();
                self.next
            }
        }
    }
}

/// Trials up to the first success, the `mean` of which is given: 1 or more.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
pub(crate) fn geometric(mean: f64, rng: &mut Rng) -> u64 {
    if mean <= 1.0 {
        return 1;
    }
    // In (0, 1], so that the logarithm is finite.
    let uniform = 1.0 - rng.random::<f64>();
    1 + (uniform.ln() / (-1.0 / mean).ln_1p()) as u64
}

/// Popularity by rank: the n-th object is requested in proportion to n^-skew.
pub(crate) fn popularity(objects: u64, skew: f64) -> Result<Zipf<f64>, String> {
    Zipf::new(objects as f64, skew).map_err(|error| error.to_string())
}

/// A rank from 0, the most popular, to below `objects`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
pub(crate) fn rank(popularity: &Zipf<f64>, objects: u64, rng: &mut Rng) -> u64 {
    (popularity.sample(rng) as u64).clamp(1, objects) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    #[test]
    fn arrivals_have_the_stated_mean_and_spread() {
        for (clock, mean_gap) in
            [(Clock::Slots, 1.25), (Clock::Slots, 1.0), (Clock::Nanoseconds, 0.7), (Clock::Nanoseconds, 1e6)]
        {
            let mut arrivals = Arrivals::new(clock, mean_gap, Seed(1).stream("arrivals"));
            let times: Vec<u64> = (0..200_000).map(|_| arrivals.next_time()).collect();
            let mean = *times.last().unwrap() as f64 / times.len() as f64;
            assert!((mean / mean_gap - 1.0).abs() < 0.01, "{clock:?}: {mean} {mean_gap}");
            assert!(
                times.windows(2).all(|pair| pair[0] < pair[1] || clock == Clock::Nanoseconds && pair[0] == pair[1])
            );
        }
    }

    #[test]
    fn lengths_have_the_stated_mean() {
        let mut rng = Seed(1).stream("lengths");
        let sum: u64 = (0..100_000).map(|_| geometric(8.0, &mut rng)).sum();
        assert!((sum as f64 / 100_000.0 - 8.0).abs() < 0.1, "{sum}");
    }
}
