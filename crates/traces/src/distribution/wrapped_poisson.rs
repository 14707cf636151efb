//! Poisson, wrapped round the range: with a mean at its end, both ends are frequent and the middle is rare.

use super::DistributionEntry;
use super::poisson::cut;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamSpec, convert};

/// The registry's entry.
pub const ENTRY: DistributionEntry = DistributionEntry {
    about: About {
        name: "wrapped-poisson",
        title: "The ends are frequent, the middle is rare: Poisson, modulo the length of the range",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per draw; 12 bytes per number of the range",
        source: "SP-PIFO, NSDI'20, Figure 6: the convex ranks of the authors' data are Poisson of mean 100, modulo 100",
        params: &[ParamSpec {
            name: "centre",
            kind: ParamKind::Number { min: 0.0, max: 4.0, default: 1.0 },
            meaning: "the mean in lengths of the range, counted from `min`",
        }],
    },
    weights: |range, params| {
        let numbers = range.numbers();
        let mean = (params.number("centre") * numbers as f64).max(1e-9);
        // What is more than ten standard deviations above the mean is lost in rounding.
        let far = mean + 10.0 * mean.sqrt() + 10.0;
        let turns = (0..).take_while(|turn| (turn * numbers) as f64 <= far).count() as u64 + 1;
        let mut weights = vec![0.0; convert::index(numbers)];
        for turn in cut(turns * numbers, mean).chunks(weights.len()) {
            weights.iter_mut().zip(turn).for_each(|(weight, more)| *weight += more);
        }
        Ok(weights)
    },
};
