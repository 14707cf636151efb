//! Other stores behind a cache of state than one whose fetches all take the same time.

use super::StateCache;
use crate::BackingStore;

impl StateCache {
    /// The same cache, empty as it is, in front of another store.
    #[must_use]
    pub fn in_front_of(mut self, store: BackingStore) -> Self {
        debug_assert!(self.flights.is_empty(), "nothing has been fetched from the store before");
        self.store = store;
        self
    }

    /// The keys of the fetches that have begun since the last call, if the store [reports](BackingStore::reporting)
    /// their ends, in the order in which they began.
    pub fn requested(&mut self) -> impl Iterator<Item = u64> {
        self.requested.drain(..)
    }

    /// The store reports that the fetch of `key` ends now. It [lands](Self::land) then. Returns whether there was such
    /// a fetch.
    pub fn answered(&mut self, now: u64, key: u64) -> bool {
        let flight = self.flights.get_mut(&key).filter(|flight| flight.end == BackingStore::UNKNOWN);
        let Some(flight) = flight else { return false };
        flight.end = now;
        self.counts.waited += u128::from(now) * u128::from(flight.waiting) - flight.asked;
        self.lands_at(now, key);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Future, Latency, Lookup, StateCacheSpec, Whereabouts};
    use forebay_core::Seed;
    use rand::RngExt as _;

    fn cache(policy: &str, store: BackingStore) -> StateCache {
        let spec = StateCacheSpec { entries: 8, ways: Some(4), latency: 100, parallel: None, seed: Seed(5) };
        StateCache::new(&spec, &policy.parse().unwrap()).unwrap().in_front_of(store)
    }

    #[test]
    fn a_store_that_reports_after_a_constant_time_is_one_that_takes_it() {
        for policy in ["lru", "lfu", "sieve", "lru-mad"] {
            let mut rng = Seed(9).stream("reported");
            let mut known = cache(policy, BackingStore::new(100, None));
            let mut reported = cache(policy, BackingStore::reporting(100));
            let (mut now, mut ends) = (0, std::collections::VecDeque::new());
            for _ in 0..5_000 {
                now += rng.random_range(0..60);
                let key = rng.random_range(0..20_u64).min(rng.random_range(0..20));
                while let Some((end, key)) = ends.pop_front_if(|(end, _)| *end <= now) {
                    assert!(reported.answered(end, key));
                }
                let looked = reported.access(now, key, Future::NONE);
                ends.extend(reported.requested().map(|key| (now + 100, key)));
                match (known.access(now, key, Future::NONE), looked) {
                    (Lookup::Hit, Lookup::Hit) => {}
                    (Lookup::Miss(_), Lookup::Miss(BackingStore::UNKNOWN)) => {}
                    (Lookup::DelayedHit(end), Lookup::DelayedHit(reported)) => {
                        assert!(reported == BackingStore::UNKNOWN && end > now);
                    }
                    (known, reported) => panic!("{policy}: {known:?} {reported:?}"),
                }
            }
            for (end, key) in ends {
                assert!(reported.answered(end, key));
            }
            while reported.land(u64::MAX - 1, crate::Entering::by_policy).is_some() {}
            while known.land(u64::MAX - 1, crate::Entering::by_policy).is_some() {}
            assert_eq!(known.counts(), reported.counts(), "{policy}");
            assert!(known.counts().delayed_hits > 100 && known.counts().evictions > 100);
        }
    }

    #[test]
    fn nobody_else_is_answered() {
        let mut cache = cache("lru", BackingStore::reporting(100));
        assert!(!cache.answered(0, 1));
        assert_eq!(cache.access(0, 1, Future::NONE), Lookup::Miss(BackingStore::UNKNOWN));
        assert!(!cache.answered(1, 2) && cache.answered(7, 1) && !cache.answered(8, 1));
        assert_eq!((cache.find(1), cache.counts().waited), (Whereabouts::OnItsWay, 7));
        assert_eq!(cache.access(9, 1, Future::NONE), Lookup::Hit);
    }

    #[test]
    fn what_is_fetched_fast_enters_first() {
        let latencies = Latency::Uniform(1, 100).prepare(Seed(3)).unwrap();
        let mut cache = cache("lru", BackingStore::drawing(latencies, None));
        let mut ends: Vec<u64> = (0..50)
            .map(|key| match cache.access(0, key, Future::NONE) {
                Lookup::Miss(end) => end,
                other => panic!("{other:?}"),
            })
            .collect();
        let mut landed = Vec::new();
        while let Some((end, _)) = cache.land(200, crate::Entering::by_policy) {
            landed.push(end);
        }
        ends.sort_unstable();
        assert_eq!(landed, ends);
    }
}
