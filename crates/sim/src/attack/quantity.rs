//! A size or a job size that differs from packet to packet.

use forebay_core::Rng;
use forebay_traces::Distribution;
use rand_distr::{Distribution as _, StandardNormal};

/// The distribution from which a number is drawn.
#[derive(Debug, Clone)]
pub enum Quantity {
    /// Gaussian, drawn again until it lies between `min` and `max`.
    Normal {
        /// Mean before the cut.
        mean: f64,
        /// Standard deviation before the cut.
        deviation: f64,
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// Whole numbers, each with its weight.
    Drawn(Distribution),
}

/// The number of times that a Gaussian number is drawn before it is clamped to its range.
const MOST_DRAWS: u32 = 1_000;

impl Quantity {
    /// Returns a quantity that is always `value`.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self::Normal { mean: value, deviation: 0.0, min: value, max: value }
    }

    /// Draws a number.
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        match self {
            Self::Normal { mean, deviation, min, max } => {
                for _ in 0..MOST_DRAWS {
                    let unit: f64 = StandardNormal.sample(rng);
                    let value = mean + deviation * unit;
                    if (*min..=*max).contains(&value) {
                        return value;
                    }
                }
                mean.clamp(*min, *max)
            }
            Self::Drawn(distribution) => distribution.draw(rng) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    #[test]
    fn gaussian_numbers_have_mean_and_deviation_and_stay_in_range() {
        let quantity = Quantity::Normal { mean: 1_250.0, deviation: 100.0, min: 64.0, max: 1_600.0 };
        let mut rng = Seed(1).stream("quantity");
        let draws: Vec<f64> = (0..100_000).map(|_| quantity.draw(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!((mean - 1_250.0).abs() < 2.0, "{mean}");
        assert!((variance.sqrt() - 100.0).abs() < 2.0, "{variance}");
        assert!(draws.iter().all(|draw| (64.0..=1_600.0).contains(draw)));
    }

    #[test]
    fn a_range_far_from_the_mean_ends_at_its_edge() {
        let quantity = Quantity::Normal { mean: 0.0, deviation: 1.0, min: 100.0, max: 200.0 };
        assert!((quantity.draw(&mut Seed(1).stream("quantity")) - 100.0).abs() < f64::EPSILON);
    }
}
