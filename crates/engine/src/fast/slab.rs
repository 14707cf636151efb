//! The storage of a queue's packets; the queue's orders contain their slots.

use super::time57::Time57;
use forebay_core::{Duration, Packet};

/// No slot.
pub(super) const NIL: u32 = u32::MAX;

/// The order of service of a queue, or its only order.
pub(super) const SERVICE: usize = 0;
/// The order of victims of a queue with both orders.
pub(super) const VICTIMS: usize = 1;

/// A packet and its state.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stored {
    /// The packet as it departs, with its original `processing`.
    pub(super) packet: Packet,
    /// The packet's remaining processing.
    pub(super) left: Duration,
    /// The packet's number in the order of arrival; no two are equal.
    pub(super) number: u64,
    /// The version of the policy under which it arrived.
    pub(super) policy_id: u32,
}

impl Stored {
    /// Creates the state of an arriving packet.
    #[inline(always)]
    pub(super) fn arriving(packet: Packet, number: u64, policy_id: u32) -> Self {
        Self { packet, left: packet.processing, number, policy_id }
    }

    /// Returns the packet and its remaining processing.
    #[inline(always)]
    pub(super) fn dropped(&self) -> (&Packet, Duration) {
        (&self.packet, self.left)
    }

    /// Returns the time of arrival, with the precision of the property `arrival`.
    #[inline]
    pub(super) fn arrival(&self) -> u64 {
        Time57::of_ps(self.packet.arrival.as_ps())
    }
}

/// The position of a packet in an order. The order defines the meaning of the numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// The next slot, or the position in a heap.
    pub(super) next: u32,
    /// The previous slot.
    pub(super) prev: u32,
    /// The packet's bucket.
    pub(super) list: u32,
}

const UNLINKED: Link = Link { next: NIL, prev: NIL, list: 0 };

/// A packet and its positions in the orders of its queue.
#[derive(Debug)]
struct Node {
    stored: Stored,
    links: [Link; 2],
}

/// The packets of a queue by slot; the capacity grows on demand.
#[derive(Debug)]
pub(super) struct Slab {
    nodes: Vec<Node>,
    len: u64,
    /// The first free slot, linked through `next` of [`SERVICE`].
    free: u32,
}

impl Slab {
    /// Creates a slab, which allocates memory on demand.
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), len: 0, free: NIL }
    }

    /// Returns the number of packets.
    #[inline(always)]
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Stores a packet and returns its slot.
    #[inline(always)]
    pub(super) fn insert(&mut self, stored: Stored) -> u32 {
        if self.free == NIL {
            self.grow();
        }
        let slot = self.free;
        let node = &mut self.nodes[slot as usize];
        self.free = node.links[SERVICE].next;
        node.stored = stored;
        self.len += 1;
        slot
    }

    /// Adds a free slot.
    #[cold]
    #[inline(never)]
    #[expect(clippy::cast_possible_truncation, reason = "2^32 packets would take 480 GB")]
    fn grow(&mut self) {
        self.free = self.nodes.len() as u32;
        self.nodes.push(Node { stored: Stored::default(), links: [UNLINKED; 2] });
    }

    /// Frees a slot. Its packet can be read until the slot is used again.
    #[inline(always)]
    pub(super) fn free(&mut self, slot: u32) -> &Stored {
        let node = &mut self.nodes[slot as usize];
        node.links[SERVICE].next = self.free;
        self.free = slot;
        self.len -= 1;
        &node.stored
    }

    /// Returns the packet in a slot.
    #[inline(always)]
    pub(super) fn get(&self, slot: u32) -> &Stored {
        &self.nodes[slot as usize].stored
    }

    /// Returns the packet in a slot, to be changed.
    #[inline(always)]
    pub(super) fn get_mut(&mut self, slot: u32) -> &mut Stored {
        &mut self.nodes[slot as usize].stored
    }

    /// Returns the packet's position in one of its orders.
    #[inline(always)]
    pub(super) fn link(&self, slot: u32, order: usize) -> Link {
        self.nodes[slot as usize].links[order]
    }

    /// Returns the packet's position in one of its orders, to be changed.
    #[inline(always)]
    pub(super) fn link_mut(&mut self, slot: u32, order: usize) -> &mut Link {
        &mut self.nodes[slot as usize].links[order]
    }
}
