//! The store behind a cache: every fetch takes the same time, and so many are served at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Serves fetches in the order in which they are asked for.
#[derive(Debug, Clone)]
pub struct BackingStore {
    latency: u64,
    /// When each channel is free; [`None`] if there is one for every fetch.
    channels: Option<BinaryHeap<Reverse<u64>>>,
}

impl BackingStore {
    /// A store whose fetches take `latency` ticks; `parallel` of them at a time, or all at once.
    #[must_use]
    pub fn new(latency: u64, parallel: Option<u32>) -> Self {
        let channels = parallel.map(|count| (0..count.max(1)).map(|_| Reverse(0)).collect());
        Self { latency, channels }
    }

    /// How long a fetch takes that need not wait.
    #[must_use]
    pub fn latency(&self) -> u64 {
        self.latency
    }

    /// Whether a fetch that is asked for now begins now.
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

    /// Asks for a fetch; says when it ends. Ends never go back while `now` does not.
    pub fn fetch(&mut self, now: u64) -> u64 {
        self.fetch_for(now, self.latency)
    }

    /// Asks for a fetch that takes `latency` ticks once it has begun; says when it ends.
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

    #[test]
    fn two_at_a_time() {
        let mut store = BackingStore::new(10, Some(2));
        assert_eq!([0, 1, 2, 3, 40].map(|now| store.fetch(now)), [10, 11, 20, 21, 50]);
        assert!(store.is_free(40));
        assert_eq!(store.fetch(41), 51);
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
        assert_eq!([0, 0, 5].map(|now| store.fetch(now)), [10, 10, 15]);
        assert!(store.is_free(0));
    }
}
