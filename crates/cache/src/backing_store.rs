//! The store behind a cache: how long its fetches take, and how many it serves at a time.

use crate::latency::Latencies;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Serves fetches in the order in which they are requested.
#[derive(Debug, Clone)]
pub struct BackingStore {
    times: Times,
    /// When each channel is free; [`None`] if there is one for every fetch.
    channels: Option<BinaryHeap<Reverse<u64>>>,
}

/// How long fetches take.
#[derive(Debug, Clone)]
enum Times {
    /// Each as long as the others, in ticks.
    Constant(u64),
    /// Each draws.
    Drawn(Latencies),
    /// Until the caller reports its end; this many ticks are expected.
    Reported(u64),
}

impl BackingStore {
    /// The end of a fetch of a store that [reports](Self::reporting), until it has ended.
    pub const UNKNOWN: u64 = u64::MAX;

    /// A store whose fetches take `latency` ticks; `parallel` of them at a time, or all at once.
    #[must_use]
    pub fn new(latency: u64, parallel: Option<u32>) -> Self {
        Self::of(Times::Constant(latency), parallel)
    }

    /// A store each of whose fetches draws how long it takes.
    #[must_use]
    pub fn drawing(latencies: Latencies, parallel: Option<u32>) -> Self {
        Self::of(Times::Drawn(latencies), parallel)
    }

    /// A store that serves all fetches at once and reports when each has ended, of which nothing is known before. A fetch is
    /// expected to take this many ticks.
    #[must_use]
    pub fn reporting(expected: u64) -> Self {
        Self::of(Times::Reported(expected), None)
    }

    fn of(times: Times, parallel: Option<u32>) -> Self {
        let channels = parallel.map(|count| (0..count.max(1)).map(|_| Reverse(0)).collect());
        Self { times, channels }
    }

    /// How long a fetch of `key` is expected to take that need not wait, in ticks.
    #[inline]
    #[must_use]
    pub fn latency(&self, key: u64) -> u64 {
        match &self.times {
            Times::Constant(latency) | Times::Reported(latency) => *latency,
            Times::Drawn(latencies) => latencies.expected(key, 1),
        }
    }

    /// Whether a fetch that is requested now begins now.
    #[must_use]
    pub fn is_free(&self, now: u64) -> bool {
        self.channels.as_ref().is_none_or(|channels| channels.peek().is_some_and(|free| free.0 <= now))
    }

    /// When a fetch that has to wait now would begin.
    #[must_use]
    pub fn free_at(&self, now: u64) -> u64 {
        let first = self.channels.as_ref().and_then(BinaryHeap::peek);
        first.map_or(now, |free| free.0.max(now))
    }

    /// Requests a fetch of `key`; returns when it ends, or [`UNKNOWN`](Self::UNKNOWN). Where all take the same time, ends never go
    /// back while `now` does not.
    pub fn fetch(&mut self, now: u64, key: u64) -> u64 {
        let latency = match &mut self.times {
            Times::Constant(latency) => *latency,
            Times::Drawn(latencies) => latencies.draw(key, 1),
            Times::Reported(_) => return Self::UNKNOWN,
        };
        self.fetch_for(now, latency)
    }

    /// Requests a fetch that takes `latency` ticks once it has begun; returns when it ends.
    pub fn fetch_for(&mut self, now: u64, latency: u64) -> u64 {
        let end = self.free_at(now).saturating_add(latency);
        if let Some(mut channel) = self.channels.as_mut().and_then(BinaryHeap::peek_mut) {
            channel.0 = end;
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latency::Latency;
    use forebay_core::Seed;

    #[test]
    fn two_at_a_time() {
        let mut store = BackingStore::new(10, Some(2));
        assert_eq!([0, 1, 2, 3, 40].map(|now| store.fetch(now, 1)), [10, 11, 20, 21, 50]);
        assert!(store.is_free(40));
        assert_eq!(store.fetch(41, 1), 51);
        assert!(!store.is_free(49));
        assert_eq!(store.free_at(45), 50);
    }

    #[test]
    fn each_fetch_takes_its_own_time() {
        let mut store = BackingStore::new(10, Some(1));
        assert_eq!([(0, 5), (1, 2), (7, 1)].map(|(now, latency)| store.fetch_for(now, latency)), [5, 7, 8]);
    }

    #[test]
    fn all_at_once() {
        let mut store = BackingStore::new(10, None);
        assert_eq!([0, 0, 5].map(|now| store.fetch(now, 1)), [10, 10, 15]);
        assert!(store.is_free(0));
    }
    #[test]
    fn fetches_draw_how_long_they_take() {
        let latencies = |seed| Latency::Uniform(10, 19).prepare(Seed(seed)).unwrap();
        let ends = |mut store: BackingStore| (0..200).map(|key| store.fetch(0, key)).collect::<Vec<_>>();
        let drawn = ends(BackingStore::drawing(latencies(1), None));
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&10), Some(&19)));
        assert_eq!(drawn, ends(BackingStore::drawing(latencies(1), None)));
        assert_ne!(drawn, ends(BackingStore::drawing(latencies(2), None)));
        // One after the other.
        let sums = ends(BackingStore::drawing(latencies(1), Some(1)));
        assert_eq!(sums.last(), Some(&drawn.iter().sum()));
        assert_eq!(BackingStore::drawing(latencies(1), None).latency(7), 14);
    }

    #[test]
    fn a_store_that_reports_knows_no_ends() {
        let mut store = BackingStore::reporting(30);
        assert_eq!([0, 0, 5].map(|now| store.fetch(now, 1)), [BackingStore::UNKNOWN; 3]);
        assert!(store.is_free(0) && store.latency(1) == 30);
    }
}
