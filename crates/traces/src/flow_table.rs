//! Numbers flows densely, in order of first appearance.

use foldhash::fast::RandomState;
use forebay_core::FlowId;
use std::collections::HashMap;
use std::hash::Hash;

/// Gives each key the next free flow id when it is first seen.
#[derive(Debug, Clone)]
pub struct FlowTable<K> {
    /// A map with a fast hash and a random seed, so that nobody can make a recording of flows that collide.
    ids: HashMap<K, FlowId, RandomState>,
}

impl<K> Default for FlowTable<K> {
    fn default() -> Self {
        Self { ids: HashMap::default() }
    }
}

impl<K: Hash + Eq> FlowTable<K> {
    /// Iterates over keys and their ids, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, FlowId)> {
        self.ids.iter().map(|(key, id)| (key, *id))
    }

    /// Returns the id of `key`.
    ///
    /// # Panics
    /// After four billion flows.
    pub fn id_of(&mut self, key: K) -> FlowId {
        let next = FlowId(u32::try_from(self.ids.len()).expect("fewer than 2^32 flows"));
        *self.ids.entry(key).or_insert(next)
    }
}
