//! Inverse exponential: the mirrored exponential distribution, in which high numbers are frequent.

use super::DistributionEntry;
use super::exponential::{PARAMS, falling};
use forebay_core::{About, Exactness};

/// The registry's entry.
pub const ENTRY: DistributionEntry = DistributionEntry {
    about: About {
        name: "inverse-exponential",
        title: "High numbers are frequent: exp(-(range - offset) / (scale x range))",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per draw; 12 bytes per number of the range",
        source: "SP-PIFO, NSDI'20, section 4.2.2 (the scale is ours)",
        params: PARAMS,
    },
    weights: |range, params| Ok(falling(range, params).into_iter().rev().collect()),
};
