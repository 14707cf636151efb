//! Bounded memories of keys that left, several in one table: a key is in one or none.

use crate::structures::Lists;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher as _;

/// `N` lists of keys with sizes, each in the order in which its keys were added.
///
/// Every operation is O(1). A key has a *slot*, a small number, under which a policy
/// can keep more of it.
#[derive(Debug, Clone)]
pub struct GhostLists<const N: usize> {
    /// The slots of keys; the keys themselves are in `keys`.
    places: HashTable<u32>,
    keys: Vec<u64>,
    free: Vec<u32>,
    order: Lists<N>,
}

impl<const N: usize> GhostLists<N> {
    /// Empty lists with room for this many keys before memory grows.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self {
            // Twice as much, so that slots of forgotten keys are not tidied up all the time.
            places: HashTable::with_capacity(2 * entries),
            keys: Vec::with_capacity(entries),
            free: Vec::with_capacity(entries),
            order: Lists::new(entries),
        }
    }

    /// Remembers a key as the newest of `list` and gives its slot. A key that is already in any list is renewed. A size
    /// counts as 1 at least, so that limits hold for the number of keys, too.
    #[inline]
    pub fn push(&mut self, list: usize, key: u64, size: u64) -> u32 {
        self.remove(key);
        let place = self.free.pop().unwrap_or_else(|| {
            self.keys.push(key);
            u32::try_from(self.keys.len() - 1).expect("fewer than 2^32 ghosts")
        });
        self.keys[place as usize] = key;
        let keys = &self.keys;
        self.places.insert_unique(hash(key), place, |place| hash(keys[*place as usize]));
        self.order.push_front(list, place, size.max(1));
        place
    }

    /// The list and the slot of a key.
    #[inline]
    #[must_use]
    pub fn find(&self, key: u64) -> Option<(usize, u32)> {
        let place = *self.places.find(hash(key), |place| self.keys[*place as usize] == key)?;
        Some((self.order.list_of(place)?, place))
    }

    /// Forgets a key; returns in which list it was, and what slot it had.
    #[inline]
    pub fn remove(&mut self, key: u64) -> Option<(usize, u32)> {
        let keys = &self.keys;
        let found = self.places.find_entry(hash(key), |place| keys[*place as usize] == key);
        let (place, _) = found.ok()?.remove();
        self.free.push(place);
        Some((self.order.remove(place), place))
    }

    /// The oldest key of a list.
    #[inline]
    #[must_use]
    pub fn oldest(&self, list: usize) -> Option<u64> {
        Some(self.keys[self.order.back(list)? as usize])
    }

    /// Forgets the oldest key of a list.
    #[inline]
    pub fn pop_oldest(&mut self, list: usize) -> Option<u64> {
        let key = self.oldest(list)?;
        self.remove(key);
        Some(key)
    }

    /// Forgets the oldest keys of a list until its sizes add up to `limit` at most.
    #[inline]
    pub fn shrink_to(&mut self, list: usize, limit: u64) {
        while self.total(list) > limit {
            self.pop_oldest(list);
        }
    }

    /// How many keys a list has.
    #[must_use]
    pub fn len(&self, list: usize) -> usize {
        self.order.len(list)
    }

    /// Whether a list has no key.
    #[must_use]
    pub fn is_empty(&self, list: usize) -> bool {
        self.order.is_empty(list)
    }

    /// The sum of the sizes of a list.
    #[inline]
    #[must_use]
    pub fn total(&self, list: usize) -> u64 {
        self.order.total(list)
    }
}

#[inline]
fn hash(key: u64) -> u64 {
    FxBuildHasher.hash_one(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        #[test]
        fn behaves_as_two_deques(ops in proptest::collection::vec((0..4_u8, 0..2_usize, 0..12_u64), 0..200)) {
            let mut ghosts = GhostLists::<2>::new(0);
            let mut model: [VecDeque<u64>; 2] = Default::default();
            for (op, list, key) in ops {
                let held = (0..2).find(|&list| model[list].contains(&key));
                prop_assert_eq!(ghosts.find(key).map(|(list, _)| list), held);
                match op {
                    0 | 1 => {
                        ghosts.push(list, key, key + 1);
                        model.iter_mut().for_each(|keys| keys.retain(|&other| other != key));
                        model[list].push_back(key);
                    }
                    2 => {
                        prop_assert_eq!(ghosts.remove(key).map(|(list, _)| list), held);
                        model.iter_mut().for_each(|keys| keys.retain(|&other| other != key));
                    }
                    _ => {
                        ghosts.shrink_to(list, 3 * key);
                        while model[list].iter().map(|key| key + 1).sum::<u64>() > 3 * key {
                            model[list].pop_front();
                        }
                    }
                }
                for (list, keys) in model.iter().enumerate() {
                    prop_assert_eq!(ghosts.len(list), keys.len());
                    prop_assert_eq!(ghosts.oldest(list), keys.front().copied());
                    prop_assert_eq!(ghosts.total(list), keys.iter().map(|key| key + 1).sum::<u64>());
                }
                let places: std::collections::BTreeSet<_> = model.iter().flatten().map(|&key| ghosts.find(key)).collect();
                prop_assert_eq!(places.len(), model[0].len() + model[1].len(), "each key has a place of its own");
            }
        }
    }
}
