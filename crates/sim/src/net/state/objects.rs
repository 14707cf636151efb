//! The object that a flow carries, as a content store sees it.

use forebay_core::{mix, real};

/// Objects of different popularity. Each flow carries one object, which is drawn from the flow's number.
///
/// The popularity of object `k`, from 0 on, is proportional to the integral of `x^-s` from `k + 1` to `k + 2`. This is Zipf's law with a
/// skew of `s`, except for the first few objects, and an object is drawn in constant time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Objects {
    /// The number of objects; at least one.
    pub count: u32,
    /// The skew `s` in thousandths; 0: all objects are equally popular.
    pub skew: u32,
    /// The seed of the run, which determines the drawn objects.
    pub seed: u64,
}

impl Objects {
    /// The default number of objects and the default skew.
    pub const DEFAULT: Self = Self { count: 10_000, skew: 900, seed: 0 };

    /// The object of a flow.
    pub(super) fn of(self, flow: u32) -> u64 {
        let bits = next(self.seed ^ next(u64::from(flow)));
        self.at((bits >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// The object below which this share of the wishes are.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "above 0, and float casts saturate")]
    fn at(self, share: f64) -> u64 {
        let end = f64::from(self.count) + 1.0;
        let place = match self.skew {
            1_000 => real::pow(end, share),
            skew => {
                let power = 1.0 - f64::from(skew) / 1e3;
                real::pow(1.0 + share * (real::pow(end, power) - 1.0), 1.0 / power)
            }
        };
        (place as u64).clamp(1, u64::from(self.count)) - 1
    }
}

/// What SplitMix64 draws in the state `bits` (Steele, Lea and Flood, OOPSLA 2014).
fn next(bits: u64) -> u64 {
    mix(bits.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The integral of `x^-s` over the place of each object, by its middle in a thousand steps.
    fn weights(objects: Objects) -> Vec<f64> {
        let skew = f64::from(objects.skew) / 1e3;
        let of =
            |object: u32| (0..1_000).map(|n| (f64::from(object) + 1.0 + (f64::from(n) + 0.5) / 1e3).powf(-skew)).sum();
        let all: Vec<f64> = (0..objects.count).map(of).collect();
        let sum: f64 = all.iter().sum();
        all.into_iter().map(|weight| weight / sum).collect()
    }

    #[test]
    fn objects_are_wanted_as_often_as_their_integrals_say() {
        const FLOWS: u32 = 400_000;
        for skew in [0, 500, 900, 1_000, 1_300, 3_000] {
            let objects = Objects { count: 40, skew, seed: 7 };
            let mut counts = [0_u32; 40];
            (0..FLOWS).for_each(|flow| counts[usize::try_from(objects.of(flow)).unwrap()] += 1);
            for (count, weight) in counts.into_iter().zip(weights(objects)) {
                let expected = weight * f64::from(FLOWS);
                assert!(
                    (f64::from(count) - expected).abs() < 5.0 * expected.sqrt() + 1.0,
                    "{skew}: {count} {expected}"
                );
            }
        }
    }

    #[test]
    fn a_seed_draws_anew() {
        let draw = |seed| (0..100).map(|flow| Objects { seed, ..Objects::DEFAULT }.of(flow)).collect::<Vec<_>>();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!((0..100).all(|flow| Objects { count: 1, skew: 900, seed: 3 }.of(flow) == 0));
    }
}
