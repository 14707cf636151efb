//! Sums of counters over runs.

use std::collections::BTreeMap;

/// Returns the sum of each counter over these runs, by name.
pub(crate) fn summed<'a>(runs: impl IntoIterator<Item = &'a BTreeMap<String, u64>>) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for (name, value) in runs.into_iter().flatten() {
        *sums.entry(name.clone()).or_default() += value;
    }
    sums
}
