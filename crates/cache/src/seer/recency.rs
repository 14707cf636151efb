//! When entries were looked up last.

use forebay_core::Time;
use rustc_hash::FxHashMap;

/// For entries that are in the cache or on their way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recency {
    last: FxHashMap<u64, Time>,
}

impl Recency {
    pub(crate) fn asked(&mut self, now: Time, key: u64) {
        self.last.insert(key, now);
    }

    pub(crate) fn left(&mut self, key: u64) {
        self.last.remove(&key);
    }

    /// The start of time for entries that were never looked up.
    pub(crate) fn last(&self, key: u64) -> Time {
        self.last.get(&key).copied().unwrap_or(Time::ZERO)
    }
}
