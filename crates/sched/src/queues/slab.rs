//! A fixed number of slots for items, so that a sorting structure moves small numbers instead of the items. (The lists of HFFS have their
//! own kind of slots, with links and without a tag for free slots.)

use crate::queues::traits::Handle;

/// Slots for a limited number of items, with a list of free slots. Slots are allocated on demand, so a large queue that is mostly short
/// uses little memory.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    capacity: u32,
}

#[derive(Debug)]
struct Slot<T> {
    item: Option<T>,
    /// Counts how often the slot was emptied, so that old handles are recognised.
    generation: u32,
}

impl<T> Slab<T> {
    /// Free slots for `capacity` items.
    ///
    /// # Panics
    /// If `capacity` does not fit 32 bits.
    pub(crate) fn new(capacity: usize) -> Self {
        let capacity = u32::try_from(capacity).expect("capacity must fit 32 bits");
        Self { slots: Vec::new(), free: Vec::new(), capacity }
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// Puts an item into a free slot; returns the item if there is no free slot.
    pub(crate) fn insert(&mut self, item: T) -> Result<u32, T> {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize].item = Some(item);
            return Ok(slot);
        }
        // There are no more than the capacity, which is of 32 bits.
        match u32::try_from(self.slots.len()) {
            Ok(slot) if slot < self.capacity => {
                self.slots.push(Slot { item: Some(item), generation: 0 });
                Ok(slot)
            }
            _ => Err(item),
        }
    }

    /// Removes the item of a slot.
    pub(crate) fn take(&mut self, slot: u32) -> Option<T> {
        let place = &mut self.slots[slot as usize];
        let item = place.item.take()?;
        place.generation = place.generation.wrapping_add(1);
        self.free.push(slot);
        Some(item)
    }

    /// The item in a slot.
    pub(crate) fn get(&self, slot: u32) -> Option<&T> {
        self.slots.get(slot as usize)?.item.as_ref()
    }

    /// The item in a slot, to be changed.
    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.slots[slot as usize].item.as_mut()
    }

    /// Returns the handle of the item that is now in `slot`.
    pub(crate) fn handle(&self, slot: u32) -> Handle {
        Handle { slot, generation: self.slots[slot as usize].generation }
    }

    /// Returns the item of `handle`, if it has not left.
    pub(crate) fn find(&self, handle: Handle) -> Option<&T> {
        let slot = self.slots.get(handle.slot as usize)?;
        if slot.generation == handle.generation { slot.item.as_ref() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::Slab;

    #[test]
    fn a_handle_stands_for_one_item_only() {
        let mut slab = Slab::new(1);
        let slot = slab.insert('a').unwrap();
        let first = slab.handle(slot);
        assert_eq!(slab.insert('b'), Err('b'));
        assert_eq!(slab.find(first), Some(&'a'));
        assert_eq!(slab.take(slot), Some('a'));
        assert_eq!((slab.find(first), slab.len()), (None, 0));
        assert_eq!(slab.take(slot), None);
        let slot = slab.insert('c').unwrap();
        assert_eq!((slab.find(first), slab.find(slab.handle(slot))), (None, Some(&'c')));
    }
}
