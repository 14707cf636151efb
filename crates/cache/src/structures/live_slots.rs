//! Which places of a cache are taken, for policies that draw candidates.

use crate::access::Slot;
use forebay_core::Rng;
use rand::RngExt as _;

/// A set of places from which one can be drawn, each alike. Every operation is O(1).
#[derive(Debug, Clone, Default)]
pub struct LiveSlots {
    dense: Vec<Slot>,
    at: Vec<u32>,
}

impl LiveSlots {
    /// Adds a place that is not in the set.
    pub fn insert(&mut self, slot: Slot) {
        let index = slot as usize;
        if self.at.len() <= index {
            self.at.resize(index + 1, u32::MAX);
        }
        self.at[index] = u32::try_from(self.dense.len()).unwrap_or(u32::MAX);
        self.dense.push(slot);
    }

    /// Removes a place of the set.
    pub fn remove(&mut self, slot: Slot) {
        let at = self.at[slot as usize];
        self.dense.swap_remove(at as usize);
        if let Some(&moved) = self.dense.get(at as usize) {
            self.at[moved as usize] = at;
        }
    }

    /// The places, in no order that means anything.
    #[must_use]
    pub fn as_slice(&self) -> &[Slot] {
        &self.dense
    }

    /// One of the places.
    ///
    /// # Panics
    /// If there is none.
    pub fn draw(&self, rng: &mut Rng) -> Slot {
        self.dense[rng.random_range(0..self.dense.len())]
    }
}
