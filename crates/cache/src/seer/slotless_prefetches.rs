//! Prefetches for which no place is kept.

use rustc_hash::FxHashMap;

/// Those that have not ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unplaced {
    /// The set of each key.
    keys: FxHashMap<u64, usize>,
    /// How many there are for each set.
    in_set: FxHashMap<usize, usize>,
}

impl Unplaced {
    pub(crate) fn begun(&mut self, key: u64, set: usize) {
        self.keys.insert(key, set);
        *self.in_set.entry(set).or_default() += 1;
    }

    /// A fetch has ended; returns whether it was one of these.
    pub(crate) fn ended(&mut self, key: u64) -> bool {
        let Some(set) = self.keys.remove(&key) else { return false };
        if let Some(count) = self.in_set.get_mut(&set) {
            *count -= 1;
        }
        true
    }

    pub(crate) fn of_set(&self, set: usize) -> usize {
        self.in_set.get(&set).copied().unwrap_or(0)
    }
}
