//! Exponential, cut to the range: low numbers are frequent.

use super::{DistributionEntry, Range};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamSpec, Params, real};

/// The registry's entry.
pub const ENTRY: DistributionEntry = DistributionEntry {
    about: About {
        name: "exponential",
        title: "Low numbers are frequent: exp(-offset / (scale x range))",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per draw; 12 bytes per number of the range",
        source: "SP-PIFO, NSDI'20, section 4.2.2 (the scale is ours)",
        params: PARAMS,
    },
    weights: |range, params| Ok(falling(range, params)),
};

/// The parameters of both exponential distributions.
pub(super) const PARAMS: &[ParamSpec] = &[ParamSpec {
    name: "scale",
    kind: ParamKind::Number { min: 1e-3, max: 1e3, default: 0.25 },
    meaning: "the decay length as a share of the range",
}];

/// Returns weights that fall from the least number to the greatest.
pub(super) fn falling(range: Range, params: &Params) -> Vec<f64> {
    let length = params.number("scale") * range.span().max(1.0);
    range.weigh(|offset| real::exp(-offset / length))
}
