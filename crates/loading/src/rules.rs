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
    /// The share of its time to live after which a value is fetched anew; 1 if it is not.
    pub(crate) refresh_share: f64,
    /// In nanoseconds: for how long after its time to live a value may be served while it is fetched anew.
    pub(crate) stale_time: u64,
    /// In nanoseconds.
    pub(crate) time_to_idle: u64,
    pub(crate) fetch_limit: Option<Limit>,
    /// In nanoseconds.
    pub(crate) error_time: u64,
    pub(crate) on_removal: Option<Listener<K, V>>,
}

/// A value with its weight and time to live.
#[derive(Clone)]
pub(crate) struct Loaded<V> {
    pub(crate) value: V,
    pub(crate) weight: u64,
    /// In nanoseconds.
    pub(crate) time_to_live: u64,
}

impl<K, V> Rules<K, V> {
    /// No rules: all values weigh 1 and live for ever.
    pub(crate) fn none() -> Self {
        Self {
            weigher: None,
            time_to_live: None,
            refresh_share: 1.0,
            stale_time: 0,
            time_to_idle: u64::MAX,
            fetch_limit: None,
            error_time: 0,
            on_removal: None,
        }
    }

    /// Applies the rules. This runs the user's code, so no lock may be held.
    pub(crate) fn apply(&self, key: &K, value: V) -> Loaded<V> {
        let weight = self.weigher.as_ref().map_or(1, |weigher| weigher(key, &value)).max(1);
        let time_to_live = self.time_to_live.as_ref().map_or(u64::MAX, |live| nanoseconds(live(key, &value)));
        Loaded { value, weight, time_to_live }
    }

    /// As [`apply`](Self::apply), for a value that waiters share.
    pub(crate) fn apply_shared(&self, key: &K, value: V) -> Loaded<Arc<V>> {
        let Loaded { value, weight, time_to_live } = self.apply(key, value);
        Loaded { value: Arc::new(value), weight, time_to_live }
    }

    pub(crate) fn has_times_to_live(&self) -> bool {
        self.time_to_live.is_some()
    }

    /// Whether a fetch may begin while a value is still served.
    pub(crate) fn refreshes(&self) -> bool {
        self.has_times_to_live() && (self.refresh_share < 1.0 || self.stale_time > 0)
    }
}
