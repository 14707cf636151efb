//! One value per slot of a cache.

use crate::access::Slot;
use std::ops::{Index, IndexMut};

/// Values by slot. Memory grows with the greatest slot.
#[derive(Debug, Clone)]
pub struct PerSlot<T>(Vec<T>);

impl<T: Clone + Default> PerSlot<T> {
    /// No values yet, and room for this many before memory grows.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self(Vec::with_capacity(entries))
    }

    /// Sets the value of a slot, which may be one that was never used.
    #[inline]
    pub fn set(&mut self, slot: Slot, value: T) {
        let index = slot as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, T::default());
        }
        self.0[index] = value;
    }
}

impl<T> Index<Slot> for PerSlot<T> {
    type Output = T;

    #[inline]
    fn index(&self, slot: Slot) -> &T {
        &self.0[slot as usize]
    }
}

impl<T> IndexMut<Slot> for PerSlot<T> {
    #[inline]
    fn index_mut(&mut self, slot: Slot) -> &mut T {
        &mut self.0[slot as usize]
    }
}
