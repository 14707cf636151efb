//! The counts of a cache of state.

/// The counts of a state cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StateCounts {
    /// Accesses to entries that were there.
    pub hits: u64,
    /// Accesses that waited for a fetch that another had begun.
    pub delayed_hits: u64,
    /// Accesses that began a fetch.
    pub misses: u64,
    /// Ticks that accesses waited; where ends of fetches are reported, those of fetches that have ended.
    pub waited: u128,
    /// Evicted entries.
    pub evictions: u64,
    /// Entries that were fetched and did not enter, since the policy would rather keep the others.
    pub refused: u64,
}

impl StateCounts {
    /// All accesses.
    #[must_use]
    pub fn accesses(&self) -> u64 {
        self.hits + self.delayed_hits + self.misses
    }

    /// The counts since `earlier`.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            hits: self.hits - earlier.hits,
            delayed_hits: self.delayed_hits - earlier.delayed_hits,
            misses: self.misses - earlier.misses,
            waited: self.waited - earlier.waited,
            evictions: self.evictions - earlier.evictions,
            refused: self.refused - earlier.refused,
        }
    }
}
