//! The cache behind its handles: shards, and the operations under their locks.

use crate::cycles::{Cycle, Edge};
use crate::error::FetchError;
use crate::flight::{Ended, Flight, Host, Role, Waiter};
use crate::limit::TimedOut;
use crate::metrics::Metrics;
use crate::part::Part;
use crate::removed::{Removal, Removed};
use crate::rules::Rules;
use crate::shard::{FetchOutcome, Loading, Shard, SharedFlight, Tag};
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
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) hasher: S,
}

/// The outcome of a request.
pub(crate) enum Begin<K, V, E, S>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    /// The value is cached.
    Hit(Arc<V>),
    /// A fetch is in flight; `true` if this request began it.
    Wait(CacheWaiter<K, V, E, S>, Option<Edge>, bool),
}

/// Waits for a fetch of the cache.
pub(crate) type CacheWaiter<K, V, E, S> = Waiter<Loading<K, V, E>, Arc<Inner<K, V, E, S>>>;

impl<K, V, E, S> Inner<K, V, E, S>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    pub(crate) fn hash<Q: Hash + ?Sized>(&self, key: &Q) -> u64 {
        self.hasher.hash_one(key)
    }

    /// The shard of a hash: its upper half, scaled to their number.
    fn part(&self, hash: u64) -> &Part<K, V, E> {
        let index = ((hash >> 32) * self.shards.len() as u64) >> 32;
        &self.shards[index as usize]
    }

    /// A hit, if it needs no lock for itself alone. The value is cloned while the lock is held for reading.
    pub(crate) fn glance<Q: Eq + ?Sized>(&self, hash: u64, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        V: Clone,
    {
        self.part(hash).glance(hash, key, &*self.clock)
    }

    /// A lookup with the lock for itself alone.
    pub(crate) fn get<Q: Eq + ?Sized>(&self, hash: u64, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let mut shard = self.part(hash).write(now);
        let value = shard.hit(hash, key, &mut removed.entries);
        shard.counted.absent += u64::from(value.is_none());
        value
    }

    /// Handles a request since `since` for the key of `call`. Takes `call` if its fetch begins.
    pub(crate) fn begin<F, Fut>(
        self: &Arc<Self>,
        hash: u64,
        call: &mut Option<(K, F)>,
        since: u64,
    ) -> Result<Begin<K, V, E, S>, FetchError<E>>
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<V, E>> + Send + 'static,
    {
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let found;
        let mut shard = self.part(hash).write(now);
        let now = shard.now();
        if let Some((key, _)) = call {
            if let Some(value) = shard.hit(hash, key, &mut removed.entries) {
                return Ok(Begin::Hit(value));
            }
            found = shard.flight(hash, key).cloned();
            if let Some(flight) = &found {
                let edge = Edge::to(flight.id()).map_err(|Cycle| FetchError::Cycle)?;
                if let Some((seat, role)) = flight.join(since, now) {
                    if role != Role::Behind {
                        shard.requested(hash, 1);
                        shard.counted.delayed_hits += 1;
                    }
                    return Ok(Begin::Wait(self.waiter(flight, seat), edge, false));
                }
                // This flight remains after a panic in the cache itself.
                shard.touch_down(flight);
            }
            if let Some(error) = shard.failures.of(hash, key, now) {
                shard.counted.remembered_errors += 1;
                return Err(error);
            }
        }
        let Some((key, fetch)) = call.take() else {
            return Err(FetchError::Panicked("a fetch was begun twice".into()));
        };
        let key = Arc::new(key);
        let (rules, fetched) = (Arc::clone(&self.rules), Arc::clone(&key));
        let fetch = async move {
            let fetched_value = match &rules.fetch_limit {
                None => fetch().await,
                Some(limit) => limit.apply(fetch()).await.map_err(|TimedOut| FetchError::TimedOut)?,
            };
            let value = fetched_value.map_err(|error| FetchError::Failed(Arc::new(error)))?;
            Ok(rules.apply(&fetched, value))
        };
        shard.requested(hash, 1);
        shard.counted.misses += 1;
        let (flight, seat) = Flight::begin(Tag { key, hash, began: now }, Box::pin(fetch), since, now);
        shard.take_off(&flight);
        // A fetch that was never polled waits for no other one.
        let edge = Edge::to(flight.id()).ok().flatten();
        Ok(Begin::Wait(self.waiter(&flight, seat), edge, true))
    }

    pub(crate) fn waiter(self: &Arc<Self>, flight: &SharedFlight<K, V, E>, seat: usize) -> CacheWaiter<K, V, E, S> {
        Waiter { host: Arc::clone(self), flight: Arc::clone(flight), seat }
    }

    pub(crate) fn insert(&self, key: K, value: V) {
        let hash = self.hash(&key);
        let loaded = self.rules.apply(&key, value);
        let key = Arc::new(key);
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let _failure;
        let mut shard = self.part(hash).write(now);
        _failure = shard.failures.forget(hash, &*key);
        shard.invalidate(hash, &*key, Removal::Replaced, &mut removed.entries);
        shard.admit_inserted(hash, &key, &loaded, &mut removed.entries);
        shard.counted.insertions += 1;
    }

    /// Removes a key, and returns its value if it was cached.
    pub(crate) fn remove<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        let hash = self.hash(key);
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let _failure;
        let mut shard = self.part(hash).write(now);
        _failure = shard.failures.forget(hash, key);
        let there = shard.invalidate(hash, key, Removal::Invalidated, &mut removed.entries);
        shard.counted.invalidations += u64::from(there);
        drop(shard);
        removed.entries.last().filter(|_| there).map(|(entry, _)| Arc::clone(&entry.value))
    }

    pub(crate) fn peek<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<Arc<V>>
    where
        K: Borrow<Q>,
    {
        let hash = self.hash(key);
        let now = self.clock.nanoseconds();
        self.part(hash).read().peek(hash, key, now)
    }

    /// The entries of a shard, if there are so many shards.
    pub(crate) fn entries_of(&self, shard: usize) -> Option<Vec<(Arc<K>, Arc<V>)>> {
        let now = self.clock.nanoseconds();
        Some(self.shards.get(shard)?.read().entries(now))
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

impl<K, V, E, S> Host<Loading<K, V, E>> for Arc<Inner<K, V, E, S>>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    fn landed(
        &self,
        flight: &Flight<Loading<K, V, E>>,
        outcome: FetchOutcome<V, E>,
    ) -> Option<Ended<Loading<K, V, E>>> {
        let now = self.clock.nanoseconds();
        let mut removed = Removed::new(&self.rules);
        let ended;
        let _failure;
        let mut shard = self.part(flight.tag().hash).write(now);
        shard.touch_down(flight);
        ended = flight.end(Some(outcome.clone()))?;
        shard.counted.delayed_hits -= ended.asking_again;
        shard.record(&ended.roles);
        match &outcome {
            Ok(new) if !ended.stale => shard.admit_fetched(flight.tag(), new, ended.asked, &mut removed.entries),
            Ok(_) => {
                shard.counted.outdated += 1;
                shard.give_up(flight.tag(), ended.asked);
            }
            Err(error) => {
                shard.counted.fetch_errors += 1;
                match error {
                    FetchError::Panicked(_) => shard.counted.panics += 1,
                    FetchError::TimedOut => shard.counted.timed_out += 1,
                    FetchError::Aborted => shard.counted.aborted += 1,
                    FetchError::Failed(_) | FetchError::Cycle => {}
                }
                if !ended.stale && !matches!(error, FetchError::Aborted | FetchError::Cycle) {
                    let Tag { key, hash, .. } = flight.tag();
                    _failure = shard.failures.remember(*hash, key, error, now);
                }
                shard.give_up(flight.tag(), ended.asked);
            }
        }
        drop(shard);
        Some(ended)
    }

    fn cancelled(&self, flight: &Flight<Loading<K, V, E>>) -> Option<Ended<Loading<K, V, E>>> {
        let ended;
        let mut shard = self.part(flight.tag().hash).write_now();
        shard.touch_down(flight);
        ended = flight.end(None)?;
        shard.counted.cancelled += 1;
        shard.give_up(flight.tag(), ended.asked);
        drop(shard);
        Some(ended)
    }
}
