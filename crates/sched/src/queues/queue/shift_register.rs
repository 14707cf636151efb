//! Shift register: the PIFO block of hardware.
//!
//! All elements are in one sorted array, and each has a comparator. A push is compared with every element at once. The answers of a sorted
//! array are ones followed by zeros; the new element is inserted where they change, and the elements behind shift by one slot. Every
//! element carries the number of the logical PIFO that it belongs to. A pop selects the elements of one logical PIFO, and a priority
//! encoder picks the first of them. So several logical PIFOs share all slots, and no slot is lost to fragmentation. Sources: Sivaraman et
//! al., SIGCOMM'16, section 5; BBQ (NSDI'24), appendix A and figure 12.
//!
//! In hardware each operation is a cycle or two, and the comparators limit it to about a thousand elements. In software the slot is found
//! by bisection and the shift moves up to half of the keys.
//!
//! Choices: the worst element can be removed, too, since it is at the other end of the array. A removal selects an element by its number,
//! just as a pop selects a logical PIFO. When the array is used as a plain rank queue, all items belong to logical PIFO 0, and the front is
//! the front of the whole array.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::slab::Slab;
use crate::queues::traits::{Handle, PopMax, PushError, RankQueue, Remove};
use forebay_core::{About, Exactness};
use std::collections::VecDeque;

/// The registry's entry for [`ShiftRegister`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "shift-register",
        title: "PIFO as a shift register: every push is compared with all elements at once",
        exactness: Exactness::Exact,
        hardware: "a comparator and a register per entry; about a thousand entries at 1 GHz",
        cost: "in hardware O(1) time and O(n) comparators; in software O(n) moves per push, O(1) per pop; \
               about 50 bytes plus the packet per entry",
        source: "Sivaraman et al.: Programmable packet scheduling at line rate, SIGCOMM'16, section 5; BBQ, appendix A",
        params: &[],
    },
    build: |size, _| Ok(BuiltQueue::DoubleEnded(Box::new(ShiftRegister::new(size.packets)))),
};

/// A sorted array of elements of many logical PIFOs.
#[derive(Debug)]
pub struct ShiftRegister<T> {
    elements: VecDeque<Element>,
    slab: Slab<(Key, T)>,
    arrivals: u64,
}

/// The key that the comparators see: rank, then arrival.
type Key = (u64, u64);

#[derive(Debug, Clone, Copy)]
struct Element {
    key: Key,
    logical: u32,
    slot: u32,
}

impl<T> ShiftRegister<T> {
    /// Creates an empty array for `capacity` items.
    ///
    /// # Panics
    /// If `capacity` does not fit 32 bits.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { elements: VecDeque::new(), slab: Slab::new(capacity), arrivals: 0 }
    }

    /// Inserts an item into the logical PIFO `logical`.
    ///
    /// # Errors
    /// Gives the item back if the array is full.
    pub fn insert_in(&mut self, logical: u32, rank: u64, item: T) -> Result<Handle, PushError<T>> {
        let key = (rank, self.arrivals);
        let slot = self.slab.insert((key, item)).map_err(|(_, item)| PushError::full(item))?;
        self.arrivals += 1;
        let place = self.elements.partition_point(|element| element.key < key);
        self.elements.insert(place, Element { key, logical, slot });
        Ok(self.slab.handle(slot))
    }

    /// Takes the first item of the logical PIFO `logical`.
    pub fn pop_min_in(&mut self, logical: u32) -> Option<(u64, T)> {
        let place = self.elements.iter().position(|element| element.logical == logical)?;
        self.take(place)
    }

    /// Removes the element at `place`; the elements behind it move up.
    fn take(&mut self, place: usize) -> Option<(u64, T)> {
        let element = self.elements.remove(place)?;
        self.slab.take(element.slot).map(|((rank, _), item)| (rank, item))
    }

    fn look(&self, element: Option<&Element>) -> Option<(u64, &T)> {
        self.slab.get(element?.slot).map(|((rank, _), item)| (*rank, item))
    }
}

impl<T> RankQueue<T> for ShiftRegister<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        self.insert(rank, item).map(|_| ())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        self.take(0)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.look(self.elements.front())
    }

    fn len(&self) -> usize {
        self.elements.len()
    }

    fn capacity(&self) -> usize {
        self.slab.capacity()
    }

    fn as_remove_mut(&mut self) -> Option<&mut dyn Remove<T>> {
        Some(self)
    }
}

impl<T> PopMax<T> for ShiftRegister<T> {
    fn pop_max(&mut self) -> Option<(u64, T)> {
        self.take(self.elements.len().checked_sub(1)?)
    }

    fn peek_max(&self) -> Option<(u64, &T)> {
        self.look(self.elements.back())
    }
}

impl<T> Remove<T> for ShiftRegister<T> {
    fn insert(&mut self, rank: u64, item: T) -> Result<Handle, PushError<T>> {
        self.insert_in(0, rank, item)
    }

    fn remove(&mut self, handle: Handle) -> Option<(u64, T)> {
        let (key, _) = self.slab.find(handle)?;
        let place = self.elements.binary_search_by_key(key, |element| element.key).ok()?;
        self.take(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::reference::Reference;
    use forebay_core::Seed;
    use rand::RngExt;

    #[test]
    fn logical_pifos_share_all_places_and_keep_their_own_order() {
        const CAPACITY: usize = 30;
        let mut rng = Seed(1).stream("logical-pifos");
        let mut queue = ShiftRegister::new(CAPACITY);
        let mut references = [(); 3].map(|()| Reference::new(CAPACITY, 20));
        for item in 0..50_000_u32 {
            let logical = rng.random_range(0..3_u32);
            let reference = &mut references[logical as usize];
            if rng.random_bool(0.55) {
                let rank = rng.random_range(0..20);
                let has_room = queue.len() < CAPACITY;
                assert_eq!(queue.insert_in(logical, rank, item).is_ok(), has_room);
                if has_room {
                    reference.push(rank, item).unwrap();
                }
            } else {
                assert_eq!(queue.pop_min_in(logical), reference.pop_min());
            }
        }
        assert_eq!(queue.pop_min_in(3), None);
    }

    #[test]
    fn a_stale_handle_removes_nothing() {
        let mut queue = ShiftRegister::new(1);
        let left = queue.insert(5, 'a').unwrap();
        assert_eq!(queue.pop_max(), Some((5, 'a')));
        let queued = queue.insert(5, 'b').unwrap();
        assert_eq!(queue.remove(left), None);
        assert_eq!(queue.remove(queued), Some((5, 'b')));
        assert_eq!(queue.remove(queued), None);
    }
}
