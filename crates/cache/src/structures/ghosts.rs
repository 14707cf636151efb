//! A bounded memory of keys that left: ghosts, oldest forgotten first.

use crate::structures::Lists;
use rustc_hash::FxHashMap;

/// Keys with sizes in the order in which they came, each once.
///
/// Every operation is O(1).
#[derive(Debug, Clone)]
pub struct Ghosts {
    places: FxHashMap<u64, u32>,
    keys: Vec<u64>,
    free: Vec<u32>,
    order: Lists<1>,
}

impl Ghosts {
    /// An empty memory with room for so many keys before it allocates.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self {
            places: FxHashMap::with_capacity_and_hasher(2 * entries, rustc_hash::FxBuildHasher),
            keys: Vec::with_capacity(entries),
            free: Vec::new(),
            order: Lists::new(entries),
        }
    }

    /// Remembers a key as the newest; one that is there already is renewed. Says its
    /// place, where a policy may keep what else it remembers of it.
    pub fn push(&mut self, key: u64, size: u64) -> u32 {
        self.remove(key);
        let place = self.free.pop().unwrap_or_else(|| {
            self.keys.push(key);
            u32::try_from(self.keys.len() - 1).expect("fewer than 2^32 ghosts")
        });
        self.keys[place as usize] = key;
        self.places.insert(key, place);
        self.order.push_front(0, place, size);
        place
    }

    /// The place of a key that is remembered.
    #[must_use]
    pub fn find(&self, key: u64) -> Option<u32> {
        self.places.get(&key).copied()
    }

    /// Whether a key is remembered.
    #[must_use]
    pub fn contains(&self, key: u64) -> bool {
        self.places.contains_key(&key)
    }

    /// Forgets a key; says whether it was there.
    pub fn remove(&mut self, key: u64) -> bool {
        let Some(place) = self.places.remove(&key) else { return false };
        self.order.remove(place);
        self.free.push(place);
        true
    }

    /// Forgets the oldest key.
    pub fn pop_oldest(&mut self) -> Option<u64> {
        let key = self.keys[self.order.back(0)? as usize];
        self.remove(key);
        Some(key)
    }

    /// Forgets the oldest keys until the sizes add up to `limit` at most.
    pub fn shrink_to(&mut self, limit: u64) {
        while self.total() > limit {
            self.pop_oldest();
        }
    }

    /// How many keys are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The sum of the sizes.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.order.total(0)
    }
}
