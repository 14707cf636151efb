//! Pareto sizes up to a maximum (the bounded Pareto distribution): few flows carry most bytes.
//!
//! Sizes of the continuous distribution are rounded up or down at random so that the mean stays what it is; quantiles are
//! right to a byte.

use super::{FlowSizes, MAX_BYTES, SizeEntry, about, bytes};
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{ParamError, Params, Rng, real};
use rand::RngExt as _;

/// The mean where neither it nor the least size is given.
const DEFAULT_MEAN_BYTES: u64 = 100_000;
/// Halvings of a range of logarithms, after which 64-bit floats are exhausted.
const HALVINGS: usize = 100;

/// The registry's entry.
pub const ENTRY: SizeEntry = SizeEntry {
    about: about(
        "pareto",
        "Pareto up to a maximum: few flows carry most bytes",
        "the bounded Pareto distribution, as in Harchol-Balter, ACM TOCS 1999",
        &[
            ParamSpec {
                name: "shape",
                kind: ParamKind::Number { min: 0.01, max: 100.0, default: 1.05 },
                meaning: "the exponent; the smaller, the heavier the tail",
            },
            ParamSpec {
                name: "mean_bytes",
                kind: ParamKind::Integer { min: 1, max: MAX_BYTES, default: None },
                meaning: "bytes of a flow, on average (100000 if `min_bytes` is not given either)",
            },
            ParamSpec {
                name: "min_bytes",
                kind: ParamKind::Integer { min: 1, max: MAX_BYTES, default: None },
                meaning: "bytes of the smallest flows, in place of `mean_bytes`",
            },
            ParamSpec {
                name: "max_bytes",
                kind: ParamKind::Integer { min: 2, max: MAX_BYTES, default: Some(1_000_000_000) },
                meaning: "bytes of the largest flows",
            },
        ],
    ),
    needs_file: false,
    build: |params, _| Ok(Box::new(Pareto::new(params)?)),
};

#[derive(Debug, Clone, Copy)]
struct Pareto {
    shape: f64,
    min: f64,
    max: f64,
}

impl Pareto {
    fn new(params: &Params) -> Result<Self, ParamError> {
        let (shape, max_bytes) = (params.number("shape"), bytes(params, "max_bytes"));
        let max = max_bytes as f64;
        let from = |min| Self { shape, min, max };
        match (params.integer("min_bytes"), params.integer("mean_bytes")) {
            (Some(_), Some(_)) => Err(ParamError::of("mean_bytes", "give `mean_bytes` or `min_bytes`, not both")),
            (Some(min), None) if min >= max_bytes => {
                Err(ParamError::of("min_bytes", format!("`min_bytes` must be below `max_bytes`, which is {max_bytes}")))
            }
            (Some(min), None) => Ok(from(min as f64)),
            (None, mean) => {
                let mean = mean.unwrap_or(DEFAULT_MEAN_BYTES) as f64;
                let least = from(1.0).mean_bytes();
                if mean < least || mean >= max {
                    let message = format!(
                        "with this shape and maximum, `mean_bytes` is at least {} and below {max}",
                        least.ceil()
                    );
                    return Err(ParamError::of("mean_bytes", message));
                }
                // The mean rises with the least size.
                let (mut low, mut high) = (0.0, real::ln(max));
                for _ in 0..HALVINGS {
                    let middle: f64 = f64::midpoint(low, high);
                    if from(real::exp(middle)).mean_bytes() < mean {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                Ok(from(real::exp(low)))
            }
        }
    }

    /// The share of the unbounded distribution that is below the maximum.
    fn kept(&self) -> f64 {
        -real::exp_m1(self.shape * real::ln(self.min / self.max))
    }

    /// The size that a share of flows does not exceed, before rounding.
    fn inverse(&self, share: f64) -> f64 {
        (self.min * real::pow(1.0 - share * self.kept(), -1.0 / self.shape)).clamp(self.min, self.max)
    }
}

impl FlowSizes for Pareto {
    fn mean_bytes(&self) -> f64 {
        // shape x min^shape / kept x integral of x^-shape from min to max, which has one form for all shapes with exp_m1.
        let (decades, excess) = (real::ln(self.max / self.min), 1.0 - self.shape);
        let integral = if excess == 0.0 { decades } else { real::exp_m1(excess * decades) / excess };
        self.shape * self.min * integral / self.kept()
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    fn draw(&self, rng: &mut Rng) -> u64 {
        let size = self.inverse(rng.random());
        let up = u64::from(rng.random::<f64>() < size.fract());
        (size as u64 + up).max(1)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    fn quantile(&self, share: f64) -> u64 {
        (self.inverse(share).ceil() as u64).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::ParamValue;
    use std::collections::BTreeMap;

    fn pareto(given: &[(&str, ParamValue)]) -> Result<Pareto, String> {
        let given: BTreeMap<_, _> = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Pareto::new(&Params::check(ENTRY.about.params, given).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_mean_is_that_of_the_formula_and_the_one_asked_for() {
        // The textbook form: a L^a (L^(1-a) - H^(1-a)) / ((a - 1) (1 - (L/H)^a)).
        let (a, low, high) = (1.5_f64, 1_000.0_f64, 1e6_f64);
        let textbook =
            a * low.powf(a) * (low.powf(1.0 - a) - high.powf(1.0 - a)) / ((a - 1.0) * (1.0 - (low / high).powf(a)));
        let given = [("shape", ParamValue::Number(a)), ("min_bytes", ParamValue::Integer(1_000))];
        let given = [given.as_slice(), &[("max_bytes", ParamValue::Integer(1_000_000))]].concat();
        assert!((pareto(&given).unwrap().mean_bytes() / textbook - 1.0).abs() < 1e-12);
        for shape in [0.3, 1.0, 1.05, 2.0, 20.0] {
            let given = [("shape", ParamValue::Number(shape)), ("mean_bytes", ParamValue::Integer(200_000_000))];
            assert!((pareto(&given).unwrap().mean_bytes() / 2e8 - 1.0).abs() < 1e-9, "{shape}");
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let integer = |name, value| (name, ParamValue::Integer(value));
        for (given, word) in [
            (vec![integer("min_bytes", 5), integer("mean_bytes", 50)], "not both"),
            (vec![integer("min_bytes", 5), integer("max_bytes", 5)], "must be below `max_bytes`, which is 5"),
            (vec![integer("mean_bytes", 2)], "`mean_bytes` is at least"),
            (vec![integer("mean_bytes", 9), integer("max_bytes", 9)], "and below 9"),
        ] {
            let error = pareto(&given).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }
}
