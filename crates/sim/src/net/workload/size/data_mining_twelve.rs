//! Data mining in twelve sizes, as SP-PIFO's simulations have it.
//!
//! Two facts are known about those simulations: there are twelve sizes, and their mean is 2.117 MB. The points of data mining in bytes,
//! each of which represents the interval above it as in `web-search-discrete`, satisfy both.

use super::{SizeEntry, embedded, from_text};

/// The registry's entry.
pub const ENTRY: SizeEntry = embedded(
    "data-mining-twelve",
    "Data mining in twelve sizes: 2.117 MB on average",
    "VL2's measurements as points in bytes, each size the lower end of an interval",
    |_, _| from_text(include_str!("data_mining_twelve.cdf")),
);
