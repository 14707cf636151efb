//! Constant: always the least number of the range.

use super::DistributionEntry;
use forebay_core::{About, Exactness};

/// The registry's entry.
pub const ENTRY: DistributionEntry = DistributionEntry {
    about: About {
        name: "constant",
        title: "Always the same number: `min`",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per draw; 12 bytes per number of the range",
        source: "common practice",
        params: &[],
    },
    weights: |_, _| Ok(vec![1.0]),
};
