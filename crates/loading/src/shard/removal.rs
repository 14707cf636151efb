//! Entries leave a shard.

use super::{InFlight, Shard};
use crate::removed::{Garbage, Removal};
use crate::stored::Stored;
use forebay_cache::Slot;
use std::borrow::Borrow;

impl<K, V, E> Shard<K, V, E>
where
    K: Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
{
    fn take_out(&mut self, slot: Slot, removal: Removal, garbage: &mut Garbage<K, V>) {
        garbage.push((self.cache.take_out(slot), Some(removal)));
    }

    /// Removes the entry at a slot, whose time is over.
    pub(super) fn expire(&mut self, slot: Slot, garbage: &mut Garbage<K, V>) {
        let is_idle = self.cache.table().times(slot).idle <= self.now;
        self.counted.expirations += 1;
        self.counted.idle_expirations += u64::from(is_idle);
        self.take_out(slot, Removal::Expired, garbage);
    }

    /// Removes the entry with this hash, if there is one, for a newer one.
    pub(super) fn replace(&mut self, hash: u64, garbage: &mut Garbage<K, V>) {
        if let Some(slot) = self.cache.find(hash) {
            self.take_out(slot, Removal::Replaced, garbage);
            self.counted.replacements += 1;
        }
    }

    /// The outcome of the flight of a key is out of date from now on.
    pub(crate) fn spoil<Q: Eq + ?Sized>(&self, hash: u64, key: &Q)
    where
        K: Borrow<Q>,
    {
        if let Some(flight) = self.flight(hash, key) {
            flight.spoil();
        }
    }

    /// Invalidates a key if it is not cached, or if its value is one that `leaves`: removes its entry, and marks the
    /// outcome of its flight as out of date. The removed entry is the last garbage if this returns true.
    pub(crate) fn invalidate_if<Q: Eq + ?Sized>(
        &mut self,
        hash: u64,
        key: &Q,
        leaves: impl FnOnce(&V) -> bool,
        garbage: &mut Garbage<K, V>,
    ) -> bool
    where
        K: Borrow<Q>,
    {
        let slot = self.find(hash, key, garbage);
        let value = slot.and_then(|slot| self.cache.table().at(slot)).map(|stored| &stored.value);
        if value.is_some_and(|value| !leaves(value)) {
            return false;
        }
        self.spoil(hash, key);
        let Some(slot) = slot else { return false };
        self.take_out(slot, Removal::Invalidated, garbage);
        self.counted.invalidations += 1;
        true
    }

    /// Removes the entry of a key for another value, which is inserted next. A fetch in flight is out of date.
    pub(crate) fn make_way<Q: Eq + ?Sized>(&mut self, hash: u64, key: &Q, garbage: &mut Garbage<K, V>)
    where
        K: Borrow<Q>,
    {
        self.spoil(hash, key);
        if let Some(slot) = self.find(hash, key, garbage) {
            self.take_out(slot, Removal::Replaced, garbage);
            self.counted.replacements += 1;
        }
    }

    /// The value of a key that is not over, for a decision under the lock.
    pub(crate) fn present<Q: Eq + ?Sized>(
        &mut self,
        hash: u64,
        key: &Q,
        garbage: &mut Garbage<K, V>,
    ) -> Option<(Slot, &V)>
    where
        K: Borrow<Q>,
    {
        let slot = self.find(hash, key, garbage)?;
        let slots = self.cache.table();
        let is_stale = slots.is_stale(slot, self.now);
        slots.at(slot).filter(|_| !is_stale).map(|stored| (slot, &stored.value))
    }

    /// Removes the entries that are not to be kept. The outcome of all flights is then out of date, since their keys may be
    /// among these.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool, garbage: &mut Garbage<K, V>) -> u64 {
        self.flights.iter().for_each(|InFlight { flight, .. }| flight.spoil());
        let mut gone = 0;
        for slot in 0..self.cache.table().slot_count() {
            let leaves = |stored: &Stored<K, V>| !keep(&stored.key, &stored.value);
            if self.cache.table().at(slot).is_some_and(leaves) {
                self.take_out(slot, Removal::Invalidated, garbage);
                gone += 1;
            }
        }
        self.counted.invalidations += gone;
        gone
    }

    /// Removes expired entries.
    pub(crate) fn purge_expired(&mut self, garbage: &mut Garbage<K, V>) -> u64 {
        let mut gone = 0;
        for slot in 0..self.cache.table().slot_count() {
            let slots = self.cache.table();
            if slots.at(slot).is_some() && slots.is_over(slot, self.now) {
                self.expire(slot, garbage);
                gone += 1;
            }
        }
        gone
    }
}
