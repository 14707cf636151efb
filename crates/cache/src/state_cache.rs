//! A cache of state in front of a slower store, as in a switch, a middlebox or a NIC: packets look up entries and wait for
//! those that are missing.
//!
//! Accesses follow the model with delayed hits ([`Model::DelayedHits`](crate::Model)). A miss begins a fetch, and accesses
//! to an entry in flight wait for the rest of it. The entry enters when its fetch ends, before the accesses of that tick.
//! Here, time is not known ahead: each access learns until when to wait. All entries are of one size.

mod counts;
mod store;

use crate::access::{Access, Entry, Fetched, Future};
use crate::backing_store::BackingStore;
use crate::cache::{Admission, Cache};
use crate::choice::Choice;
use crate::policy::CachePolicy;
use crate::sets::{Sets, SetsSpec};
use forebay_core::{ParamError, Seed, convert};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

pub use counts::StateCounts;

/// The parameters of a state cache.
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

/// The outcome of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// The entry is there.
    Hit,
    /// It is being fetched, and is there at this tick, or [as soon as that is reported](BackingStore::UNKNOWN).
    DelayedHit(u64),
    /// Its fetch begins now, and ends at this tick, or [as soon as that is reported](BackingStore::UNKNOWN).
    Miss(u64),
}

/// One set of a state cache.
pub type StateSet = Cache<Box<dyn CachePolicy + Send>>;

/// The outcome of an entry whose fetch has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entering {
    /// Whether it is in its set now.
    pub entered: bool,
    /// The entry that was evicted for it.
    pub evicted: Option<Entry>,
}

impl Entering {
    /// The policy chooses the victim, or that there is none.
    pub fn by_policy(set: &mut StateSet, new: &Fetched) -> Self {
        let mut evicted = None;
        let admission = set.admit(new, |_, entry| evicted = Some(*entry));
        Self { entered: matches!(admission, Admission::Entered(_)), evicted }
    }

    /// It does not enter.
    pub fn refused(set: &mut StateSet, new: &Fetched) -> Self {
        set.give_up(new);
        Self { entered: false, evicted: None }
    }
}

/// Where an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whereabouts {
    /// In the cache.
    Here,
    /// In flight from the store.
    OnItsWay,
    /// In the store only.
    Away,
}

/// Entries, the policy that chooses victims among them, and the store behind them.
///
/// [`access`](Self::access) is all that a cache under a policy needs. A manager that knows more than the policy uses its
/// parts. It decides what enters when fetches end ([`land`](Self::land)) before it [looks up](Self::look_up). It can begin
/// fetches for which no access waits yet ([`prefetch`](Self::prefetch)).
pub struct StateCache {
    sets: Sets<Box<dyn CachePolicy + Send>>,
    store: BackingStore,
    flights: FxHashMap<u64, Flight>,
    /// Ends of the fetches with their keys, in order.
    ends: VecDeque<(u64, u64)>,
    counts: StateCounts,
    /// Keys of fetches whose end is to be reported, and that the caller has not yet taken.
    requested: Vec<u64>,
}

/// A fetch that is not complete.
#[derive(Debug, Clone, Copy)]
struct Flight {
    begin: u64,
    end: u64,
    last: u64,
    waiting: u64,
    /// If its end is to be reported: the times of all accesses that wait, added up.
    asked: u128,
    future: Future,
    /// Whether its slot in the set is reserved.
    reserved: bool,
}

impl Flight {
    fn begun(now: u64) -> Self {
        Self { begin: now, end: now, last: now, waiting: 0, asked: 0, future: Future::NONE, reserved: false }
    }
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
        let expected = convert::index(entries);
        let sets = SetsSpec { capacity: entries, entries: expected, ways, seed };
        Ok(Self {
            sets: Sets::new(&sets, |shape| policy.policy(shape))?,
            store: BackingStore::new(latency, parallel),
            flights: FxHashMap::default(),
            ends: VecDeque::new(),
            counts: StateCounts::default(),
            requested: Vec::new(),
        })
    }

    /// A lookup of the entry of `key`. Time does not go back. `future` is for policies that look into it.
    pub fn access(&mut self, now: u64, key: u64, future: Future) -> Lookup {
        while self.land(now, Entering::by_policy).is_some() {}
        self.look_up(now, key, future)
    }

    /// As [`access`](Self::access), when all fetches that ended by `now` have [landed](Self::land).
    pub fn look_up(&mut self, now: u64, key: u64, future: Future) -> Lookup {
        let access = Access { time: now, key, size: 1, latency: self.store.latency(key), future };
        if self.sets.request(&access).is_some() {
            self.counts.hits += 1;
            return Lookup::Hit;
        }
        if let Some(flight) = self.flights.get_mut(&key) {
            flight.waiting += 1;
            flight.last = now;
            flight.future = future;
            self.counts.delayed_hits += 1;
            match flight.end {
                BackingStore::UNKNOWN => flight.asked += u128::from(now),
                end => self.counts.waited += u128::from(end - now),
            }
            return Lookup::DelayedHit(flight.end);
        }
        let end = self.fetch(now, key, Flight { waiting: 1, asked: u128::from(now), future, ..Flight::begun(now) });
        self.counts.misses += 1;
        if end != BackingStore::UNKNOWN {
            self.counts.waited += u128::from(end - now);
        }
        Lookup::Miss(end)
    }

    /// The entry of `key` will be looked up by a packet that first waits for something else: its fetch begins now, if
    /// it is [`Away`](Whereabouts::Away). Returns whether one began. Not for policies that look into the future.
    pub fn look_ahead(&mut self, now: u64, key: u64) -> bool {
        while self.land(now, Entering::by_policy).is_some() {}
        let begins = self.find(key) == Whereabouts::Away;
        if begins {
            self.prefetch_without_place(now, key);
        }
        begins
    }

    /// Begins a fetch for which no access waits yet and reserves a slot for it; returns its end. [`None`] if its set
    /// has no room; [`make_room`](Self::make_room) may help.
    ///
    /// The entry must be [`Away`](Whereabouts::Away).
    pub fn prefetch(&mut self, now: u64, key: u64) -> Option<u64> {
        debug_assert_eq!(self.find(key), Whereabouts::Away, "an entry is fetched once");
        self.sets.set(key).reserve(1).then(|| self.fetch(now, key, Flight { reserved: true, ..Flight::begun(now) }))
    }

    /// The same without a reserved slot: the entry [enters](Self::land) as if it had been looked up. Returns the end.
    ///
    /// The entry must be [`Away`](Whereabouts::Away).
    pub fn prefetch_without_place(&mut self, now: u64, key: u64) -> u64 {
        debug_assert_eq!(self.find(key), Whereabouts::Away, "an entry is fetched once");
        self.fetch(now, key, Flight::begun(now))
    }

    fn fetch(&mut self, now: u64, key: u64, flight: Flight) -> u64 {
        let end = self.store.fetch(now, key);
        self.flights.insert(key, Flight { end, ..flight });
        if end == BackingStore::UNKNOWN {
            self.requested.push(key);
        } else {
            self.lands_at(end, key);
        }
        end
    }

    /// Adds the end of a fetch. Where all take the same time, it is after all others.
    fn lands_at(&mut self, end: u64, key: u64) {
        if self.ends.back().is_none_or(|(last, _)| *last <= end) {
            return self.ends.push_back((end, key));
        }
        let place = self.ends.partition_point(|(other, _)| *other <= end);
        self.ends.insert(place, (end, key));
    }

    /// Inserts the first entry whose fetch ended by `now`; returns that end and the entry. `enter` decides on the entry
    /// if no slot is reserved: [`Entering::by_policy`], if there is nothing else to consider.
    pub fn land(&mut self, now: u64, enter: impl FnOnce(&mut StateSet, &Fetched) -> Entering) -> Option<(u64, u64)> {
        let (_, key) = self.ends.pop_front_if(|(end, _)| *end <= now)?;
        let Flight { begin, end, last, waiting, future, reserved, .. } = self.flights.remove(&key)?;
        // Policies know no object for which no access waited.
        let new = Fetched { time: end, key, size: 1, latency: end - begin, last, waiting: waiting.max(1), future };
        let set = self.sets.set(key);
        if reserved {
            set.enter_reserved(&new);
        } else {
            let Entering { entered, evicted } = enter(set, &new);
            self.counts.evictions += u64::from(evicted.is_some());
            self.counts.refused += u64::from(!entered);
        }
        Some((end, key))
    }

    /// When the next fetch ends.
    #[must_use]
    pub fn next_landing(&self) -> Option<u64> {
        self.ends.front().map(|(end, _)| *end)
    }

    /// Where an entry is, without a lookup of it.
    #[must_use]
    pub fn find(&self, key: u64) -> Whereabouts {
        if self.sets.get(key).find(key).is_some() {
            Whereabouts::Here
        } else if self.flights.contains_key(&key) {
            Whereabouts::OnItsWay
        } else {
            Whereabouts::Away
        }
    }

    /// Makes room for `key` in its set; `choose` names the victim among the entries of the set.
    pub fn make_room(
        &mut self,
        now: u64,
        key: u64,
        choose: impl FnOnce(&mut StateSet, &Fetched) -> Option<Entry>,
    ) -> Option<Entry> {
        let latency = self.store.latency(key);
        let new = Fetched { time: now, key, size: 1, latency, last: now, waiting: 1, future: Future::NONE };
        let evicted = choose(self.sets.set(key), &new);
        self.counts.evictions += u64::from(evicted.is_some());
        evicted
    }

    /// How many entries still fit into the set of `key`.
    #[must_use]
    pub fn room(&self, key: u64) -> u64 {
        self.set(key).room()
    }

    /// The set of `key`.
    #[must_use]
    pub fn set(&self, key: u64) -> &StateSet {
        self.sets.get(key)
    }

    /// The set in which an entry is, if it is there.
    #[must_use]
    pub fn set_of(&self, key: u64) -> usize {
        self.sets.index(key)
    }

    /// The store behind the cache.
    #[must_use]
    pub fn store(&self) -> &BackingStore {
        &self.store
    }

    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> StateCounts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latency::Latency;
    use crate::model::{Model, Service, Setup};
    use crate::{Observer, POLICIES, RequestOutcome};
    use forebay_core::Request;
    use rand::RngExt as _;

    fn spec(entries: u64, ways: Option<u64>, parallel: Option<u32>) -> StateCacheSpec {
        StateCacheSpec { entries, ways, latency: 100, parallel, seed: Seed(5) }
    }

    /// Keeps what happened to each request.
    #[derive(Default)]
    struct All(std::sync::Arc<std::sync::Mutex<Vec<RequestOutcome>>>);

    impl Observer for All {
        fn outcome(&mut self, _: &Request, outcome: RequestOutcome) {
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
                size_change: None,
                service: Service::default(),
                warmup: 0,
                seed: Seed(5),
                observer: Some(Box::new(played)),
            };
            choice.simulation(setup).unwrap().feed(&requests, &[]);
            let mut cache = StateCache::new(&spec(16, ways, None), &choice).unwrap();
            for (request, expected) in requests.iter().zip(outcomes.lock().unwrap().iter()) {
                let outcome = match cache.access(request.time, request.key, Future::NONE) {
                    Lookup::Hit => RequestOutcome::Hit(0),
                    Lookup::DelayedHit(until) => RequestOutcome::DelayedHit(until - request.time),
                    Lookup::Miss(until) => RequestOutcome::Miss(until - request.time),
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
