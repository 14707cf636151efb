//! The table of a cache's entries: their slots by key.

use crate::access::{Entry, Slot};
use rustc_hash::FxHashMap;

/// The entries of a [`Cache`](crate::Cache), by key and by slot. A program that keeps more of an entry, such as a value,
/// brings a table of its own, so that it needs no second one beside the cache's.
pub trait Table {
    /// The part of an entry beside its key and size.
    type Item;

    /// The slot of a key, if it is there.
    fn find(&self, key: u64) -> Option<Slot>;

    /// The entry at a slot that is in use.
    fn entry(&self, slot: Slot) -> Entry;

    /// Adds an entry, whose key is missing. The slot may be one of an entry that was removed.
    fn insert(&mut self, entry: Entry, item: Self::Item) -> Slot;

    /// Removes the entry at a slot that is in use.
    fn remove(&mut self, slot: Slot) -> Self::Item;

    /// The entry at a slot has another size from now on.
    fn resize(&mut self, slot: Slot, size: u64);

    /// The number of entries.
    fn len(&self) -> usize;

    /// Whether there are no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slots in use, in no particular order.
    fn slots(&self) -> impl Iterator<Item = Slot>;
}

/// A table of keys and sizes.
#[derive(Debug, Clone)]
pub struct Keys {
    places: FxHashMap<u64, Slot>,
    entries: Vec<Entry>,
    free: Vec<Slot>,
}

impl Keys {
    /// An empty table with room for this many entries before memory grows.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        // Twice as much, so that slots of removed objects are not tidied up all the time.
        let places = FxHashMap::with_capacity_and_hasher(2 * entries, rustc_hash::FxBuildHasher);
        Self { places, entries: Vec::with_capacity(entries), free: Vec::new() }
    }
}

impl Table for Keys {
    type Item = ();

    #[inline]
    fn find(&self, key: u64) -> Option<Slot> {
        self.places.get(&key).copied()
    }

    #[inline]
    fn entry(&self, slot: Slot) -> Entry {
        self.entries[slot as usize]
    }

    #[inline]
    fn insert(&mut self, entry: Entry, (): ()) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(entry);
            Slot::try_from(self.entries.len() - 1).expect("fewer than 2^32 objects fit into a cache")
        });
        self.entries[slot as usize] = entry;
        self.places.insert(entry.key, slot);
        slot
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.places.remove(&self.entries[slot as usize].key);
        self.free.push(slot);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.entries[slot as usize].size = size;
    }

    #[inline]
    fn len(&self) -> usize {
        self.places.len()
    }

    fn slots(&self) -> impl Iterator<Item = Slot> {
        self.places.values().copied()
    }
}
