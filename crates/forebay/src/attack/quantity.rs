//! What is reported of a policy under attack, with the names that results and tables have for it.

use super::run_result::Attacked;
use crate::statistics::{Quantity, quantities};

/// Bits per second in results.
pub(super) const GBPS: f64 = 1e9;

/// Under one attack.
pub(super) const OF_ATTACKS: &[Quantity<Attacked>] = quantities![
    "displacement": |attacked| Some(attacked.displacement()),
    "goodput_gbps": |attacked| Some(attacked.goodput_bps / GBPS),
    "baseline_gbps": |attacked| Some(attacked.baseline_bps / GBPS),
    "attack_served": |attacked| attacked.served,
];

/// The names of all numbers.
#[cfg(test)]
pub(crate) fn names() -> Vec<&'static str> {
    OF_ATTACKS.iter().map(|quantity| quantity.name).chain(["bound", "predicted"]).collect()
}
