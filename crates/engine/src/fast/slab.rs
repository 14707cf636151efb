//! The packets of a queue in one place; its orders hold their slots.

use super::time57::Time57;
use forebay_core::{Duration, Packet};

/// No slot.
pub(super) const NIL: u32 = u32::MAX;

/// The order of service of a queue, or the only one that it has.
pub(super) const SERVICE: usize = 0;
/// The order of victims of a queue that has both.
pub(super) const VICTIMS: usize = 1;

/// A packet and what is known about it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stored {
    /// As it comes out: with the `processing` that it came in with.
    pub(super) packet: Packet,
    /// Its remaining processing.
    pub(super) left: Duration,
    /// Its place in the order of arrival; no two are equal.
    pub(super) number: u64,
    /// The version of the policy under which it arrived.
    pub(super) policy_id: u32,
}

impl Stored {
    /// A packet on its arrival.
    #[inline(always)]
    pub(super) fn arriving(packet: Packet, number: u64, policy_id: u32) -> Self {
        Self { packet, left: packet.processing, number, policy_id }
    }

    /// The packet, and what is left of its processing.
    #[inline(always)]
    pub(super) fn dropped(&self) -> (&Packet, Duration) {
        (&self.packet, self.left)
    }

    /// When it arrived, as far as the property `arrival` can tell.
    #[inline]
    pub(super) fn arrival(&self) -> u64 {
        Time57::of_ps(self.packet.arrival.as_ps())
    }
}

/// Where a packet is in an order. The order defines the meaning of the numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// The slot behind it, or its place in a heap.
    pub(super) next: u32,
    /// The slot before it.
    pub(super) prev: u32,
    /// Its bucket.
    pub(super) list: u32,
}

const UNLINKED: Link = Link { next: NIL, prev: NIL, list: 0 };

/// A packet and where it is in the orders of its queue.
#[derive(Debug)]
struct Node {
    stored: Stored,
    links: [Link; 2],
}

/// The packets of a queue by slot, with room that grows when it is needed.
#[derive(Debug)]
pub(super) struct Slab {
    nodes: Vec<Node>,
    len: u64,
    /// The first free slot, linked through `next` of [`SERVICE`].
    free: u32,
}

impl Slab {
    /// Room is made when it is needed.
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), len: 0, free: NIL }
    }

    /// How many packets are in.
    #[inline(always)]
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Keeps a packet and gives its slot.
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

    /// Makes a free slot.
    #[cold]
    #[inline(never)]
    #[expect(clippy::cast_possible_truncation, reason = "2^32 packets would take 480 GB")]
    fn grow(&mut self) {
        self.free = self.nodes.len() as u32;
        self.nodes.push(Node { stored: Stored::default(), links: [UNLINKED; 2] });
    }

    /// Gives a slot back. Its packet can be read until the slot is used again.
    #[inline(always)]
    pub(super) fn free(&mut self, slot: u32) -> &Stored {
        let node = &mut self.nodes[slot as usize];
        node.links[SERVICE].next = self.free;
        self.free = slot;
        self.len -= 1;
        &node.stored
    }

    /// The packet in a slot.
    #[inline(always)]
    pub(super) fn get(&self, slot: u32) -> &Stored {
        &self.nodes[slot as usize].stored
    }

    /// The packet in a slot, to be changed.
    #[inline(always)]
    pub(super) fn get_mut(&mut self, slot: u32) -> &mut Stored {
        &mut self.nodes[slot as usize].stored
    }

    /// Where the packet is in one of its orders.
    #[inline(always)]
    pub(super) fn link(&self, slot: u32, order: usize) -> Link {
        self.nodes[slot as usize].links[order]
    }

    /// Where the packet is in one of its orders, to be changed.
    #[inline(always)]
    pub(super) fn link_mut(&mut self, slot: u32, order: usize) -> &mut Link {
        &mut self.nodes[slot as usize].links[order]
    }
}
