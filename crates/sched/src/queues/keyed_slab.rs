//! Items in a slab, each with a key that sorts by rank and then by arrival. A heap or a tree moves the keys in place of the items.

use crate::queues::slab::Slab;
use crate::queues::traits::PushError;

/// The key of an item. Keys sort by rank, then by arrival; the slot only locates the item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    rank: u64,
    arrival: u64,
    slot: u32,
}

/// A fixed number of slots for items that arrive one after the other.
#[derive(Debug)]
pub(crate) struct KeyedSlab<T> {
    slab: Slab<T>,
    arrivals: u64,
}

impl<T> KeyedSlab<T> {
    /// Free slots for `capacity` items.
    ///
    /// # Panics
    /// If `capacity` does not fit 32 bits.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { slab: Slab::new(capacity), arrivals: 0 }
    }

    /// Stores the item, the latest of its rank, and returns its key.
    pub(crate) fn insert(&mut self, rank: u64, item: T) -> Result<Key, PushError<T>> {
        let slot = self.slab.insert(item).map_err(PushError::full)?;
        let key = Key { rank, arrival: self.arrivals, slot };
        self.arrivals += 1;
        Ok(key)
    }

    /// Removes the item of `key`, and returns it with its rank.
    pub(crate) fn take(&mut self, key: Key) -> Option<(u64, T)> {
        self.slab.take(key.slot).map(|item| (key.rank, item))
    }

    /// Returns the item of `key`, with its rank.
    pub(crate) fn get(&self, key: Key) -> Option<(u64, &T)> {
        self.slab.get(key.slot).map(|item| (key.rank, item))
    }

    pub(crate) fn len(&self) -> usize {
        self.slab.len()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.slab.capacity()
    }
}
