//! Gaussian, cut to the range.

use super::DistributionEntry;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, real};

/// The registry's entry.
pub const ENTRY: DistributionEntry = DistributionEntry {
    about: About {
        name: "normal",
        title: "Gaussian, cut to the range",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per draw; 12 bytes per number of the range",
        source: "SurgeProtector (thesis), section 3.6.3",
        params: &[
            ParamSpec {
                name: "mean",
                kind: ParamKind::Integer { min: 0, max: i64::MAX as u64, default: None },
                meaning: "where the peak is, before the cut; by default the middle of the range",
            },
            ParamSpec {
                name: "deviation",
                kind: ParamKind::Integer { min: 1, max: i64::MAX as u64, default: None },
                meaning: "standard deviation before the cut; by default a sixth of the range",
            },
        ],
    },
    weights: |range, params| {
        let mean = params.integer("mean").map_or(range.min as f64 + range.span() / 2.0, |mean| mean as f64);
        if !(range.min as f64..=range.max as f64).contains(&mean) {
            let message = format!("`mean` must be from `min` to `max`, which are {} and {}", range.min, range.max);
            return Err(ParamError::of("mean", message));
        }
        let deviation = params.integer("deviation").map_or((range.span() / 6.0).max(1.0), |deviation| deviation as f64);
        Ok(range.weigh(|offset| {
            let deviations = (range.min as f64 + offset - mean) / deviation;
            real::exp(-0.5 * (deviations * deviations))
        }))
    },
};

#[cfg(test)]
mod tests {
    use super::super::{DISTRIBUTIONS, Distribution, Range};
    use forebay_core::registry::find;
    use forebay_core::{ParamValue, Params};

    fn normal(mean: i64, deviation: i64, range: Range) -> Result<Distribution, String> {
        let entry = find("distribution", DISTRIBUTIONS, "normal")?;
        let given = [("mean", mean), ("deviation", deviation)];
        let given = given.map(|(name, value)| (name.to_owned(), ParamValue::Integer(value))).into();
        let params = Params::check(entry.about.params, given).map_err(|error| error.to_string())?;
        Distribution::new(entry, range, &params).map_err(|error| error.to_string())
    }

    #[test]
    fn mean_and_deviation_are_those_given() {
        let range = Range { min: 64, max: 9_000 };
        let drawn = normal(1_250, 100, range).unwrap();
        assert!((drawn.mean() - 1_250.0).abs() < 1e-6, "{}", drawn.mean());
        let squares = (64..).zip(drawn.probabilities()).map(|(number, p)| p * (f64::from(number) - 1_250.0).powi(2));
        assert!((squares.sum::<f64>().sqrt() - 100.0).abs() < 1e-6);
        // Even where nothing but the peak has a weight that a float can hold.
        assert!((normal(3_000, 1, range).unwrap().mean() - 3_000.0).abs() < 1e-6);
    }

    #[test]
    fn a_mean_outside_of_the_range_is_refused() {
        let range = Range { min: 64, max: 9_000 };
        assert!(normal(63, 100, range).unwrap_err().contains("from `min` to `max`, which are 64 and 9000"));
    }
}
