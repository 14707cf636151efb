//! The entries of a shard: one table by hash, and arrays by slot.
//!
//! Weights and times, which only some caches need, have arrays of their own, which are empty in all others.

use crate::rules::Rules;
use crate::stored::{Side, Stored};
use forebay_cache::{Entry, Slot, Table};
use hashbrown::HashTable;
use std::borrow::Borrow;
use std::sync::atomic::{AtomicU64, Ordering};

/// The entries of a shard, and the slots at which the policy knows them.
pub(crate) struct Slots<K, V> {
    /// Slots by the hash of the key.
    index: HashTable<Slot>,
    stored: Vec<Option<Stored<K, V>>>,
    free: Vec<Slot>,
    /// Without a weigher, each entry weighs 1.
    weights: Side<u64>,
    /// The time at which the time to live ends.
    expires: Side<u64>,
    /// The time from which a request that could fetch begins a fetch.
    refresh: Side<AtomicU64>,
    /// The time at which the entry expires unless it is used before.
    idle: Side<AtomicU64>,
    /// In nanoseconds: for how long a value may be served after its time to live.
    stale: u64,
}

/// The times of an entry, in nanoseconds; `u64::MAX` for never.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    pub(crate) expires: u64,
    pub(crate) refresh: u64,
    pub(crate) idle: u64,
}

impl<K, V> Slots<K, V> {
    /// An empty table with room for this many entries, for a cache with these rules.
    pub(crate) fn new(entries: usize, rules: &Rules<K, V>) -> Self {
        Self {
            index: HashTable::with_capacity(entries),
            stored: Vec::with_capacity(entries),
            free: Vec::new(),
            weights: Side::new(rules.weigher.is_some()),
            expires: Side::new(rules.has_times_to_live()),
            refresh: Side::new(rules.refreshes()),
            idle: Side::new(rules.time_to_idle < u64::MAX),
            stale: rules.stale_time,
        }
    }

    /// Whether entries expire.
    pub(crate) fn is_timed(&self) -> bool {
        self.expires.is_kept() || self.idle.is_kept()
    }

    /// The slot and the entry of a key, expired or not.
    #[inline]
    pub(crate) fn get<Q: Eq + ?Sized>(&self, hash: u64, key: &Q) -> Option<(Slot, &Stored<K, V>)>
    where
        K: Borrow<Q>,
    {
        let same = |slot: &Slot| {
            let stored = self.stored[*slot as usize].as_ref();
            stored.is_some_and(|stored| stored.hash.get() == hash && stored.key.borrow() == key)
        };
        let slot = *self.index.find(hash, same)?;
        Some((slot, self.stored[slot as usize].as_ref()?))
    }

    /// The entry at a slot, if it is in use.
    pub(crate) fn at(&self, slot: Slot) -> Option<&Stored<K, V>> {
        self.stored.get(slot as usize)?.as_ref()
    }

    pub(crate) fn at_mut(&mut self, slot: Slot) -> Option<&mut Stored<K, V>> {
        self.stored.get_mut(slot as usize)?.as_mut()
    }

    /// The number of slots, in use or free.
    pub(crate) fn slot_count(&self) -> Slot {
        Slot::try_from(self.stored.len()).unwrap_or(Slot::MAX)
    }

    pub(crate) fn weight(&self, slot: Slot) -> u64 {
        self.weights.get(slot).copied().unwrap_or(1)
    }

    pub(crate) fn set_times(&mut self, slot: Slot, times: Times) {
        self.expires.set(slot, times.expires);
        self.refresh.set(slot, AtomicU64::new(times.refresh));
        self.idle.set(slot, AtomicU64::new(times.idle));
    }

    pub(crate) fn times(&self, slot: Slot) -> Times {
        let of = |side: &Side<AtomicU64>| side.get(slot).map_or(u64::MAX, |time| time.load(Ordering::Relaxed));
        let expires = self.expires.get(slot).copied().unwrap_or(u64::MAX);
        Times { expires, refresh: of(&self.refresh), idle: of(&self.idle) }
    }

    /// Whether the entry is not to be served any more.
    pub(crate) fn is_over(&self, slot: Slot, now: u64) -> bool {
        now >= self.over_from(slot)
    }

    /// The time from which the entry is not to be served any more.
    pub(crate) fn over_from(&self, slot: Slot) -> u64 {
        let times = self.times(slot);
        times.expires.saturating_add(self.stale).min(times.idle)
    }

    /// Whether its time to live is over. It may still be served while it is fetched anew.
    pub(crate) fn is_stale(&self, slot: Slot, now: u64) -> bool {
        self.expires.get(slot).is_some_and(|&expires| now >= expires)
    }

    /// Whether a request that could fetch begins a fetch.
    pub(crate) fn is_due(&self, slot: Slot, now: u64) -> bool {
        self.refresh.get(slot).is_some_and(|refresh| now >= refresh.load(Ordering::Relaxed))
    }

    /// The next fetch of this entry begins at this time or later.
    pub(crate) fn refresh_from(&self, slot: Slot, time: u64) {
        if let Some(refresh) = self.refresh.get(slot) {
            refresh.store(time, Ordering::Relaxed);
        }
    }

    /// The entry is used, so it is idle from a later time on.
    pub(crate) fn use_until(&self, slot: Slot, time: u64) {
        if let Some(idle) = self.idle.get(slot) {
            idle.fetch_max(time, Ordering::Relaxed);
        }
    }
}

impl<K, V> Table for Slots<K, V> {
    type Item = Stored<K, V>;

    fn find(&self, key: u64) -> Option<Slot> {
        let same = |slot: &Slot| self.at(*slot).is_some_and(|stored| stored.hash.get() == key);
        self.index.find(key, same).copied()
    }

    fn entry(&self, slot: Slot) -> Entry {
        Entry { key: self.at(slot).map_or(0, |stored| stored.hash.get()), size: self.weight(slot) }
    }

    fn insert(&mut self, entry: Entry, item: Stored<K, V>) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.stored.push(None);
            Slot::try_from(self.stored.len() - 1).expect("fewer than 2^32 entries fit into a shard")
        });
        self.stored[slot as usize] = Some(item);
        self.weights.set(slot, entry.size);
        let Self { index, stored, .. } = self;
        index.insert_unique(entry.key, slot, |slot| stored[*slot as usize].as_ref().map_or(0, |of| of.hash.get()));
        slot
    }

    fn remove(&mut self, slot: Slot) -> Stored<K, V> {
        let item = self.stored[slot as usize].take().expect("the policy and the cache name slots in use");
        if let Ok(place) = self.index.find_entry(item.hash.get(), |other| *other == slot) {
            place.remove();
        }
        self.free.push(slot);
        item
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.weights.set(slot, size);
    }

    fn len(&self) -> usize {
        self.index.len()
    }

    fn slots(&self) -> impl Iterator<Item = Slot> {
        self.index.iter().copied()
    }
}
