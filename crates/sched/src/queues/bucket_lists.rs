//! Many FIFO lists in one slab: the buckets of an HFFS queue.
//!
//! Every list is doubly linked, so that items leave from both ends and from the middle. All lists share one pool of slots with a free list:
//! no list reserves slots of its own (BBQ, NSDI'24, section 3.1 and appendix A).

use crate::queues::traits::Handle;

/// No slot.
pub(crate) const NIL: u32 = u32::MAX;

/// FIFO lists, numbered from 0, over one pool of slots.
#[derive(Debug)]
pub(crate) struct BucketLists<T> {
    lists: Box<[Ends]>,
    slots: Box<[Slot<T>]>,
    /// First free slot, linked through `next`; `NIL` if there is none.
    free: u32,
    len: usize,
}

/// First and last slot of a list.
#[derive(Debug, Clone, Copy)]
struct Ends {
    /// `NIL` if the list is empty.
    head: u32,
    /// Meaningless if the list is empty.
    tail: u32,
}

#[derive(Debug)]
struct Slot<T> {
    /// The next slot; meaningless in the last slot of a list.
    next: u32,
    /// The previous slot; meaningless in the first slot of a list.
    prev: u32,
    list: u32,
    /// Counts how often the slot was emptied, so that old handles are recognised.
    generation: u32,
    /// Meaningless if the slot is free.
    item: T,
}

/// The reason why an item did not enter a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is no such list.
    NoList,
    /// All slots are taken.
    Full,
}

impl<T: Default> BucketLists<T> {
    /// Creates `lists` empty lists for `capacity` items in all.
    ///
    /// # Panics
    /// If a slot or a list has no number of 32 bits.
    pub(crate) fn new(lists: usize, capacity: usize) -> Self {
        assert!(u32::try_from(lists).is_ok(), "lists are numbered with 32 bits");
        let slot_count = u32::try_from(capacity).expect("capacity must fit 32 bits");
        assert!(slot_count < NIL, "the last 32-bit number means: no slot");
        let slots = (1..=slot_count)
            .map(|next| Slot {
                next: if next == slot_count { NIL } else { next },
                prev: NIL,
                list: 0,
                generation: 0,
                item: T::default(),
            })
            .collect();
        Self {
            lists: vec![Ends { head: NIL, tail: NIL }; lists].into(),
            slots,
            free: if capacity == 0 { NIL } else { 0 },
            len: 0,
        }
    }

    /// The number of lists.
    pub(crate) fn lists(&self) -> usize {
        self.lists.len()
    }

    /// The number of items in all lists.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The most items that all lists together can hold.
    pub(crate) fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Appends an item to a list; calls `turned` if the list was empty.
    #[inline(always)]
    pub(crate) fn push_back(&mut self, list: usize, item: T, turned: impl FnOnce()) -> Result<Handle, (T, Refusal)> {
        let Some(ends) = self.lists.get_mut(list) else {
            return Err((item, Refusal::NoList));
        };
        let index = self.free;
        let Some(slot) = self.slots.get_mut(index as usize) else {
            return Err((item, Refusal::Full));
        };
        self.free = slot.next;
        #[expect(clippy::cast_possible_truncation, reason = "the number of lists fits, as `new` has seen")]
        let number = list as u32;
        slot.list = number;
        slot.item = item;
        let handle = Handle { slot: index, generation: slot.generation };
        self.len += 1;
        if ends.head == NIL {
            *ends = Ends { head: index, tail: index };
            turned();
        } else {
            let tail = std::mem::replace(&mut ends.tail, index);
            slot.prev = tail;
            self.slots[tail as usize].next = index;
        }
        Ok(handle)
    }

    /// Removes the first item of a list; calls `turned` if the list is then empty.
    #[inline(always)]
    pub(crate) fn pop_front(&mut self, list: usize, turned: impl FnOnce()) -> Option<T> {
        let ends = self.lists.get_mut(list)?;
        let index = ends.head;
        let slot = self.slots.get_mut(index as usize)?;
        if index == ends.tail {
            ends.head = NIL;
            turned();
        } else {
            ends.head = slot.next;
        }
        self.len -= 1;
        Some(slot.release(&mut self.free, index))
    }

    /// Removes the last item of a list that is not empty; calls `turned` if the list is then empty.
    #[inline(always)]
    pub(crate) fn pop_back(&mut self, list: usize, turned: impl FnOnce()) -> Option<T> {
        let ends = self.lists.get_mut(list)?;
        let index = ends.tail;
        let slot = self.slots.get_mut(index as usize)?;
        if index == ends.head {
            ends.head = NIL;
            turned();
        } else {
            ends.tail = slot.prev;
        }
        self.len -= 1;
        Some(slot.release(&mut self.free, index))
    }

    /// Removes the item of `handle` and returns it with the index of its list. If the list is then empty, `turned` is called with this
    /// index. Returns `None` if the item has left already.
    pub(crate) fn remove(&mut self, handle: Handle, turned: impl FnOnce(usize)) -> Option<(usize, T)> {
        let index = handle.slot;
        let slot = self.slots.get_mut(index as usize).filter(|slot| slot.generation == handle.generation)?;
        let (next, prev, list) = (slot.next, slot.prev, slot.list as usize);
        let item = slot.release(&mut self.free, index);
        self.len -= 1;
        let ends = &mut self.lists[list];
        match (ends.head == index, ends.tail == index) {
            (true, true) => {
                ends.head = NIL;
                turned(list);
            }
            (true, false) => ends.head = next,
            (false, true) => ends.tail = prev,
            (false, false) => {
                self.slots[next as usize].prev = prev;
                self.slots[prev as usize].next = next;
            }
        }
        Some((list, item))
    }

    /// Looks at the first item of a list.
    pub(crate) fn front(&self, list: usize) -> Option<&T> {
        self.slots.get(self.lists.get(list)?.head as usize).map(|slot| &slot.item)
    }

    /// Looks at the last item of a list that is not empty.
    pub(crate) fn back(&self, list: usize) -> Option<&T> {
        self.slots.get(self.lists.get(list)?.tail as usize).map(|slot| &slot.item)
    }
}

impl<T: Default> Slot<T> {
    /// Removes the item of slot `index` and puts the slot at the front of the free list. Handles to the slot become stale.
    #[inline(always)]
    fn release(&mut self, free: &mut u32, index: u32) -> T {
        self.generation = self.generation.wrapping_add(1);
        self.next = std::mem::replace(free, index);
        std::mem::take(&mut self.item)
    }
}
