//! The caches that hold the states of a node.

use super::future_accesses::Foreseen;
use super::notified_node::{Tellers, Told};
use forebay_cache::seer::SeerCache;
use forebay_cache::{Entering, Future, Lookup, StateCache, StateCounts};
use forebay_core::Time;

/// The cache that holds the states of a node.
pub enum StateStore {
    /// A cache that fetches a state when a packet arrives that needs it.
    OnDemand(Box<StateCache>),
    /// A cache under a policy that looks into the future, as an earlier run recorded it.
    Foreseen(Box<StateCache>, Foreseen),
    /// A notified cache.
    Told(Box<Told>),
}

/// A [`StateStore`] in a run.
pub(super) enum Store {
    OnDemand(Box<StateCache>),
    Foreseen(Box<StateCache>, Foreseen),
    Told(Box<SeerCache>),
}

impl Store {
    /// The store, and the ports that notify it.
    pub(super) fn new(store: StateStore) -> (Self, Option<Tellers>) {
        match store {
            StateStore::OnDemand(cache) => (Self::OnDemand(cache), None),
            StateStore::Foreseen(cache, foreseen) => (Self::Foreseen(cache, foreseen), None),
            StateStore::Told(told) => {
                let Told { cache, tellers } = *told;
                (Self::Told(Box::new(cache)), Some(tellers))
            }
        }
    }

    /// A packet needs the state of `key`; it arrived through this port of a notified node.
    #[inline]
    pub(super) fn access(&mut self, now: Time, port: Option<usize>, key: u64) -> Lookup {
        let ticks = now.as_ps();
        match self {
            Self::OnDemand(cache) => cache.access(ticks, key, Future::NONE),
            Self::Foreseen(cache, foreseen) => cache.access(ticks, key, foreseen.after(ticks, key)),
            Self::Told(cache) => cache.access(now, port, key),
        }
    }

    /// A packet that was held up needs the state of `key` now.
    pub(super) fn access_held(&mut self, now: Time, port: Option<usize>, key: u64, is_expected: bool) -> Lookup {
        match (self, port) {
            (Self::Told(cache), Some(port)) => cache.access_held(now, port, key, is_expected),
            (store, port) => store.access(now, port, key),
        }
    }

    /// The keys of the fetches that have begun since this was asked last, where the store reports their ends.
    pub(super) fn requested(&mut self) -> Vec<u64> {
        match self {
            Self::OnDemand(cache) | Self::Foreseen(cache, _) => cache.requested().collect(),
            Self::Told(cache) => cache.requested().collect(),
        }
    }

    /// The store reports that the fetch of `key` ends now: its entry enters.
    pub(super) fn answered(&mut self, now: Time, key: u64) {
        match self {
            Self::OnDemand(cache) | Self::Foreseen(cache, _) => {
                cache.answered(now.as_ps(), key);
                while cache.land(now.as_ps(), Entering::by_policy).is_some() {}
            }
            Self::Told(cache) => {
                cache.answered(now, key);
            }
        }
    }

    pub(super) fn counts(&self) -> StateCounts {
        match self {
            Self::OnDemand(cache) | Self::Foreseen(cache, _) => cache.counts(),
            Self::Told(cache) => cache.counts().cache,
        }
    }
}
