//! A cache of state in front of a slower store, as it stands in a switch, a middlebox or a NIC: packets ask for entries and
//! wait for those that are not there.
//!
//! What happens to an access is what happens in the model with delayed hits ([`Model::DelayedHits`](crate::Model)): a miss
//! begins a fetch, accesses to what is being fetched wait for the rest, and the entry enters when its fetch ends, before
//! the accesses of that tick. Here time is not known ahead: whoever asks learns until when to wait. All entries are of one
//! size.

use crate::access::{Access, Fetched, Future};
use crate::backing_store::BackingStore;
use crate::cache::Admission;
use crate::choice::Choice;
use crate::policy::Policy;
use crate::sets::{Sets, SetsSpec};
use forebay_core::{ParamError, Seed};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What a state cache is.
#[derive(Debug, Clone, Copy)]
pub struct StateCacheSpec {
    /// How many entries it holds.
    pub entries: u64,
    /// How many entries a set has; [`None`]: one set, fully associative.
    pub ways: Option<u64>,
    /// How long a fetch from the store takes, in ticks; 1 or more.
    pub latency: u64,
    /// How many fetches the store serves at a time; [`None`]: all.
    pub parallel: Option<u32>,
    /// The root of all random numbers, and of the hash that chooses a set.
    pub seed: Seed,
}

/// What becomes of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// The entry is there.
    Hit,
    /// It is being fetched, and is there at this tick.
    DelayedHit(u64),
    /// Its fetch was asked for now, and ends at this tick.
    Miss(u64),
}

/// What a state cache counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StateCounts {
    /// Accesses to entries that were there.
    pub hits: u64,
    /// Accesses that waited for a fetch that another had begun.
    pub delayed_hits: u64,
    /// Accesses that began a fetch.
    pub misses: u64,
    /// Ticks that accesses waited.
    pub waited: u128,
    /// Entries that left for want of room.
    pub evictions: u64,
    /// Entries that were fetched and did not enter, since the policy would rather keep what it had.
    pub refused: u64,
}

impl StateCounts {
    /// All accesses.
    #[must_use]
    pub fn accesses(&self) -> u64 {
        self.hits + self.delayed_hits + self.misses
    }
}

/// Entries, the policy that says which of them leaves, and the store behind them.
pub struct StateCache {
    sets: Sets<Box<dyn Policy + Send>>,
    store: BackingStore,
    flights: FxHashMap<u64, Flight>,
    /// Ends of the fetches with their keys, in order.
    ends: VecDeque<(u64, u64)>,
    counts: StateCounts,
}

/// A fetch that is not complete.
#[derive(Debug, Clone, Copy)]
struct Flight {
    begin: u64,
    end: u64,
    last: u64,
    waiting: u64,
    future: Future,
}

impl StateCache {
    /// An empty cache under a policy.
    ///
    /// # Errors
    /// If entries, ways or the policy's parameters do not fit together.
    pub fn new(spec: &StateCacheSpec, policy: &Choice) -> Result<Self, ParamError> {
        let StateCacheSpec { entries, ways, latency, parallel, seed } = *spec;
        if latency == 0 {
            return Err(ParamError::of("latency", "a fetch takes time; the latency must be above 0"));
        }
        let expected = usize::try_from(entries).unwrap_or(usize::MAX);
        let sets = SetsSpec { capacity: entries, entries: expected, ways, seed };
        Ok(Self {
            sets: Sets::new(&sets, |shape| policy.policy(shape))?,
            store: BackingStore::new(latency, parallel),
            flights: FxHashMap::default(),
            ends: VecDeque::new(),
            counts: StateCounts::default(),
        })
    }

    /// Something wants the entry of `key`. Time does not go back. `future` is for policies that look into it.
    pub fn access(&mut self, now: u64, key: u64, future: Future) -> Lookup {
        self.land(now);
        let access = Access { time: now, key, size: 1, latency: self.store.latency(), future };
        if self.sets.request(&access).is_some() {
            self.counts.hits += 1;
            return Lookup::Hit;
        }
        if let Some(flight) = self.flights.get_mut(&key) {
            flight.waiting += 1;
            flight.last = now;
            flight.future = future;
            self.counts.delayed_hits += 1;
            self.counts.waited += u128::from(flight.end - now);
            return Lookup::DelayedHit(flight.end);
        }
        let end = self.store.fetch(now);
        self.flights.insert(key, Flight { begin: now, end, last: now, waiting: 1, future });
        self.ends.push_back((end, key));
        self.counts.misses += 1;
        self.counts.waited += u128::from(end - now);
        Lookup::Miss(end)
    }

    /// Lets enter what has come by `now`.
    fn land(&mut self, now: u64) {
        while let Some((_, key)) = self.ends.pop_front_if(|(end, _)| *end <= now) {
            let Some(Flight { begin, end, last, waiting, future }) = self.flights.remove(&key) else { continue };
            let new = Fetched { time: end, key, size: 1, latency: end - begin, last, waiting, future };
            let evictions = &mut self.counts.evictions;
            if !matches!(self.sets.admit(&new, |_, _| *evictions += 1), Admission::Entered(_)) {
                self.counts.refused += 1;
            }
        }
    }

    /// What has been counted so far.
    #[must_use]
    pub fn counts(&self) -> StateCounts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latency::Latency;
    use crate::model::{Model, Setup};
    use crate::{Observer, Outcome, POLICIES};
    use forebay_core::Request;
    use rand::RngExt as _;

    fn spec(entries: u64, ways: Option<u64>, parallel: Option<u32>) -> StateCacheSpec {
        StateCacheSpec { entries, ways, latency: 100, parallel, seed: Seed(5) }
    }

    /// Keeps what happened to each request.
    #[derive(Default)]
    struct All(std::sync::Arc<std::sync::Mutex<Vec<Outcome>>>);

    impl Observer for All {
        fn outcome(&mut self, _: &Request, outcome: Outcome) {
            self.0.lock().unwrap().push(outcome);
        }
    }

    #[test]
    fn it_is_the_model_with_delayed_hits_under_every_policy() {
        let mut rng = Seed(7).stream("state cache");
        let mut time = 0;
        let requests: Vec<Request> = (0..4_000)
            .map(|_| {
                time += rng.random_range(0..80);
                Request { time, key: rng.random_range(0..60_u64).min(rng.random_range(0..60)), size: 1 }
            })
            .collect();
        for (name, ways) in POLICIES.iter().flat_map(|entry| [(entry.about.name, None), (entry.about.name, Some(4))]) {
            let choice: Choice = name.parse().unwrap();
            if choice.offline() {
                continue;
            }
            let played = All::default();
            let outcomes = played.0.clone();
            let setup = Setup {
                model: Model::DelayedHits,
                capacity: 16,
                entries: 16,
                ways,
                latency: Latency::Constant(100),
                warmup: 0,
                seed: Seed(5),
                observer: Some(Box::new(played)),
            };
            choice.simulation(setup).unwrap().feed(&requests, &[]);
            let mut cache = StateCache::new(&spec(16, ways, None), &choice).unwrap();
            for (request, expected) in requests.iter().zip(outcomes.lock().unwrap().iter()) {
                let outcome = match cache.access(request.time, request.key, Future::NONE) {
                    Lookup::Hit => Outcome::Hit,
                    Lookup::DelayedHit(until) => Outcome::DelayedHit(until - request.time),
                    Lookup::Miss(until) => Outcome::Miss(until - request.time),
                };
                assert_eq!(outcome, *expected, "{name} {ways:?} {request:?}");
            }
        }
    }

    #[test]
    fn fetches_wait_for_the_store() {
        let mut cache = StateCache::new(&spec(2, None, Some(1)), &"lru".parse().unwrap()).unwrap();
        let mut access = |now, key| cache.access(now, key, Future::NONE);
        assert_eq!(access(0, 1), Lookup::Miss(100));
        assert_eq!(access(10, 2), Lookup::Miss(200));
        assert_eq!(access(150, 2), Lookup::DelayedHit(200));
        assert_eq!(access(200, 2), Lookup::Hit);
        assert_eq!(access(200, 1), Lookup::Hit);
        assert_eq!(cache.counts().waited, 100 + 190 + 50);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let wrong = |spec| StateCache::new(&spec, &"lru".parse().unwrap()).err().unwrap().to_string();
        assert!(wrong(spec(0, None, None)).contains("above 0"));
        assert!(wrong(spec(10, Some(4), None)).contains("take 8"));
        assert!(wrong(StateCacheSpec { latency: 0, ..spec(1, None, None) }).contains("takes time"));
    }
}
