//! HFFS over the engine's slab: a list of packets for each rank, and a tree of bitmaps that says which hold some.
//!
//! As `forebay_queues::queue::hffs`, with its trees, but the links are those of the slab, so that several orders can
//! hold the same packet. For keys with few ranks that do not change while a packet waits.

use super::slab::{Link, NIL, Slab};
use forebay_queues::bitmap_tree::FixedTree;

/// First and last packet of a rank.
#[derive(Debug, Clone, Copy)]
struct Ends {
    /// [`NIL`] if there is none.
    head: u32,
    /// Meaningless if there is none.
    tail: u32,
}

/// Packets by rank, and by arrival within a rank.
#[derive(Debug)]
pub(super) struct Buckets<Tree, const ORDER: usize> {
    occupied: Tree,
    lists: Box<[Ends]>,
}

impl<Tree: FixedTree, const ORDER: usize> Buckets<Tree, ORDER> {
    /// For ranks below `ranks`, which the tree has.
    pub(super) fn new(ranks: usize) -> Self {
        Self { occupied: Tree::default(), lists: vec![Ends { head: NIL, tail: NIL }; ranks.max(1)].into() }
    }

    /// Appends the packet that arrived last.
    #[inline(always)]
    pub(super) fn push(&mut self, slab: &mut Slab, slot: u32, rank: u32) {
        let ends = &mut self.lists[rank as usize];
        if ends.head == NIL {
            *ends = Ends { head: slot, tail: slot };
            self.occupied.insert(rank as usize);
            *slab.link_mut(slot, ORDER) = Link { next: NIL, prev: NIL, list: rank };
        } else {
            let tail = std::mem::replace(&mut ends.tail, slot);
            slab.link_mut(tail, ORDER).next = slot;
            *slab.link_mut(slot, ORDER) = Link { next: NIL, prev: tail, list: rank };
        }
    }

    /// The lowest rank that holds packets, and the first packet of it.
    #[inline(always)]
    pub(super) fn lowest(&self) -> Option<(u32, u32)> {
        let rank = self.occupied.first()?;
        Some((Self::rank(rank), self.lists[rank].head))
    }

    /// The highest rank that holds packets, and the last packet of it.
    #[inline(always)]
    pub(super) fn highest(&self) -> Option<(u32, u32)> {
        let rank = self.occupied.last()?;
        Some((Self::rank(rank), self.lists[rank].tail))
    }

    /// The lowest rank that holds packets, and the last packet of it.
    #[inline(always)]
    pub(super) fn latest_of_lowest(&self) -> Option<(u32, u32)> {
        let rank = self.occupied.first()?;
        Some((Self::rank(rank), self.lists[rank].tail))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a tree has at most 2^24 ranks")]
    fn rank(rank: usize) -> u32 {
        rank as u32
    }

    /// Takes a packet out.
    #[inline(always)]
    pub(super) fn remove(&mut self, slab: &mut Slab, slot: u32) {
        let Link { next, prev, list } = slab.link(slot, ORDER);
        let rank = list as usize;
        let ends = &mut self.lists[rank];
        match (ends.head == slot, ends.tail == slot) {
            (true, true) => {
                ends.head = NIL;
                self.occupied.remove(rank);
            }
            (true, false) => ends.head = next,
            (false, true) => ends.tail = prev,
            (false, false) => {
                slab.link_mut(next, ORDER).prev = prev;
                slab.link_mut(prev, ORDER).next = next;
            }
        }
    }
}
