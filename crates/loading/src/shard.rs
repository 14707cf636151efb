//! A part of the cache under one lock: entries, policy, flights, counts.

use crate::announcements::Announcements;
use crate::error::FetchError;
use crate::failures::Failures;
use crate::flight::{Asked, Flight, Kind, Role};
use crate::latencies::Latencies;
use crate::metrics::Metrics;
use crate::removed::{Garbage, Removal};
use crate::rules::{Loaded, Rules};
use crate::stored::Stored;
use forebay_cache::{Access, Admission, Cache, CachePolicy, Entry, Fetched, Future, Shape, Slot};
use forebay_clock::Clock;
use hashbrown::HashTable;
use std::borrow::Borrow;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The types of the flights of a cache.
pub(crate) struct Loading<K, V, E>(PhantomData<(K, V, E)>);

/// The key by which the cache knows a flight.
pub(crate) struct Tag<K> {
    pub(crate) key: Arc<K>,
    pub(crate) hash: u64,
    /// The time at which it began, in nanoseconds.
    pub(crate) began: u64,
}

/// The end of a fetch.
pub(crate) type FetchOutcome<V, E> = Result<Loaded<V>, FetchError<E>>;

impl<K, V, E> Kind for Loading<K, V, E>
where
    K: Send + Sync,
    V: Send + Sync,
    E: Send + Sync,
{
    type Tag = Tag<K>;
    type Outcome = FetchOutcome<V, E>;

    fn panicked(message: &str) -> Self::Outcome {
        Err(FetchError::Panicked(message.into()))
    }
}

/// A fetch in flight.
pub(crate) type SharedFlight<K, V, E> = Arc<Flight<Loading<K, V, E>>>;

/// The policy of a shard.
pub(crate) type BoxedPolicy = Box<dyn CachePolicy + Send + Sync>;

/// An error is remembered for each so many expected entries.
const ENTRIES_PER_ERROR: usize = 8;
/// Maximum number of announcements that a shard keeps for each expected entry.
const ANNOUNCED_PER_ENTRY: usize = 2;

/// A part of the cache.
pub(crate) struct Shard<K, V, E>
where
    K: Send + Sync,
    V: Send + Sync,
    E: Send + Sync,
{
    cache: Cache<BoxedPolicy>,
    stored: Vec<Option<Stored<K, V>>>,
    flights: HashTable<SharedFlight<K, V, E>>,
    latencies: Latencies,
    pub(crate) failures: Failures<K, E>,
    announced: Announcements,
    time_to_idle: u64,
    /// Whether entries expire.
    is_timed: bool,
    now: u64,
    pub(crate) counted: Metrics,
}

impl<K, V, E> Shard<K, V, E>
where
    K: Eq + Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    pub(crate) fn new(shape: &Shape, policy: BoxedPolicy, rules: &Rules<K, V>) -> Self {
        Self {
            cache: Cache::new(shape, policy),
            stored: Vec::with_capacity(shape.entries),
            flights: HashTable::new(),
            latencies: Latencies::new(shape.entries),
            failures: Failures::new(shape.entries / ENTRIES_PER_ERROR, rules.error_time),
            announced: Announcements::new(shape.entries.saturating_mul(ANNOUNCED_PER_ENTRY)),
            time_to_idle: rules.time_to_idle,
            is_timed: rules.time_to_live.is_some() || rules.time_to_idle < u64::MAX,
            now: 0,
            counted: Metrics::default(),
        }
    }

    /// The latest known time. Threads read the clock before they get the lock, so their times may be out of order. The
    /// times of a shard are not.
    pub(crate) fn advance(&mut self, now: u64) -> u64 {
        self.now = self.now.max(now);
        self.now
    }

    /// The latest known time.
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// The entry of a key, expired or not.
    fn cached<Q: Eq + ?Sized>(&self, hash: u64, key: &Q) -> Option<(Slot, &Stored<K, V>)>
    where
        K: Borrow<Q>,
    {
        let slot = self.cache.find(hash)?;
        let stored = self.stored[slot as usize].as_ref().filter(|stored| (*stored.key).borrow() == key)?;
        Some((slot, stored))
    }

    /// The slot and the value of a key, if it is cached and not expired, and a request for it changes nothing else.
    pub(crate) fn glance<Q: Eq + ?Sized>(&self, hash: u64, key: &Q, clock: &dyn Clock) -> Option<(Slot, V)>
    where
        K: Borrow<Q>,
        V: Clone,
    {
        if self.announced.len() > 0 {
            return None;
        }
        let (slot, stored) = self.cached(hash, key)?;
        if self.is_timed {
            let now = self.now.max(clock.nanoseconds());
            if stored.is_over(now) {
                return None;
            }
            stored.idle_from.fetch_max(now.saturating_add(self.time_to_idle), Ordering::Relaxed);
        }
        Some((slot, V::clone(&stored.value)))
    }

    /// Tells the policy of a hit, by one of several threads. Returns false if the policy must hear of it by
    /// [`was_hit`](Self::was_hit).
    pub(crate) fn mark(&self, slot: Slot) -> bool {
        self.cache.mark(slot)
    }

    /// Tells the policy of a hit at a time that is past.
    pub(crate) fn was_hit(&mut self, slot: Slot, time: u64) {
        self.advance(time);
        if let Some(stored) = &self.stored[slot as usize] {
            let access = self.access(stored.hash, stored.weight);
            self.cache.request_at(slot, &access);
        }
    }

    /// The index of a key that is cached and not expired. An expired entry is removed.
    fn find<Q: Eq + ?Sized>(&mut self, hash: u64, key: &Q, garbage: &mut Garbage<K, V>) -> Option<Slot>
    where
        K: Borrow<Q>,
    {
        let (slot, stored) = self.cached(hash, key)?;
        if stored.is_over(self.now) {
            self.take_out(hash, Removal::Expired, garbage);
            self.counted.expirations += 1;
            return None;
        }
        Some(slot)
    }

    /// A lookup without a fetch.
    pub(crate) fn hit<Q: Eq + ?Sized>(&mut self, hash: u64, key: &Q, garbage: &mut Garbage<K, V>) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        let slot = self.find(hash, key, garbage)?;
        let stored = self.stored[slot as usize].as_mut()?;
        *stored.idle_from.get_mut() = self.now.saturating_add(self.time_to_idle);
        let (value, size) = (Arc::clone(&stored.value), stored.weight);
        self.requested(hash, size);
        self.counted.hits += 1;
        Some(value)
    }

    /// Handles a request before its outcome is visible to others. It may be the announced one.
    pub(crate) fn requested(&mut self, hash: u64, size: u64) {
        self.announced.request(hash, self.now);
        self.tell(hash, size);
    }

    /// Announces that a key will be requested at `when`. Returns whether the shard remembers it.
    pub(crate) fn announce(&mut self, hash: u64, when: u64) -> bool {
        self.announced.announce(hash, self.now, when)
    }

    /// Withdraws the announcement of a key. Returns whether there was one.
    pub(crate) fn take_back(&mut self, hash: u64) -> bool {
        self.announced.forget(hash)
    }

    /// Reports a request to the policy.
    fn tell(&mut self, hash: u64, size: u64) {
        let access = self.access(hash, size);
        self.cache.request(&access);
    }

    /// A request now.
    fn access(&self, key: u64, size: u64) -> Access {
        Access { time: self.now, key, size, latency: self.latencies.of(key), future: Future::NONE }
    }

    /// The fetch of a key in flight.
    pub(crate) fn flight<Q: Eq + ?Sized>(&self, hash: u64, key: &Q) -> Option<&SharedFlight<K, V, E>>
    where
        K: Borrow<Q>,
    {
        let same = |flight: &SharedFlight<K, V, E>| flight.tag().hash == hash && (*flight.tag().key).borrow() == key;
        self.flights.find(hash, same)
    }

    /// Adds a fetch that begins. Its key has no other fetch in flight.
    pub(crate) fn take_off(&mut self, flight: &SharedFlight<K, V, E>) {
        self.flights.insert_unique(flight.tag().hash, Arc::clone(flight), |flight| flight.tag().hash);
    }

    /// Removes a fetch that is no longer in flight.
    pub(crate) fn touch_down(&mut self, flight: &Flight<Loading<K, V, E>>) {
        if let Ok(place) = self.flights.find_entry(flight.tag().hash, |other| other.id() == flight.id()) {
            place.remove();
        }
    }

    /// Ends a fetch that brought a value, after these requests.
    pub(crate) fn admit_fetched(&mut self, tag: &Tag<K>, new: &Loaded<V>, asked: Asked, garbage: &mut Garbage<K, V>) {
        let latency = self.now.saturating_sub(tag.began).max(1);
        self.latencies.measured(tag.hash, latency);
        self.admit(tag.hash, &tag.key, new, latency, asked, garbage);
    }

    /// Ends a fetch that brought nothing for the cache, after these requests.
    pub(crate) fn give_up(&mut self, tag: &Tag<K>, asked: Asked) {
        let latency = self.latencies.of(tag.hash);
        self.cache.give_up(&fetched(self.now, tag.hash, 1, latency, asked));
    }

    /// Inserts a value that no request asked for.
    pub(crate) fn admit_inserted(&mut self, hash: u64, key: &Arc<K>, new: &Loaded<V>, garbage: &mut Garbage<K, V>) {
        // The insertion counts as a request, so that the policy knows the object.
        self.tell(hash, new.weight);
        let latency = self.latencies.of(hash);
        self.admit(hash, key, new, latency, Asked { requests: 1, last: self.now }, garbage);
    }

    fn admit(
        &mut self,
        hash: u64,
        key: &Arc<K>,
        new: &Loaded<V>,
        latency: u64,
        asked: Asked,
        garbage: &mut Garbage<K, V>,
    ) {
        // The cached entry is older, or belongs to another key with the same hash. One of the two must be removed.
        self.take_out(hash, Removal::Replaced, garbage);
        let Self { cache, stored, counted, announced, now, .. } = self;
        announced.pass(*now);
        let new_entry = fetched(*now, hash, new.weight, latency, asked);
        let evicted = |slot: Slot, _: &Entry| {
            counted.evictions += 1;
            garbage.extend(stored[slot as usize].take().map(|stored| (stored, Removal::Evicted)));
        };
        let admission = match announced.len() {
            0 => cache.admit(&new_entry, evicted),
            _ => cache.admit_knowing(&new_entry, |hash| announced.when(hash), evicted),
        };
        let Admission::Entered(slot) = admission else {
            counted.refused += 1;
            return;
        };
        let entry = Stored {
            hash,
            key: Arc::clone(key),
            value: Arc::clone(&new.value),
            weight: new.weight,
            idle_from: AtomicU64::new(now.saturating_add(self.time_to_idle)),
            expires: now.saturating_add(new.time_to_live),
        };
        let slot = slot as usize;
        if stored.len() <= slot {
            stored.resize_with(slot + 1, || None);
        }
        stored[slot] = Some(entry);
    }

    /// Removes the entry with this hash.
    fn take_out(&mut self, hash: u64, removal: Removal, garbage: &mut Garbage<K, V>) {
        if let Some((slot, _)) = self.cache.invalidate(hash) {
            garbage.extend(self.stored[slot as usize].take().map(|stored| (stored, removal)));
        }
    }

    /// Invalidates a key: removes its entry, and marks the outcome of its flight as out of date. Returns whether it was
    /// cached.
    pub(crate) fn invalidate<Q: Eq + ?Sized>(
        &mut self,
        hash: u64,
        key: &Q,
        removal: Removal,
        garbage: &mut Garbage<K, V>,
    ) -> bool
    where
        K: Borrow<Q>,
    {
        if let Some(flight) = self.flight(hash, key) {
            flight.spoil();
        }
        let there = self.find(hash, key, garbage).is_some();
        if there {
            self.take_out(hash, removal, garbage);
        }
        there
    }

    /// Removes the entries that are not to be kept. The outcome of all flights is then out of date, since their keys may be
    /// among these.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool, garbage: &mut Garbage<K, V>) -> u64 {
        self.flights.iter().for_each(|flight| flight.spoil());
        let gone = self.take_out_if(|stored| !keep(&stored.key, &stored.value), Removal::Invalidated, garbage);
        self.counted.invalidations += gone;
        gone
    }

    /// All entries that are not expired at a time.
    pub(crate) fn entries(&self, now: u64) -> Vec<(Arc<K>, Arc<V>)> {
        let now = self.now.max(now);
        let there = self.stored.iter().flatten().filter(|stored| !stored.is_over(now));
        there.map(|stored| (Arc::clone(&stored.key), Arc::clone(&stored.value))).collect()
    }

    /// The value of a key, if it is cached and not expired at a time. The policy does not hear of it.
    pub(crate) fn peek<Q: Eq + ?Sized>(&self, hash: u64, key: &Q, now: u64) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        let (_, stored) = self.cached(hash, key)?;
        (!stored.is_over(self.now.max(now))).then(|| Arc::clone(&stored.value))
    }

    /// Removes expired entries.
    pub(crate) fn purge_expired(&mut self, garbage: &mut Garbage<K, V>) -> u64 {
        let now = self.now;
        let gone = self.take_out_if(|stored| stored.is_over(now), Removal::Expired, garbage);
        self.counted.expirations += gone;
        gone
    }

    fn take_out_if(
        &mut self,
        mut leaves: impl FnMut(&Stored<K, V>) -> bool,
        removal: Removal,
        garbage: &mut Garbage<K, V>,
    ) -> u64 {
        let mut gone = 0;
        for slot in 0..self.stored.len() {
            if let Some(stored) = self.stored[slot].take_if(|stored| leaves(stored)) {
                self.cache.invalidate(stored.hash);
                garbage.push((stored, removal));
                gone += 1;
            }
        }
        gone
    }

    /// The waits of a flight that ends now.
    pub(crate) fn record(&mut self, roles: &[Role]) {
        for role in roles {
            match *role {
                Role::Miss(since) => self.counted.miss_waits.record(self.now.saturating_sub(since)),
                Role::Delayed(since) => self.counted.delayed_waits.record(self.now.saturating_sub(since)),
                Role::Keeper | Role::Behind => {}
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.cache.len()
    }

    pub(crate) fn weight(&self) -> u64 {
        self.cache.used()
    }

    pub(crate) fn metrics(&self) -> Metrics {
        let (in_flight, entries) = (self.flights.len() as u64, self.len() as u64);
        let announced = self.announced.len() as u64;
        Metrics { announced, in_flight, entries, weight: self.weight(), ..self.counted.clone() }
    }
}

fn fetched(time: u64, key: u64, size: u64, latency: u64, asked: Asked) -> Fetched {
    Fetched { time, key, size, latency, last: asked.last, waiting: asked.requests, future: Future::NONE }
}
