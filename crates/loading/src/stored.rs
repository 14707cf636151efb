//! An entry of the cache.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An entry.
pub(crate) struct Stored<K, V> {
    pub(crate) hash: u64,
    pub(crate) key: Arc<K>,
    pub(crate) value: Arc<V>,
    pub(crate) weight: u64,
    /// The time at which it expires, unless it is used before.
    pub(crate) idle_from: AtomicU64,
    /// The time at which it expires.
    pub(crate) expires: u64,
}

impl<K, V> Stored<K, V> {
    pub(crate) fn is_over(&self, now: u64) -> bool {
        now >= self.expires.min(self.idle_from.load(Ordering::Relaxed))
    }
}
