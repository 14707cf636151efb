//! Uniform: all numbers of the range have the same weight.

use super::DistributionEntry;
use forebay_core::{About, Exactness};

/// The registry's entry.
pub const ENTRY: DistributionEntry = DistributionEntry {
    about: About {
        name: "uniform",
        title: "Every number from `min` to `max` with equal probability",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per draw; 12 bytes per number of the range",
        source: "SP-PIFO, NSDI'20, section 4.2.1",
        params: &[],
    },
    weights: |range, _| Ok(range.weigh(|_| 1.0)),
};
