//! A part of the cache under one lock: entries, policy, flights, counts.

mod admission;
mod removal;

pub(crate) use admission::Saved;

use crate::announcements::Announcements;
use crate::error::FetchError;
use crate::failures::Failures;
use crate::flight::{Flight, Kind, Role};
use crate::metrics::Metrics;
use crate::removed::Garbage;
use crate::rules::{Loaded, Rules};
use crate::slots::Slots;
use forebay_cache::{Access, Cache, CachePolicy, Future, MeasuredLatencies, Shape, Slot};
use forebay_clock::Clock;
use hashbrown::HashTable;
use std::borrow::Borrow;
use std::marker::PhantomData;
use std::sync::Arc;

/// The types of the flights of a cache.
pub(crate) struct Loading<K, V, E>(PhantomData<(K, V, E)>);

/// What the cache knows of a flight beside its key.
pub(crate) struct Tag {
    pub(crate) hash: u64,
    /// The time at which it began, in nanoseconds.
    pub(crate) began: u64,
}

/// The end of a fetch.
pub(crate) type FetchOutcome<V, E> = Result<Loaded<Arc<V>>, FetchError<E>>;

impl<K, V, E> Kind for Loading<K, V, E>
where
    K: Send + Sync,
    V: Send + Sync,
    E: Send + Sync,
{
    type Tag = Tag;
    type Outcome = FetchOutcome<V, E>;

    fn panicked(message: &str) -> Self::Outcome {
        Err(FetchError::Panicked(message.into()))
    }
}

/// A fetch in flight.
pub(crate) type SharedFlight<K, V, E> = Arc<Flight<Loading<K, V, E>>>;

/// A fetch in flight and its key. The fetch itself has the key as well until it ends, and nobody else has.
pub(crate) struct InFlight<K, V, E>
where
    K: Send + Sync,
    V: Send + Sync,
    E: Send + Sync,
{
    pub(crate) key: Arc<K>,
    pub(crate) flight: SharedFlight<K, V, E>,
}

/// The policy of a shard.
pub(crate) type BoxedPolicy = Box<dyn CachePolicy + Send + Sync>;

/// The use that a request has for an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Its value.
    Get,
    /// Its value, and a fetch if the value gets old.
    Load,
}

/// The answer to a request from the entries.
pub(crate) enum Found<V> {
    /// The request hit this value.
    Fresh(V),
    /// The value may be served, and should be fetched anew. The request is not counted yet.
    Kept(Kept<V>),
    Absent,
}

/// A value that stays until a newer one is there.
pub(crate) struct Kept<V> {
    pub(crate) slot: Slot,
    pub(crate) value: V,
    /// The time at which its time to live ends.
    pub(crate) expires: u64,
    /// The time from which it is not to be served any more.
    pub(crate) until: u64,
}

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
    cache: Cache<BoxedPolicy, Slots<K, V>>,
    flights: HashTable<InFlight<K, V, E>>,
    latencies: MeasuredLatencies,
    pub(crate) failures: Failures<K, E>,
    announced: Announcements,
    time_to_idle: u64,
    /// The share of its time to live after which a value is fetched anew.
    refresh_share: f64,
    /// For how long a failed fetch is remembered.
    error_time: u64,
    /// Whether entries expire.
    is_timed: bool,
    /// Whether the policy records hits by marks.
    marks: bool,
    now: u64,
    pub(crate) counted: Box<Metrics>,
}

impl<K, V, E> Shard<K, V, E>
where
    K: Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    pub(crate) fn new(shape: &Shape, policy: BoxedPolicy, rules: &Rules<K, V>) -> Self {
        let slots = Slots::new(shape.entries, rules);
        let measured = if policy.weighs_latency() { shape.entries } else { 0 };
        Self {
            is_timed: slots.is_timed(),
            marks: policy.marks(),
            cache: Cache::with_table(shape.capacity, policy, slots),
            flights: HashTable::new(),
            latencies: MeasuredLatencies::new(measured),
            failures: Failures::new(shape.entries / ENTRIES_PER_ERROR, rules.error_time),
            announced: Announcements::new(shape.entries.saturating_mul(ANNOUNCED_PER_ENTRY)),
            time_to_idle: rules.time_to_idle,
            refresh_share: rules.refresh_share,
            error_time: rules.error_time,
            now: 0,
            counted: Box::default(),
        }
    }

    /// Whether the policy records hits by marks, so that it need not hear of them in order.
    pub(crate) fn marks(&self) -> bool {
        self.marks
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

    /// The slot and the value of a key, if a request for it is a hit and changes nothing but marks. Marks the hit.
    #[inline]
    pub(crate) fn glance<Q: Eq + ?Sized>(
        &self,
        hash: u64,
        key: &Q,
        purpose: Purpose,
        clock: &dyn Clock,
    ) -> Option<(Slot, V)>
    where
        K: Borrow<Q>,
    {
        if self.announced.len() > 0 {
            return None;
        }
        let slots = self.cache.table();
        let (slot, stored) = slots.get(hash, key)?;
        if self.is_timed {
            let now = self.now.max(clock.nanoseconds());
            if !self.is_fresh(slot, now, purpose) {
                return None;
            }
            slots.use_until(slot, now.saturating_add(self.time_to_idle));
        }
        if self.marks {
            self.cache.mark(slot);
        }
        Some((slot, V::clone(&stored.value)))
    }

    fn is_fresh(&self, slot: Slot, now: u64, purpose: Purpose) -> bool {
        let slots = self.cache.table();
        let is_due = purpose == Purpose::Load && slots.is_due(slot, now);
        !is_due && !slots.is_stale(slot, now) && !slots.is_over(slot, now)
    }

    /// Tells the policy of a hit at a time that is past.
    pub(crate) fn was_hit(&mut self, slot: Slot, time: u64) {
        self.advance(time);
        let slots = self.cache.table();
        if let Some(stored) = slots.at(slot) {
            let access = self.access(stored.hash.get(), slots.weight(slot));
            self.cache.request_at(slot, &access);
        }
    }

    /// The slot of a key that is cached and not over. An entry that is over is removed.
    fn find<Q: Eq + ?Sized>(&mut self, hash: u64, key: &Q, garbage: &mut Garbage<K, V>) -> Option<Slot>
    where
        K: Borrow<Q>,
    {
        let (slot, _) = self.cache.table().get(hash, key)?;
        if self.cache.table().is_over(slot, self.now) {
            self.expire(slot, garbage);
            return None;
        }
        Some(slot)
    }

    /// A lookup. A hit is counted.
    pub(crate) fn lookup<Q: Eq + ?Sized>(
        &mut self,
        hash: u64,
        key: &Q,
        purpose: Purpose,
        garbage: &mut Garbage<K, V>,
    ) -> Found<V>
    where
        K: Borrow<Q>,
    {
        let Some(slot) = self.find(hash, key, garbage) else { return Found::Absent };
        let slots = self.cache.table();
        let Some(stored) = slots.at(slot) else { return Found::Absent };
        let is_fresh = self.is_fresh(slot, self.now, purpose);
        if !is_fresh && purpose == Purpose::Get {
            return Found::Absent;
        }
        let value = V::clone(&stored.value);
        if is_fresh {
            self.serve(slot);
            return Found::Fresh(value);
        }
        Found::Kept(Kept { slot, value, expires: slots.times(slot).expires, until: slots.over_from(slot) })
    }

    /// Whether a request for this value begins a fetch of a newer one.
    pub(crate) fn may_refresh(&self, kept: &Kept<V>) -> bool {
        self.cache.table().is_due(kept.slot, self.now)
    }

    /// A hit of the entry at a slot.
    pub(crate) fn serve(&mut self, slot: Slot) {
        self.use_now(slot);
        self.counted.hits += 1;
        self.counted.served_stale += u64::from(self.cache.table().is_stale(slot, self.now));
    }

    /// The entry at a slot is used now.
    pub(crate) fn use_now(&mut self, slot: Slot) {
        let slots = self.cache.table();
        slots.use_until(slot, self.now.saturating_add(self.time_to_idle));
        if let Some(stored) = slots.at(slot) {
            self.requested(stored.hash.get(), slots.weight(slot));
        }
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
        let same = |there: &InFlight<K, V, E>| there.flight.tag().hash == hash && (*there.key).borrow() == key;
        self.flights.find(hash, same).map(|there| &there.flight)
    }

    /// Adds a fetch that begins. Its key has no other fetch in flight.
    pub(crate) fn take_off(&mut self, key: Arc<K>, flight: &SharedFlight<K, V, E>) {
        let new = InFlight { key, flight: Arc::clone(flight) };
        self.flights.insert_unique(flight.tag().hash, new, |there| there.flight.tag().hash);
    }

    /// Removes a fetch that is no longer in flight.
    #[must_use]
    pub(crate) fn touch_down(&mut self, flight: &Flight<Loading<K, V, E>>) -> Option<InFlight<K, V, E>> {
        let same = |there: &InFlight<K, V, E>| there.flight.id() == flight.id();
        self.flights.find_entry(flight.tag().hash, same).ok().map(|place| place.remove().0)
    }

    /// All entries that may be served at a time.
    pub(crate) fn entries(&self, now: u64) -> impl Iterator<Item = (&K, &V)> {
        let now = self.now.max(now);
        let slots = self.cache.table();
        let there = (0..slots.slot_count()).filter(move |&slot| !slots.is_over(slot, now));
        there.filter_map(|slot| slots.at(slot)).map(|stored| (&stored.key, &stored.value))
    }

    /// The value of a key, if `get` would return it at a time. The policy does not hear of it.
    pub(crate) fn peek<Q: Eq + ?Sized>(&self, hash: u64, key: &Q, now: u64) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (slot, stored) = self.cache.table().get(hash, key)?;
        self.is_fresh(slot, self.now.max(now), Purpose::Get).then_some(&stored.value)
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
        Metrics { announced, in_flight, entries, weight: self.weight(), ..(*self.counted).clone() }
    }
}
