//! Queues whose orders depend on arrival alone: first-in or last-in first-out, dropping the newest or the oldest. The most common of the
//! four has its own structure, [`Fifo`](super::fifo::Fifo).

use super::arrival_list::ArrivalList;
use super::slab::{NIL, SERVICE, Slab, Stored};
use super::structure::{Structure, in_slab};
use forebay_core::{Duration, Packet};

/// One list for both orders.
#[derive(Debug)]
pub(super) struct Arrivals<const LATEST_FIRST: bool, const DROP_EARLIEST: bool> {
    slab: Slab,
    list: ArrivalList<SERVICE>,
}

impl<const LATEST_FIRST: bool, const DROP_EARLIEST: bool> Arrivals<LATEST_FIRST, DROP_EARLIEST> {
    pub(super) fn new() -> Self {
        Self { slab: Slab::new(), list: ArrivalList::default() }
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

    in_slab!();

    fn replace(&mut self, _: u32) {}

    fn take(&mut self, slot: u32) -> Option<Stored> {
        self.list.remove(&mut self.slab, slot);
        Some(*self.slab.free(slot))
    }

    fn release(&mut self, slot: u32) -> &Packet {
        self.list.remove(&mut self.slab, slot);
        &self.slab.free(slot).packet
    }

    fn pop_victim(&mut self) -> Option<(&Packet, Duration)> {
        let slot = if DROP_EARLIEST { self.list.last_of_earliest(&self.slab) } else { self.list.tail() };
        if slot == NIL {
            return None;
        }
        self.list.remove(&mut self.slab, slot);
        Some(self.slab.free(slot).dropped())
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
