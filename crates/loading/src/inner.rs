//! The cache behind its handles: shards, and the operations under their locks.

use crate::cycles::{Cycle, Edge};
use crate::error::{BuildError, FetchError};
use crate::flight::{Flight, Role, Waiter};
use crate::limit::TimedOut;
use crate::metrics::Metrics;
use crate::part::Part;
use crate::plan::Plan;
use crate::removed::Removed;
use crate::request::RequestKey;
use crate::rules::Rules;
use crate::shard::{Found, Kept, Loading, Purpose, Shard, SharedFlight, Tag};
use crate::thread_number::thread_number;
use forebay_clock::{Clock, nanoseconds};
use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;
use std::time::Duration;

/// The state that all handles of a cache share.
///
/// Locks are taken in the order shard, flight. Only [`metrics`](Self::metrics) locks several shards: all, in their
/// order. In every method what is removed is declared before the guard, so that it is dropped after it.
pub(crate) struct Inner<K, V, E, S>
where
    K: Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    pub(crate) shards: Box<[Part<K, V, E>]>,
    pub(crate) rules: Arc<Rules<K, V>>,
    pub(crate) plan: Plan,
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) hasher: S,
}

/// The outcome of a request.
pub(crate) enum Begin<K, V, E, S>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    /// The value is cached.
    Hit(V),
    /// A fetch is in flight.
    Wait(Wait<K, V, E, S>),
}

/// A request that waits for a fetch.
pub(crate) struct Wait<K, V, E, S>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    pub(crate) waiter: CacheWaiter<K, V, E, S>,
    pub(crate) _edge: Option<Edge>,
    /// Whether this request began the fetch.
    pub(crate) began: bool,
    /// The older value, which is cached until the fetch ends.
    pub(crate) kept: Option<Kept<V>>,
}

/// Waits for a fetch of the cache.
pub(crate) type CacheWaiter<K, V, E, S> = Waiter<Loading<K, V, E>, Arc<Inner<K, V, E, S>>>;

impl<K, V, E, S> Inner<K, V, E, S>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    /// The hash of a key; never 0.
    #[inline]
    pub(crate) fn hash<Q: Hash + ?Sized>(&self, key: &Q) -> u64 {
        self.hasher.hash_one(key).max(1)
    }

    /// The shard of a hash: 32 bits in its middle, scaled to their number. A shard's table uses the others.
    #[inline]
    pub(crate) fn part(&self, hash: u64) -> &Part<K, V, E> {
        let middle = (hash >> 24) & u64::from(u32::MAX);
        let index = (middle * self.shards.len() as u64) >> 32;
        &self.shards[index as usize]
    }

    /// A hit, if it needs no lock for itself alone. The value is cloned while the lock is held for reading.
    #[inline]
    pub(crate) fn glance<Q: Eq + ?Sized>(&self, hash: u64, key: &Q, purpose: Purpose) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.part(hash).glance(thread_number(), hash, key, purpose, &*self.clock)
    }

    /// A lookup with the lock for itself alone.
    pub(crate) fn get<Q: Eq + ?Sized>(&self, hash: u64, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let mut shard = self.part(hash).write(now);
        if let Found::Fresh(value) = shard.lookup(hash, key, Purpose::Get, &mut removed.entries) {
            return Some(value);
        }
        shard.counted.absent += 1;
        None
    }

    /// Handles a request since `since` for the key of `call`. Takes `call` if its fetch begins. If `is_detached`, the
    /// caller does not wait for a fetch that it begins while an older value is cached.
    pub(crate) fn begin<R, F, Fut>(
        self: &Arc<Self>,
        hash: u64,
        call: &mut Option<(R, F)>,
        since: u64,
        is_detached: bool,
    ) -> Result<Begin<K, V, E, S>, FetchError<E>>
    where
        R: RequestKey<K>,
        K: Borrow<R::Key>,
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<V, E>> + Send + 'static,
    {
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let found;
        let _landed;
        let mut kept = None;
        let mut shard = self.part(hash).write(now);
        let now = shard.now();
        if let Some((key, _)) = call {
            let key = key.borrowed();
            match shard.lookup(hash, key, Purpose::Load, &mut removed.entries) {
                Found::Fresh(value) => return Ok(Begin::Hit(value)),
                Found::Kept(old) => kept = Some(old),
                Found::Absent => {}
            }
            found = shard.flight(hash, key).cloned();
            if let Some(old) = kept.take_if(|old| found.is_some() || !shard.may_refresh(old)) {
                // Somebody else fetches a newer value, or nobody can at present.
                shard.serve(old.slot);
                return Ok(Begin::Hit(old.value));
            }
            if let Some(flight) = &found {
                let edge = Edge::to(flight.id()).map_err(|Cycle| FetchError::Cycle)?;
                if let Some((seat, role)) = flight.join(since, now) {
                    if role != Role::Behind {
                        shard.requested(hash, 1);
                        shard.counted.delayed_hits += 1;
                    }
                    let waiter = self.waiter(flight, seat);
                    return Ok(Begin::Wait(Wait { waiter, _edge: edge, began: false, kept: None }));
                }
                // This flight remains after a panic in the cache itself.
                _landed = shard.touch_down(flight);
            }
            if kept.is_none()
                && let Some(error) = shard.failures.of(hash, key, now)
            {
                shard.counted.remembered_errors += 1;
                return Err(error);
            }
        }
        let Some((key, fetch)) = call.take() else {
            return Err(FetchError::Panicked("a fetch was begun twice".into()));
        };
        let key = Arc::new(key.owned());
        let (rules, fetched) = (Arc::clone(&self.rules), Arc::clone(&key));
        let fetch = async move {
            let fetched_value = match &rules.fetch_limit {
                None => fetch().await,
                Some(limit) => limit.apply(fetch()).await.map_err(|TimedOut| FetchError::TimedOut)?,
            };
            let value = fetched_value.map_err(|error| FetchError::Failed(Arc::new(error)))?;
            Ok(rules.apply_shared(&fetched, value))
        };
        match &kept {
            None => shard.requested(hash, 1),
            Some(old) => {
                shard.counted.refreshes += 1;
                if is_detached { shard.serve(old.slot) } else { shard.use_now(old.slot) }
            }
        }
        shard.counted.misses += u64::from(kept.is_none() || !is_detached);
        let (flight, seat) = Flight::begin(Tag { hash, began: now }, Box::pin(fetch), since, now);
        shard.take_off(key, &flight);
        // A fetch that was never polled waits for no other one.
        let edge = Edge::to(flight.id()).ok().flatten();
        let waiter = self.waiter(&flight, seat);
        Ok(Begin::Wait(Wait { waiter, _edge: edge, began: true, kept }))
    }

    /// The older value for a request whose fetch of a newer one failed, while it may be served.
    pub(crate) fn fall_back(&self, hash: u64, kept: Kept<V>) -> Option<V> {
        let now = self.clock.nanoseconds();
        if now >= kept.until {
            return None;
        }
        if now >= kept.expires {
            self.part(hash).write(now).counted.served_stale += 1;
        }
        Some(kept.value)
    }

    pub(crate) fn waiter(self: &Arc<Self>, flight: &SharedFlight<K, V, E>, seat: usize) -> CacheWaiter<K, V, E, S> {
        Waiter { host: Arc::clone(self), flight: Arc::clone(flight), seat }
    }

    /// Inserts a value if `enters` says so of the present one, which is seen with the shard locked. Returns the present
    /// value, and the new one if it did not enter.
    pub(crate) fn insert_if(
        &self,
        key: K,
        value: V,
        enters: impl FnOnce(Option<&V>) -> bool,
    ) -> (Option<V>, Option<V>) {
        let hash = self.hash(&key);
        let loaded = self.rules.apply(&key, value);
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let _failure;
        let mut shard = self.part(hash).write(now);
        let present = shard.present(hash, &key, &mut removed.entries).map(|(_, value)| value);
        let before = present.cloned();
        if !enters(present) {
            return (before, Some(loaded.value));
        }
        _failure = shard.failures.forget(hash, &key);
        shard.make_way(hash, &key, &mut removed.entries);
        shard.admit_inserted(hash, key, loaded, &mut removed.entries);
        shard.counted.insertions += 1;
        (before, None)
    }

    pub(crate) fn insert(&self, key: K, value: V) {
        let hash = self.hash(&key);
        let loaded = self.rules.apply(&key, value);
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let _failure;
        let mut shard = self.part(hash).write(now);
        _failure = shard.failures.forget(hash, &key);
        shard.make_way(hash, &key, &mut removed.entries);
        shard.admit_inserted(hash, key, loaded, &mut removed.entries);
        shard.counted.insertions += 1;
    }

    /// Removes a key unless its value is one that does not leave. Runs `take` on the value with no lock held.
    pub(crate) fn remove<Q: Hash + Eq + ?Sized, T>(
        &self,
        key: &Q,
        leaves: impl FnOnce(&V) -> bool,
        take: impl FnOnce(&V) -> T,
    ) -> Option<T>
    where
        K: Borrow<Q>,
    {
        let hash = self.hash(key);
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let _failure;
        let mut shard = self.part(hash).write(now);
        _failure = shard.failures.forget(hash, key);
        let there = shard.invalidate_if(hash, key, leaves, &mut removed.entries);
        drop(shard);
        removed.entries.last().filter(|_| there).map(|(entry, _)| take(&entry.value))
    }

    pub(crate) fn peek<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let hash = self.hash(key);
        let now = self.clock.nanoseconds();
        self.part(hash).read().peek(hash, key, now).cloned()
    }

    /// The entries of a shard, if there are so many shards.
    pub(crate) fn entries_of(&self, shard: usize) -> Option<Vec<(K, V)>>
    where
        K: Clone,
    {
        let now = self.clock.nanoseconds();
        let shard = self.shards.get(shard)?.read();
        Some(shard.entries(now).map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    pub(crate) fn retain(&self, mut keep: impl FnMut(&K, &V) -> bool) -> u64 {
        let retain = |shard: &Part<K, V, E>| {
            let now = self.clock.nanoseconds();
            let mut removed = Removed::new(&self.rules);
            let mut shard = shard.write(now);
            shard.retain(&mut keep, &mut removed.entries)
        };
        self.shards.iter().map(retain).sum()
    }

    pub(crate) fn announce<Q: Hash + ?Sized>(&self, key: &Q, within: Duration) -> bool {
        let hash = self.hash(key);
        let now = self.clock.nanoseconds();
        let mut shard = self.part(hash).write(now);
        let now = shard.now();
        shard.announce(hash, now.saturating_add(nanoseconds(within)))
    }

    pub(crate) fn take_back<Q: Hash + ?Sized>(&self, key: &Q) -> bool {
        let hash = self.hash(key);
        self.part(hash).write_now().take_back(hash)
    }

    pub(crate) fn abort<Q: Hash + Eq + ?Sized>(self: &Arc<Self>, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        let hash = self.hash(key);
        let flight = self.part(hash).read().flight(hash, key).cloned();
        flight.is_some_and(|flight| flight.abort(self, Err(FetchError::Aborted)))
    }

    pub(crate) fn set_capacity(&self, capacity: u64) -> Result<(), BuildError> {
        self.plan.check(capacity)?;
        // A policy may be impossible for the smallest shard. Then no shard changes.
        self.plan.policy(&self.plan.shape(capacity, self.plan.shards - 1))?;
        for (index, part) in (0..).zip(&self.shards) {
            let shape = self.plan.shape(capacity, index);
            let mut removed = Removed::new(&self.rules);
            let mut shard = part.write(self.clock.nanoseconds());
            shard.set_capacity(shape.capacity, || self.plan.policy(&shape), &mut removed.entries)?;
        }
        Ok(())
    }

    pub(crate) fn invalidate_all(&self) {
        for shard in &self.shards {
            let mut removed = Removed::new(&self.rules);
            let _failures;
            let mut shard = shard.write_now();
            _failures = shard.failures.forget_all();
            shard.retain(|_, _| false, &mut removed.entries);
        }
    }

    pub(crate) fn purge_expired(&self) -> u64 {
        let purge = |shard: &Part<K, V, E>| {
            let now = self.clock.nanoseconds();
            let mut removed = Removed::new(&self.rules);
            let mut shard = shard.write(now);
            shard.purge_expired(&mut removed.entries)
        };
        self.shards.iter().map(purge).sum()
    }

    pub(crate) fn metrics(&self) -> Metrics {
        let locked: Vec<_> = self.shards.iter().map(Part::write_now).collect();
        let mut sum = Metrics::default();
        for shard in &locked {
            sum.add(&shard.metrics());
        }
        sum
    }

    pub(crate) fn sum(&self, of: impl Fn(&Shard<K, V, E>) -> u64) -> u64 {
        self.shards.iter().map(|shard| of(&shard.read())).sum()
    }
}
