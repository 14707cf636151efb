//! Data mining, in whole packets: the cluster of VL2's measurements as in pFabric's simulations.

use super::{SizeEntry, embedded, from_text};

/// The registry's entry.
pub const ENTRY: SizeEntry = embedded(
    "data-mining",
    "Data mining, interpolated: 7.47 MB on average, half of the flows a packet",
    "VL2, SIGCOMM'09, figure 2, as points in pFabric, SIGCOMM'13",
    |_, _| from_text(include_str!("data_mining.cdf")),
);
