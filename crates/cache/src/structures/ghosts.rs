//! A bounded memory of keys that left: ghosts, oldest forgotten first.

use crate::structures::GhostLists;

/// Keys with sizes in the order in which they were added, each once.
///
/// Every operation is O(1).
#[derive(Debug, Clone)]
pub struct Ghosts {
    lists: GhostLists<1>,
}

impl Ghosts {
    /// An empty memory with room for this many keys before it allocates.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self { lists: GhostLists::new(entries) }
    }

    /// Remembers a key as the newest; one that is there already is renewed. Returns its
    /// slot, where a policy may keep what else it remembers of it.
    pub fn push(&mut self, key: u64, size: u64) -> u32 {
        self.lists.push(0, key, size)
    }

    /// The slot of a key that is remembered.
    #[must_use]
    pub fn find(&self, key: u64) -> Option<u32> {
        self.lists.find(key).map(|(_, place)| place)
    }

    /// Whether a key is remembered.
    #[must_use]
    pub fn contains(&self, key: u64) -> bool {
        self.lists.find(key).is_some()
    }

    /// Forgets a key; returns whether it was there.
    pub fn remove(&mut self, key: u64) -> bool {
        self.lists.remove(key).is_some()
    }

    /// Forgets the oldest key.
    pub fn pop_oldest(&mut self) -> Option<u64> {
        self.lists.pop_oldest(0)
    }

    /// Forgets the oldest keys until the sizes add up to `limit` at most.
    pub fn shrink_to(&mut self, limit: u64) {
        self.lists.shrink_to(0, limit);
    }

    /// How many keys are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lists.len(0)
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty(0)
    }

    /// The sum of the sizes.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.lists.total(0)
    }
}
