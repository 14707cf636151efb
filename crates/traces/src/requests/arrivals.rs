//! Arrival times of requests, and the popularity of objects.

use forebay_core::{Clock, ParamError, Rng, real};
use rand::RngExt as _;
use rand_distr::weighted::WeightedAliasIndex;
use rand_distr::{Distribution as _, Exp1, Zipf};

/// The maximum number of objects with a table of their popularity, 12 bytes each: drawing from the table is several times faster.
const MAX_TABLE: u64 = 1 << 20;

/// Independent arrivals: a Poisson process in nanoseconds; in slots, each slot has an arrival with the same probability.
#[derive(Debug, Clone)]
pub(crate) struct Arrivals {
    clock: Clock,
    mean_gap: f64,
    slots: Geometric,
    /// The first tick at which the next one may be.
    next: u64,
    /// The fraction of a nanosecond that has also passed.
    below: f64,
    rng: Rng,
}

impl Arrivals {
    /// Creates arrivals with a mean distance of `mean_gap` ticks.
    pub(crate) fn new(clock: Clock, mean_gap: f64, rng: Rng) -> Self {
        Self { clock, mean_gap, slots: Geometric::new(mean_gap), next: 0, below: 0.0, rng }
    }

    /// Returns the time of the next arrival.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub(crate) fn next_time(&mut self) -> u64 {
        match self.clock {
            Clock::Slots => {
                let time = self.next.saturating_add(self.slots.draw(&mut self.rng) - 1);
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

/// The number of trials up to the first success: 1 or more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Geometric {
    /// The inverse of the logarithm of the probability of a failure.
    scale: f64,
}

impl Geometric {
    /// Creates the distribution with this mean, at least 1.
    pub(crate) fn new(mean: f64) -> Self {
        Self { scale: if mean <= 1.0 { 0.0 } else { 1.0 / real::ln_1p(-1.0 / mean) } }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub(crate) fn draw(&self, rng: &mut Rng) -> u64 {
        // In (0, 1], so that the logarithm is finite.
        let uniform = 1.0 - rng.random::<f64>();
        ((real::ln(uniform) * self.scale) as u64).saturating_add(1)
    }
}

/// Popularity by rank: the n-th object is requested in proportion to n^-skew.
pub(crate) struct Popularity {
    objects: u64,
    shape: Shape,
}

enum Shape {
    Table(WeightedAliasIndex<f64>),
    Rejection(Zipf<f64>),
}

impl Popularity {
    pub(crate) fn new(objects: u64, skew: f64) -> Result<Self, ParamError> {
        /// Returns the error about the number of objects, with the message of the library.
        #[expect(clippy::needless_pass_by_value, reason = "a text or an error, of which the text is kept")]
        fn wrong(error: impl ToString) -> ParamError {
            ParamError { param: None, message: error.to_string() }
        }
        let shape = if objects <= MAX_TABLE {
            let weights = (1..=objects).map(|rank| real::pow(rank as f64, -skew)).collect();
            Shape::Table(WeightedAliasIndex::new(weights).map_err(wrong)?)
        } else {
            Shape::Rejection(Zipf::new(objects as f64, skew).map_err(wrong)?)
        };
        Ok(Self { objects, shape })
    }

    /// Draws a rank from 0, the most popular, to the number of objects minus 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub(crate) fn draw(&self, rng: &mut Rng) -> u64 {
        match &self.shape {
            Shape::Table(table) => table.sample(rng) as u64,
            Shape::Rejection(zipf) => (zipf.sample(rng) as u64).clamp(1, self.objects) - 1,
        }
    }
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
        let sum: u64 = (0..100_000).map(|_| Geometric::new(8.0).draw(&mut rng)).sum();
        assert!((sum as f64 / 100_000.0 - 8.0).abs() < 0.1, "{sum}");
    }

    #[test]
    fn the_table_and_its_substitute_are_alike() {
        let mut rng = Seed(1).stream("popularity");
        let (table, zipf) = (Popularity::new(MAX_TABLE, 0.9).unwrap(), Popularity::new(MAX_TABLE + 1, 0.9).unwrap());
        let mut below = |popularity: &Popularity, rank: u64| {
            (0..100_000).filter(|_| popularity.draw(&mut rng) < rank).count() as f64 / 1e5
        };
        for rank in [1, 10, 1_000, 100_000] {
            let (of_table, of_zipf) = (below(&table, rank), below(&zipf, rank));
            // Five standard deviations of the difference of two shares.
            assert!((of_table - of_zipf).abs() < 5.0 * (0.5_f64 / 1e5).sqrt(), "{rank}: {of_table} {of_zipf}");
        }
    }
}
