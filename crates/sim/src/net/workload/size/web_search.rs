//! Web search, in whole packets: the cluster of DCTCP's measurements as in pFabric's simulations.

use super::{SizeEntry, embedded, from_text};

/// The registry's entry.
pub const ENTRY: SizeEntry = embedded(
    "web-search",
    "Web search, interpolated: 1.67 MB on average, most flows small",
    "DCTCP, SIGCOMM'10, figure 4, as points in pFabric, SIGCOMM'13",
    |_, _| from_text(include_str!("web_search.cdf")),
);
