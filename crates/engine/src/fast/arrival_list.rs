//! A list of packets in order of arrival, which orders of arrival alone use from either end.
//!
//! Packets that have the same `arrival` tie. Ties are in order of arrival for service and against it for victims
//! (`docs/openqueue-semantics.md`, 4.3). So of the packets with the latest `arrival`, the first in order is served first. Of those with the
//! earliest, the last is the victim. These two operations walk past the packets of one instant.

use super::slab::{Link, NIL, Slab};

/// A doubly linked list; `ORDER` selects the links of the slab that it uses.
#[derive(Debug)]
pub(super) struct ArrivalList<const ORDER: usize> {
    head: u32,
    tail: u32,
}

impl<const ORDER: usize> Default for ArrivalList<ORDER> {
    fn default() -> Self {
        Self { head: NIL, tail: NIL }
    }
}

impl<const ORDER: usize> ArrivalList<ORDER> {
    /// Returns the packet that arrived first, or [`NIL`].
    #[inline(always)]
    pub(super) fn head(&self) -> u32 {
        self.head
    }

    /// Returns the packet that arrived last, or [`NIL`].
    #[inline(always)]
    pub(super) fn tail(&self) -> u32 {
        self.tail
    }

    /// Appends the packet that arrived last.
    #[inline(always)]
    pub(super) fn push(&mut self, slab: &mut Slab, slot: u32) {
        let tail = std::mem::replace(&mut self.tail, slot);
        *slab.link_mut(slot, ORDER) = Link { next: NIL, prev: tail, list: 0 };
        if tail == NIL {
            self.head = slot;
        } else {
            slab.link_mut(tail, ORDER).next = slot;
        }
    }

    /// Removes a packet.
    #[inline]
    pub(super) fn remove(&mut self, slab: &mut Slab, slot: u32) {
        let Link { next, prev, .. } = slab.link(slot, ORDER);
        if prev == NIL {
            self.head = next;
        } else {
            slab.link_mut(prev, ORDER).next = next;
        }
        if next == NIL {
            self.tail = prev;
        } else {
            slab.link_mut(next, ORDER).prev = prev;
        }
    }

    /// Returns the first of the packets with the latest `arrival`, which last-in, first-out serves.
    pub(super) fn first_of_latest(&self, slab: &Slab) -> u32 {
        self.walk(slab, self.tail, |link| link.prev)
    }

    /// Returns the last of the packets with the earliest `arrival`, the victim if the oldest is dropped.
    pub(super) fn last_of_earliest(&self, slab: &Slab) -> u32 {
        self.walk(slab, self.head, |link| link.next)
    }

    /// Returns the last of the packets from `slot` on that have the same `arrival`.
    fn walk(&self, slab: &Slab, slot: u32, step: impl Fn(Link) -> u32) -> u32 {
        let mut slot = slot;
        while slot != NIL {
            let next = step(slab.link(slot, ORDER));
            if next == NIL || slab.get(next).arrival() != slab.get(slot).arrival() {
                break;
            }
            slot = next;
        }
        slot
    }

    /// Returns all packets in order of arrival.
    pub(super) fn slots<'a>(&self, slab: &'a Slab) -> impl Iterator<Item = u32> + use<'a, ORDER> {
        let head = self.head;
        std::iter::successors((head != NIL).then_some(head), |&slot| {
            let next = slab.link(slot, ORDER).next;
            (next != NIL).then_some(next)
        })
    }

    /// Returns all packets against the order of arrival.
    pub(super) fn slots_from_last<'a>(&self, slab: &'a Slab) -> impl Iterator<Item = u32> + use<'a, ORDER> {
        let tail = self.tail;
        std::iter::successors((tail != NIL).then_some(tail), |&slot| {
            let prev = slab.link(slot, ORDER).prev;
            (prev != NIL).then_some(prev)
        })
    }
}
