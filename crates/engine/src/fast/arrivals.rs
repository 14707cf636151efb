//! Queues whose orders look at arrival alone: first-in or last-in first-out, dropping the newest or the oldest.

use super::arrival_list::ArrivalList;
use super::slab::{NIL, SERVICE, Slab, Stored};
use super::structure::Structure;

/// One list for both orders.
#[derive(Debug, Default)]
pub(super) struct Arrivals<const LATEST_FIRST: bool, const DROP_EARLIEST: bool> {
    list: ArrivalList<SERVICE>,
}

impl<const LATEST_FIRST: bool, const DROP_EARLIEST: bool> Structure for Arrivals<LATEST_FIRST, DROP_EARLIEST> {
    type Key = ();

    #[inline(always)]
    fn key(&self, _: &Stored) {}

    #[inline(always)]
    fn insert(&mut self, slab: &mut Slab, slot: u32, (): ()) {
        self.list.push(slab, slot);
    }

    fn replace_first(&mut self, _: &mut Slab, _: u32) {}

    #[inline(always)]
    fn first(&self, slab: &Slab) -> u32 {
        if LATEST_FIRST { self.list.first_of_latest(slab) } else { self.list.head() }
    }

    #[inline(always)]
    fn victim(&self, slab: &Slab) -> u32 {
        if DROP_EARLIEST { self.list.last_of_earliest(slab) } else { self.list.tail() }
    }

    #[inline(always)]
    fn remove_first(&mut self, slab: &mut Slab, slot: u32) {
        if LATEST_FIRST {
            self.list.remove(slab, slot);
        } else {
            self.list.pop(slab);
        }
    }

    #[inline(always)]
    fn remove_victim(&mut self, slab: &mut Slab, slot: u32) {
        self.list.remove(slab, slot);
    }

    #[inline(always)]
    fn arriving_is_first(&self, slab: &Slab, arriving: &Stored, (): ()) -> bool {
        let tail = self.list.tail();
        tail == NIL || (LATEST_FIRST && arriving.arrival() > slab.get(tail).arrival())
    }

    #[inline(always)]
    fn arriving_is_victim(&self, slab: &Slab, arriving: &Stored, (): ()) -> bool {
        let head = self.list.head();
        !DROP_EARLIEST || head == NIL || arriving.arrival() <= slab.get(head).arrival()
    }
}
