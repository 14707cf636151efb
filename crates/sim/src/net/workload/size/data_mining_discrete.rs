//! Data mining in seven sizes, derived from `data-mining` as `web-search-discrete` is from `web-search`.

use super::{SizeEntry, embedded, from_text};

/// The registry's entry.
pub const ENTRY: SizeEntry = embedded(
    "data-mining-discrete",
    "Data mining in seven sizes: 1.12 MB on average",
    "as data-mining, each size the lower end of an interval (ours)",
    |_, _| from_text(include_str!("data_mining_discrete.cdf")),
);
