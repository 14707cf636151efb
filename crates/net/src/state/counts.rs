//! What a node with states counts.

use forebay_cache::StateCounts;

/// What a node with states has counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StateNodeCounts {
    /// What became of accesses; of their waits, those too that no packet waited for since it was dropped.
    pub cache: StateCounts,
    /// Fetches that began before a packet asked.
    pub prefetches: u64,
    /// Picoseconds that packets waited.
    pub waited_ps: u128,
    /// Packets that were to wait and found no room.
    pub packets_dropped: u64,
    /// Most packets that waited at a time.
    pub most_waiting: u32,
}

impl StateNodeCounts {
    /// Reads of the backing store.
    #[must_use]
    pub fn fetches(&self) -> u64 {
        self.cache.misses + self.prefetches
    }

    /// What was counted after `earlier`; the most that waited is that of the whole run.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let (now, then) = (&self.cache, &earlier.cache);
        Self {
            cache: StateCounts {
                hits: now.hits - then.hits,
                delayed_hits: now.delayed_hits - then.delayed_hits,
                misses: now.misses - then.misses,
                waited: now.waited - then.waited,
                evictions: now.evictions - then.evictions,
                refused: now.refused - then.refused,
            },
            prefetches: self.prefetches - earlier.prefetches,
            waited_ps: self.waited_ps - earlier.waited_ps,
            packets_dropped: self.packets_dropped - earlier.packets_dropped,
            most_waiting: self.most_waiting,
        }
    }
}
