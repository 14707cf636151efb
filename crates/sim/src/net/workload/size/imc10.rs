//! Flows of several data centres, in whole packets, as in pHost's simulations.

use super::{SizeEntry, embedded, from_text};

/// The registry's entry.
pub const ENTRY: SizeEntry = embedded(
    "imc10",
    "Several data centres, interpolated: 0.2 MB on average, no very large flows",
    "Benson et al., IMC'10, section 5, as points in pHost, CoNEXT'15",
    |_, _| from_text(include_str!("imc10.cdf")),
);
