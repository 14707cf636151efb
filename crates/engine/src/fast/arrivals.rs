//! Queues whose orders look at arrival alone: first-in or last-in first-out, dropping the newest or the oldest.

use super::arrival_list::ArrivalList;
use super::ring::Ring;
use super::slab::{NIL, SERVICE, Slab, Stored};
use super::structure::Structure;
use forebay_core::Packet;

/// First in, first out, and the newest is dropped: a ring.
#[derive(Debug)]
pub(super) struct Fifo {
    ring: Ring,
}

/// The slot of the front of a ring.
const FRONT: u32 = 0;

impl Fifo {
    /// Room for so many packets at first.
    pub(super) fn with_capacity(packets: usize) -> Self {
        Self { ring: Ring::with_capacity(packets) }
    }
}

impl Structure for Fifo {
    type Key = ();

    const DROPS_NEWEST: bool = true;

    #[inline(always)]
    fn key(&self, _: &Stored) {}

    #[inline(always)]
    fn has_slot(&self) -> bool {
        !self.ring.is_full()
    }

    #[inline(always)]
    fn insert_into_slot(&mut self, stored: Stored, (): ()) {
        self.ring.push(stored);
    }

    fn insert(&mut self, stored: Stored, (): ()) {
        if self.ring.is_full() {
            self.ring.grow();
        }
        self.ring.push(stored);
    }

    #[inline(always)]
    fn first(&self) -> u32 {
        if self.ring.is_empty() { NIL } else { FRONT }
    }

    #[inline(always)]
    fn get(&self, _: u32) -> &Stored {
        self.ring.front()
    }

    fn get_mut(&mut self, _: u32) -> &mut Stored {
        self.ring.front_mut()
    }

    fn replace(&mut self, _: u32) {}

    fn take(&mut self, _: u32) -> Option<Stored> {
        let stored = *self.ring.front();
        self.ring.advance();
        Some(stored)
    }

    #[inline(always)]
    fn take_packet(&mut self, _: u32) -> Option<Packet> {
        // Only the packet is copied, and only once.
        let packet = self.ring.front().packet;
        self.ring.advance();
        Some(packet)
    }

    fn pop_victim(&mut self) -> Option<Packet> {
        self.ring.pop_back().map(|stored| stored.packet)
    }

    #[inline(always)]
    fn arriving_is_first(&self, _: &Stored, (): ()) -> bool {
        self.ring.is_empty()
    }

    #[inline(always)]
    fn arriving_is_victim(&self, _: &Stored, (): ()) -> bool {
        true
    }
}

/// One list for both orders.
#[derive(Debug)]
pub(super) struct Arrivals<const LATEST_FIRST: bool, const DROP_EARLIEST: bool> {
    slab: Slab,
    list: ArrivalList<SERVICE>,
}

impl<const LATEST_FIRST: bool, const DROP_EARLIEST: bool> Arrivals<LATEST_FIRST, DROP_EARLIEST> {
    /// Room for so many packets at first.
    pub(super) fn with_capacity(packets: usize) -> Self {
        Self { slab: Slab::with_capacity(packets), list: ArrivalList::default() }
    }
}

impl<const LATEST_FIRST: bool, const DROP_EARLIEST: bool> Structure for Arrivals<LATEST_FIRST, DROP_EARLIEST> {
    type Key = ();

    fn key(&self, _: &Stored) {}

    fn insert(&mut self, stored: Stored, (): ()) {
        let slot = self.slab.insert(stored);
        self.list.push(&mut self.slab, slot);
    }

    fn first(&self) -> u32 {
        if LATEST_FIRST { self.list.first_of_latest(&self.slab) } else { self.list.head() }
    }

    #[inline(always)]
    fn get(&self, slot: u32) -> &Stored {
        self.slab.get(slot)
    }

    #[inline(always)]
    fn get_mut(&mut self, slot: u32) -> &mut Stored {
        self.slab.get_mut(slot)
    }

    fn replace(&mut self, _: u32) {}

    fn take(&mut self, slot: u32) -> Option<Stored> {
        self.list.remove(&mut self.slab, slot);
        Some(*self.slab.free(slot))
    }

    fn pop_victim(&mut self) -> Option<Packet> {
        let slot = if DROP_EARLIEST { self.list.last_of_earliest(&self.slab) } else { self.list.tail() };
        if slot == NIL {
            return None;
        }
        self.list.remove(&mut self.slab, slot);
        Some(self.slab.free(slot).packet)
    }

    fn arriving_is_first(&self, arriving: &Stored, (): ()) -> bool {
        let tail = self.list.tail();
        tail == NIL || (LATEST_FIRST && arriving.arrival() > self.slab.get(tail).arrival())
    }

    fn arriving_is_victim(&self, arriving: &Stored, (): ()) -> bool {
        let head = self.list.head();
        !DROP_EARLIEST || head == NIL || arriving.arrival() <= self.slab.get(head).arrival()
    }
}
