//! Every distribution of ranks, sizes, values and job sizes: one line for each.
//!
//! A distribution is a weight for each whole number of a range. Drawing takes constant time for any shape: by the alias method, if weights
//! differ.

use forebay_core::{About, Named, ParamError, Params, Rng};
use rand::RngExt as _;
use rand_distr::Distribution as _;
use rand_distr::weighted::WeightedAliasIndex;

forebay_core::registry! {
    /// Every distribution, in the order in which `forebay list` shows them.
    pub static DISTRIBUTIONS: [DistributionEntry] = {
        mod constant;
        mod uniform;
        mod exponential;
        mod inverse_exponential;
        mod poisson;
        mod convex;
        mod wrapped_poisson;
        mod normal;
    }
}

/// One distribution in the registry.
pub struct DistributionEntry {
    /// The description of the distribution.
    pub about: About,
    /// The weight of each number of the range, lowest first; not all zero.
    pub weights: fn(Range, &Params) -> Result<Vec<f64>, ParamError>,
}

impl Named for DistributionEntry {
    fn about(&self) -> &About {
        &self.about
    }
}

/// Whole numbers from `min` to `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The least number.
    pub min: u64,
    /// The greatest number.
    pub max: u64,
}

impl Range {
    /// The maximum count of numbers in a range, since each has a weight.
    pub const MAX_NUMBERS: u64 = 1 << 22;

    /// Returns the count of numbers in the range.
    #[must_use]
    pub fn numbers(self) -> u64 {
        self.max - self.min + 1
    }

    /// The weight of every number, given its distance from the least.
    fn weigh(self, weight: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..self.numbers()).map(|offset| weight(offset as f64)).collect()
    }

    /// Distance from the least number to the greatest.
    fn span(self) -> f64 {
        (self.max - self.min) as f64
    }
}

/// A distribution that can be drawn from.
#[derive(Debug, Clone)]
pub struct Distribution {
    min: u64,
    max: u64,
    mean: f64,
    shape: Shape,
}

#[derive(Debug, Clone)]
enum Shape {
    /// All numbers, whose count this is, with the same probability.
    Flat(u64),
    Weighted(WeightedAliasIndex<f64>),
}

impl Distribution {
    /// Creates the distribution of an entry over a range.
    ///
    /// # Errors
    /// If the range is empty or too large, or the parameters do not fit it.
    pub fn new(entry: &DistributionEntry, range: Range, params: &Params) -> Result<Self, ParamError> {
        if range.max < range.min {
            return Err(ParamError::of("max", format!("`max` must be at least `min`, which is {}", range.min)));
        }
        if range.max - range.min >= Range::MAX_NUMBERS {
            let message = format!("from `min` to `max` there may be at most {} numbers", Range::MAX_NUMBERS);
            return Err(ParamError::of("max", message));
        }
        let weights = (entry.weights)(range, params)?;
        let total: f64 = weights.iter().sum();
        let moment: f64 = (0_u64..).zip(&weights).map(|(offset, weight)| offset as f64 * weight).sum();
        // A constant has one weight, however wide its range.
        let max = range.min + weights.len() as u64 - 1;
        let shape = if weights.iter().all(|weight| *weight == weights[0]) {
            Shape::Flat(weights.len() as u64)
        } else {
            Shape::Weighted(WeightedAliasIndex::new(weights).map_err(|error| ParamError {
                param: None,
                message: format!("these parameters give no distribution: {error}"),
            })?)
        };
        Ok(Self { min: range.min, max, mean: range.min as f64 + moment / total, shape })
    }

    /// Creates a distribution that always gives `number`.
    #[must_use]
    pub fn constant(number: u64) -> Self {
        Self { min: number, max: number, mean: number as f64, shape: Shape::Flat(1) }
    }

    /// Returns the least number.
    #[must_use]
    pub fn min(&self) -> u64 {
        self.min
    }

    /// Returns the greatest number.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Returns the probability of each number, from the least to the greatest.
    #[must_use]
    pub fn probabilities(&self) -> Vec<f64> {
        match &self.shape {
            Shape::Flat(numbers) => (0..*numbers).map(|_| 1.0 / *numbers as f64).collect(),
            Shape::Weighted(alias) => {
                // Rounding can leave a weight of zero a little below it.
                let weights: Vec<f64> = alias.weights().into_iter().map(|weight| weight.max(0.0)).collect();
                let total: f64 = weights.iter().sum();
                weights.into_iter().map(|weight| weight / total).collect()
            }
        }
    }

    /// Returns the exact mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Draws a number.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        match &self.shape {
            Shape::Flat(1) => self.min,
            Shape::Flat(numbers) => self.min + rng.random_range(0..*numbers),
            Shape::Weighted(alias) => self.min + alias.sample(rng) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    #[test]
    fn draws_have_the_stated_mean_and_stay_in_range() {
        for entry in DISTRIBUTIONS {
            let params = Params::defaults(entry.about.params);
            let range = Range { min: 10, max: if entry.about.name == "constant" { 10 } else { 110 } };
            let distribution = Distribution::new(entry, range, &params).unwrap();
            let mut rng = Seed(1).stream("draws");
            let draws: Vec<u64> = (0..200_000).map(|_| distribution.draw(&mut rng)).collect();
            assert!(draws.iter().all(|draw| (range.min..=range.max).contains(draw)), "{}", entry.about.name);
            let mean = draws.iter().sum::<u64>() as f64 / draws.len() as f64;
            assert!((mean - distribution.mean()).abs() < 0.5, "{}: {mean}", entry.about.name);
        }
    }

    #[test]
    fn numbers_are_drawn_as_often_as_they_are_likely() {
        const DRAWS: u32 = 500_000;
        for entry in DISTRIBUTIONS {
            let params = Params::defaults(entry.about.params);
            let range = Range { min: 10, max: if entry.about.name == "constant" { 10 } else { 60 } };
            let distribution = Distribution::new(entry, range, &params).unwrap();
            assert_eq!((distribution.min(), distribution.max()), (range.min, range.max));
            let probabilities = distribution.probabilities();
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let mut counts = vec![0_u32; probabilities.len()];
            let mut rng = Seed(1).stream("draws");
            for _ in 0..DRAWS {
                counts[usize::try_from(distribution.draw(&mut rng) - range.min).unwrap()] += 1;
            }
            for (probability, count) in probabilities.into_iter().zip(counts) {
                let expected = probability * f64::from(DRAWS);
                // Five standard deviations of a count that is about Poisson.
                let allowed = 5.0 * expected.max(1.0).sqrt();
                assert!((f64::from(count) - expected).abs() <= allowed, "{}: {count} {expected}", entry.about.name);
            }
        }
    }

    #[test]
    fn shapes_are_what_their_names_say() {
        let weights = |name: &str| {
            let entry = DISTRIBUTIONS.iter().find(|entry| entry.about.name == name).unwrap();
            (entry.weights)(Range { min: 0, max: 100 }, &Params::defaults(entry.about.params)).unwrap()
        };
        assert!(weights("uniform").windows(2).all(|pair| pair[0] == pair[1]));
        assert!(weights("exponential").is_sorted_by(|a, b| a > b));
        assert!(weights("inverse-exponential").is_sorted_by(|a, b| a < b));
        let poisson = weights("poisson");
        assert!(poisson[..50].is_sorted() && poisson[50..].is_sorted_by(|a, b| a >= b));
        let convex = weights("convex");
        assert!(convex[..51].is_sorted_by(|a, b| a > b) && convex[50..].is_sorted());
        let wrapped = weights("wrapped-poisson");
        assert!(wrapped[..40].is_sorted_by(|a, b| a > b) && wrapped[60..].is_sorted());
    }

    #[test]
    fn a_wrapped_poisson_is_the_sum_of_its_turns() {
        let entry = DISTRIBUTIONS.iter().find(|entry| entry.about.name == "wrapped-poisson").unwrap();
        let weights = (entry.weights)(Range { min: 0, max: 99 }, &Params::defaults(entry.about.params)).unwrap();
        let total: f64 = weights.iter().sum();
        let mut probability = forebay_core::real::exp(-100.0);
        let mut expected = vec![0.0; 100];
        for number in 0..400_u32 {
            expected[(number % 100) as usize] += probability;
            probability *= 100.0 / f64::from(number + 1);
        }
        for (weight, expected) in weights.iter().zip(expected) {
            assert!((weight / total - expected).abs() < 1e-9, "{weight} {expected}");
        }
    }

    #[test]
    fn wrong_ranges_are_refused() {
        let uniform = &DISTRIBUTIONS[1];
        let params = Params::defaults(uniform.about.params);
        assert!(Distribution::new(uniform, Range { min: 5, max: 4 }, &params).is_err());
        assert!(Distribution::new(uniform, Range { min: 0, max: u64::MAX }, &params).is_err());
    }
}
