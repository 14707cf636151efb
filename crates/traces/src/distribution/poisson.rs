//! Poisson, cut to the range: numbers around the mean are frequent.

use super::DistributionEntry;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamSpec, real};

/// The registry's entry.
pub const ENTRY: DistributionEntry = DistributionEntry {
    about: About {
        name: "poisson",
        title: "Numbers around the mean are frequent: Poisson, cut to the range",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per draw; 12 bytes per number of the range",
        source: "SP-PIFO, NSDI'20, section 4.2.2 (the mean is ours)",
        params: &[ParamSpec {
            name: "centre",
            kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.5 },
            meaning: "the mean as a share of the range, counted from `min`",
        }],
    },
    weights: |range, params| Ok(cut(range.numbers(), (params.number("centre") * range.span()).max(1e-9))),
};

/// Returns the weights of the numbers from 0 to `numbers` - 1, relative to the largest.
pub(super) fn cut(numbers: u64, mean: f64) -> Vec<f64> {
    // The logarithm of the weight, relative to its peak, so that nothing overflows.
    let mut logs = Vec::new();
    let mut log = 0.0;
    for number in 0..numbers {
        if number > 0 {
            log += real::ln(mean) - real::ln(number as f64);
        }
        logs.push(log);
    }
    let peak = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logs.into_iter().map(|log| real::exp(log - peak)).collect()
}
