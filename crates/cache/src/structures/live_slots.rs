//! Which slots of a cache are taken, for policies that draw candidates.

use super::PerSlot;
use crate::access::Slot;
use forebay_core::Rng;
use rand::RngExt as _;

/// A set of slots from which one can be drawn, each alike. Every operation is O(1).
#[derive(Debug, Clone)]
pub struct LiveSlots {
    dense: Vec<Slot>,
    at: PerSlot<u32>,
}

impl LiveSlots {
    /// No slots, and room for this many before memory grows.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self { dense: Vec::with_capacity(entries), at: PerSlot::new(entries) }
    }

    /// Adds a slot that is not in the set.
    pub fn insert(&mut self, slot: Slot) {
        self.at.set(slot, u32::try_from(self.dense.len()).expect("places have numbers of 32 bits"));
        self.dense.push(slot);
    }

    /// Removes a slot of the set.
    pub fn remove(&mut self, slot: Slot) {
        let at = self.at[slot];
        self.dense.swap_remove(at as usize);
        if let Some(&moved) = self.dense.get(at as usize) {
            self.at[moved] = at;
        }
    }

    /// The slots, in no order that means anything.
    #[must_use]
    pub fn as_slice(&self) -> &[Slot] {
        &self.dense
    }

    /// One of the slots.
    ///
    /// # Panics
    /// If there is none.
    pub fn draw(&self, rng: &mut Rng) -> Slot {
        self.dense[rng.random_range(0..self.dense.len())]
    }
}
