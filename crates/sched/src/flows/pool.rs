//! The items of all flows in one pool of slots: each flow is a doubly linked list of slots, since items leave a flow at both ends.

use super::load::Job;

/// No slot.
pub(super) const NIL: u32 = u32::MAX;

/// The first and the last slot of a flow's items; both are `NIL` if there are none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    head: u32,
    tail: u32,
}

impl Ends {
    pub(super) const EMPTY: Self = Self { head: NIL, tail: NIL };
}

#[derive(Debug)]
struct Slot<T> {
    /// The next slot, of the flow or of the free list.
    next: u32,
    /// The previous slot of the flow.
    prev: u32,
    job: Job,
    /// `None` if the slot is free.
    item: Option<T>,
}

/// A fixed number of slots.
#[derive(Debug)]
pub(super) struct ItemPool<T> {
    slots: Box<[Slot<T>]>,
    /// First free slot, linked through `next`.
    free: u32,
    len: usize,
}

impl<T> ItemPool<T> {
    /// Free slots for `capacity` items; slots above 2^32 - 1 would never be used.
    pub(super) fn new(capacity: usize) -> Self {
        let count = u32::try_from(capacity).unwrap_or(NIL);
        let linked = |next| Slot { next, prev: NIL, job: Job::default(), item: None };
        let slots = (1..=count).map(|next| linked(if next == count { NIL } else { next })).collect();
        Self { slots, free: if count == 0 { NIL } else { 0 }, len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Appends an item to a flow; gives it back if no slot is free.
    pub(super) fn push_back(&mut self, ends: &mut Ends, job: Job, item: T) -> Result<(), T> {
        let index = self.free;
        let Some(slot) = self.slots.get_mut(index as usize) else { return Err(item) };
        self.free = slot.next;
        *slot = Slot { next: NIL, prev: ends.tail, job, item: Some(item) };
        match self.slots.get_mut(ends.tail as usize) {
            Some(tail) => tail.next = index,
            None => ends.head = index,
        }
        ends.tail = index;
        self.len += 1;
        Ok(())
    }

    /// Puts an item before all others of a flow; gives it back if no slot is free.
    pub(super) fn push_front(&mut self, ends: &mut Ends, job: Job, item: T) -> Result<(), T> {
        let index = self.free;
        let Some(slot) = self.slots.get_mut(index as usize) else { return Err(item) };
        self.free = slot.next;
        *slot = Slot { next: ends.head, prev: NIL, job, item: Some(item) };
        match self.slots.get_mut(ends.head as usize) {
            Some(head) => head.prev = index,
            None => ends.tail = index,
        }
        ends.head = index;
        self.len += 1;
        Ok(())
    }

    /// Takes the first item of a flow.
    pub(super) fn pop_front(&mut self, ends: &mut Ends) -> Option<(Job, T)> {
        let index = ends.head;
        let next = self.slots.get(index as usize)?.next;
        ends.head = next;
        match self.slots.get_mut(next as usize) {
            Some(next) => next.prev = NIL,
            None => ends.tail = NIL,
        }
        self.release(index)
    }

    /// Takes the last item of a flow.
    pub(super) fn pop_back(&mut self, ends: &mut Ends) -> Option<(Job, T)> {
        let index = ends.tail;
        let prev = self.slots.get(index as usize)?.prev;
        ends.tail = prev;
        match self.slots.get_mut(prev as usize) {
            Some(prev) => prev.next = NIL,
            None => ends.head = NIL,
        }
        self.release(index)
    }

    /// The job of the first item of a flow.
    pub(super) fn head(&self, ends: Ends) -> Job {
        self.slots.get(ends.head as usize).map_or_else(Job::default, |slot| slot.job)
    }

    fn release(&mut self, index: u32) -> Option<(Job, T)> {
        let slot = &mut self.slots[index as usize];
        let item = slot.item.take()?;
        slot.next = std::mem::replace(&mut self.free, index);
        self.len -= 1;
        Some((slot.job, item))
    }
}
