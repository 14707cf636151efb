//! What a cache counts.

use crate::durations::Durations;

/// Counts since the start.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Requests that found their object.
    pub hits: u64,
    /// Requests that waited for a fetch that another request had begun.
    pub delayed_hits: u64,
    /// Requests that began a fetch.
    pub misses: u64,
    /// Fetches that asked an origin whether a stored object is still valid.
    pub revalidations: u64,
    /// Fetches without an answer that can be stored.
    pub failed: u64,
    /// Objects that entered.
    pub admitted: u64,
    /// Objects that the policy did not let in, or that are too large.
    pub refused: u64,
    /// Objects that left for others.
    pub evictions: u64,
    /// The sum of their sizes, in bytes.
    pub evicted_bytes: u64,
    /// Objects that were removed: purged, or invalidated by a request like `POST`.
    pub invalidated: u64,
    /// How long fetches took.
    pub fetches: Durations,
    /// How long requests waited for the fetch of another.
    pub waits: Durations,
}

impl Counts {
    pub(crate) fn evicted(&mut self, size: u64) {
        self.evictions += 1;
        self.evicted_bytes += size;
    }
}
