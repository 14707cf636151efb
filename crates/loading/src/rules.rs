//! The weight and the time to live of a value.

use crate::limit::Limit;
use crate::removed::Removal;
use forebay_clock::nanoseconds;
use std::sync::Arc;
use std::time::Duration;

/// Weighs a key and its value.
pub(crate) type Weigher<K, V> = Box<dyn Fn(&K, &V) -> u64 + Send + Sync>;

/// Gives the time to live of a key's value.
pub(crate) type Lifetime<K, V> = Box<dyn Fn(&K, &V) -> Duration + Send + Sync>;

/// Hears of a key and its value that leave.
pub(crate) type Listener<K, V> = Box<dyn Fn(&K, &V, Removal) + Send + Sync>;

/// The rules of a cache about its values.
pub(crate) struct Rules<K, V> {
    pub(crate) weigher: Option<Weigher<K, V>>,
    pub(crate) time_to_live: Option<Lifetime<K, V>>,
    /// In nanoseconds.
    pub(crate) time_to_idle: u64,
    pub(crate) fetch_limit: Option<Limit>,
    /// In nanoseconds.
    pub(crate) error_time: u64,
    pub(crate) on_removal: Option<Listener<K, V>>,
}

/// A value with its weight and time to live.
pub(crate) struct Loaded<V> {
    pub(crate) value: Arc<V>,
    pub(crate) weight: u64,
    /// In nanoseconds.
    pub(crate) time_to_live: u64,
}

// Implemented by hand, since `V` is shared and need not be `Clone`.
impl<V> Clone for Loaded<V> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), ..*self }
    }
}

impl<K, V> Rules<K, V> {
    /// Applies the rules. This runs the user's code, so no lock may be held.
    pub(crate) fn apply(&self, key: &K, value: V) -> Loaded<V> {
        let weight = self.weigher.as_ref().map_or(1, |weigher| weigher(key, &value)).max(1);
        let time_to_live = self.time_to_live.as_ref().map_or(u64::MAX, |live| nanoseconds(live(key, &value)));
        Loaded { value: Arc::new(value), weight, time_to_live }
    }
}
