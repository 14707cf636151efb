//! Convex: the ends of the range are frequent, the middle is rare.

use super::DistributionEntry;
use forebay_core::{About, Exactness};

/// The registry's entry.
pub const ENTRY: DistributionEntry = DistributionEntry {
    about: About {
        name: "convex",
        title: "The ends are frequent, the middle is rare: (offset - range / 2)^2 + 1",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per draw; 12 bytes per number of the range",
        source: "SP-PIFO, NSDI'20, section 4.2.2 (the parabola is ours)",
        params: &[],
    },
    weights: |range, _| {
        Ok(range.weigh(|offset| {
            let from_middle = offset - range.span() / 2.0;
            from_middle * from_middle + 1.0
        }))
    },
};
