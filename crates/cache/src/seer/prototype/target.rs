//! The node at the other end of the link.

use crate::seer::{Fpm, SeerCache};
use crate::{Future, StateCache, StateCounts};
use forebay_core::{Duration, Time};
use std::ops::Sub;

/// A node with state, which packets and notifications reach in order of time.
pub trait Target {
    /// A control packet has arrived, which took `length` of the link: all expected packets arrive later by as much. Its
    /// notifications follow.
    fn control(&mut self, now: Time, length: Duration) {
        let _ = (now, length);
    }

    /// FPMs have arrived, one or more.
    fn announced(&mut self, now: Time, fpms: &[Fpm]) {
        let _ = (now, fpms);
    }

    /// The last bit of a packet has arrived, and the packet looks up the state of `id`.
    fn packet(&mut self, now: Time, id: u64);

    /// The counts so far.
    fn counts(&self) -> TargetCounts;
}

/// What happened to the packets of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TargetCounts {
    /// Packets whose state was in the cache.
    pub hits: u64,
    /// Packets that waited for a fetch that had begun before.
    pub delayed_hits: u64,
    /// Packets that began a fetch.
    pub misses: u64,
    /// Prefetches.
    pub prefetches: u64,
    /// How long packets waited for state, in picoseconds.
    pub waited: u128,
}

impl TargetCounts {
    /// All packets.
    #[must_use]
    pub fn accesses(&self) -> u64 {
        self.hits + self.delayed_hits + self.misses
    }

    /// Misses over accesses; 0 without accesses.
    #[must_use]
    pub fn miss_ratio(&self) -> f64 {
        self.share(self.misses)
    }

    /// The share of accesses that did not find the state in the cache: misses and delayed hits.
    #[must_use]
    pub fn absent_ratio(&self) -> f64 {
        self.share(self.misses + self.delayed_hits)
    }

    /// Reads of the backing store.
    #[must_use]
    pub fn fetches(&self) -> u64 {
        self.misses + self.prefetches
    }

    fn of(cache: StateCounts, prefetches: u64) -> Self {
        let StateCounts { hits, delayed_hits, misses, waited, .. } = cache;
        Self { hits, delayed_hits, misses, prefetches, waited }
    }

    fn share(&self, part: u64) -> f64 {
        if self.accesses() == 0 { 0.0 } else { part as f64 / self.accesses() as f64 }
    }
}

impl Sub for TargetCounts {
    type Output = Self;

    /// The counts since `before`.
    fn sub(self, before: Self) -> Self {
        Self {
            hits: self.hits - before.hits,
            delayed_hits: self.delayed_hits - before.delayed_hits,
            misses: self.misses - before.misses,
            prefetches: self.prefetches - before.prefetches,
            waited: self.waited - before.waited,
        }
    }
}

/// A cache that listens to nothing; a tick is a picosecond.
impl Target for StateCache {
    fn packet(&mut self, now: Time, id: u64) {
        self.access(now.as_ps(), id, Future::NONE);
    }

    fn counts(&self) -> TargetCounts {
        TargetCounts::of(Self::counts(self), 0)
    }
}

/// A cache that trusts its notifications; the prototype's port is its port 0.
impl Target for SeerCache {
    fn control(&mut self, now: Time, length: Duration) {
        self.pushed_back(now, 0, length);
    }

    fn announced(&mut self, now: Time, fpms: &[Fpm]) {
        self.notify(now, 0, fpms);
    }

    fn packet(&mut self, now: Time, id: u64) {
        self.access(now, Some(0), id);
    }

    fn counts(&self) -> TargetCounts {
        let counts = Self::counts(self);
        TargetCounts::of(counts.cache, counts.prefetches)
    }
}
