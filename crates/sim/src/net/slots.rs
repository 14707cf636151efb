//! Values in numbered slots, whose numbers are reused. Each operation costs O(1); memory is proportional to the most values at a time.

/// A slab of values.
#[derive(Debug, Clone)]
pub(crate) struct Slots<T> {
    values: Vec<Option<T>>,
    free: Vec<usize>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { values: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slots<T> {
    /// Keeps a value, and returns its slot.
    pub(crate) fn insert(&mut self, value: T) -> usize {
        let slot = self.free.pop().unwrap_or(self.values.len());
        if slot == self.values.len() {
            self.values.push(None);
        }
        self.values[slot] = Some(value);
        slot
    }

    /// The value in a slot; [`None`] if the slot is free.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<&T> {
        self.values.get(slot)?.as_ref()
    }

    /// The value in a slot, to change it.
    #[inline]
    pub(crate) fn get_mut(&mut self, slot: usize) -> Option<&mut T> {
        self.values.get_mut(slot)?.as_mut()
    }

    /// Frees a slot.
    pub(crate) fn remove(&mut self, slot: usize) -> Option<T> {
        let value = self.values.get_mut(slot)?.take()?;
        self.free.push(slot);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_given_out_again() {
        let mut slots = Slots::default();
        assert_eq!([slots.insert('a'), slots.insert('b'), slots.insert('c')], [0, 1, 2]);
        assert_eq!((slots.remove(1), slots.remove(1), slots.get(1)), (Some('b'), None, None));
        assert_eq!((slots.insert('d'), slots.insert('e')), (1, 3));
        if let Some(value) = slots.get_mut(1) {
            *value = 'f';
        }
        assert_eq!((slots.get(1), slots.get(9)), (Some(&'f'), None));
    }
}
