//! Service times of requests besides fetches, and lifetimes of objects. By default, a hit costs nothing, requests that
//! wait for one fetch leave together, and every fetch begins at once. Objects live for ever, and nothing is fetched
//! before it is requested.

use crate::policy::CachePolicy;
use crate::prefetch_choice::Prefetch;
use crate::sets::Sets;
use rustc_hash::FxHashMap;

/// The additions of the model to fetches.
#[derive(Debug, Clone, Default)]
pub struct Service {
    /// The latency of a hit, in ticks: no request takes less (thesis, equation 2.1).
    pub hit_latency: u64,
    /// Time between two requests that leave after waiting for one fetch, in ticks. They leave in the order of their
    /// arrival (thesis 2.1, footnote 2). The first of them is the miss, which leaves when the fetch ends.
    pub release_interval: u64,
    /// Number of fetches that each origin serves at a time, while others wait in order; [`None`]: all at once.
    pub parallel: Option<u32>,
    /// How long an object may be used (thesis 2.6.3).
    pub lifetime: Lifetime,
    /// The prefetcher, if there is one. Sizes are 1 then.
    pub prefetch: Option<Prefetch>,
}

/// For how many ticks after the end of its fetch an object may be used.
#[derive(Debug, Clone, Default)]
pub enum Lifetime {
    /// For ever.
    #[default]
    Endless,
    /// Each object alike.
    Constant(u64),
    /// Each object has its own; objects that are not named live for ever.
    PerObject(FxHashMap<u64, u64>),
}

impl Lifetime {
    fn of(&self, key: u64) -> Option<u64> {
        match self {
            Self::Endless => None,
            Self::Constant(ticks) => Some(*ticks),
            Self::PerObject(each) => each.get(&key).copied(),
        }
    }
}

/// The ends of cached objects' lifetimes. An expired object stays until it is requested or evicted, as in memcached.
pub(super) struct Expiry {
    lifetime: Lifetime,
    /// The first tick at which an object is no longer valid, by key.
    ends: FxHashMap<u64, u64>,
}

impl Expiry {
    /// [`None`] if objects live for ever.
    pub(super) fn new(lifetime: Lifetime) -> Option<Self> {
        (!matches!(lifetime, Lifetime::Endless)).then(|| Self { lifetime, ends: FxHashMap::default() })
    }

    /// An object whose fetch ended at `time` was inserted.
    pub(super) fn entered(&mut self, key: u64, time: u64) {
        if let Some(ticks) = self.lifetime.of(key) {
            self.ends.insert(key, time.saturating_add(ticks));
        }
    }

    /// An object was evicted.
    pub(super) fn left(&mut self, key: u64) {
        self.ends.remove(&key);
    }

    /// Takes an object out of the cache if it has expired; returns whether it was there.
    #[inline]
    pub(super) fn take_out<P: CachePolicy>(&mut self, key: u64, time: u64, sets: &mut Sets<P>) -> bool {
        if self.ends.get(&key).is_none_or(|end| time < *end) {
            return false;
        }
        self.ends.remove(&key);
        sets.set(key).invalidate(key).is_some()
    }
}
