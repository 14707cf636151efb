//! HFFS over the engine's slab: a list of packets for each rank, and a tree of bitmaps of the ranks with packets.
//!
//! It uses the trees of `forebay_sched::queues::queue::hffs`, but the links of the slab, so that several orders can contain the same
//! packet. It is for keys with few ranks that do not change while a packet is queued.

use super::slab::{Link, NIL, Slab};
use forebay_sched::queues::bitmap_tree::FixedTree;

/// First and last packet of a rank, each plus 1; the first is 0 if there is none. So empty lists are zeros, which the
/// system hands out without touching them: an engine with many ranks is built quickly.
type Ends = [u32; 2];
const HEAD: usize = 0;
const TAIL: usize = 1;

/// The packets by rank, and by arrival within a rank.
#[derive(Debug)]
pub(super) struct Buckets<Tree, const ORDER: usize> {
    occupied: Tree,
    lists: Box<[Ends]>,
}

impl<Tree: FixedTree, const ORDER: usize> Buckets<Tree, ORDER> {
    /// Creates buckets for ranks below `ranks`, which the tree must have.
    pub(super) fn new(ranks: usize) -> Self {
        Self { occupied: Tree::default(), lists: vec![[0; 2]; ranks.max(1)].into() }
    }

    /// Appends the packet that arrived last.
    #[inline(always)]
    pub(super) fn push(&mut self, slab: &mut Slab, slot: u32, rank: u32) {
        let ends = &mut self.lists[rank as usize];
        if ends[HEAD] == 0 {
            *ends = [slot + 1; 2];
            self.occupied.insert(rank as usize);
            *slab.link_mut(slot, ORDER) = Link { next: NIL, prev: NIL, list: rank };
        } else {
            let tail = std::mem::replace(&mut ends[TAIL], slot + 1) - 1;
            slab.link_mut(tail, ORDER).next = slot;
            *slab.link_mut(slot, ORDER) = Link { next: NIL, prev: tail, list: rank };
        }
    }

    /// Returns the lowest rank that has packets, and its first packet.
    #[inline(always)]
    pub(super) fn lowest(&self) -> Option<(u32, u32)> {
        let rank = self.occupied.first()?;
        Some((Self::rank(rank), self.lists[rank][HEAD] - 1))
    }

    /// Returns the highest rank that has packets, and its last packet.
    #[inline(always)]
    pub(super) fn highest(&self) -> Option<(u32, u32)> {
        let rank = self.occupied.last()?;
        Some((Self::rank(rank), self.lists[rank][TAIL] - 1))
    }

    /// Returns the lowest rank that has packets, and its last packet.
    #[inline(always)]
    pub(super) fn latest_of_lowest(&self) -> Option<(u32, u32)> {
        let rank = self.occupied.first()?;
        Some((Self::rank(rank), self.lists[rank][TAIL] - 1))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a tree has at most 2^24 ranks")]
    fn rank(rank: usize) -> u32 {
        rank as u32
    }

    /// Removes a packet.
    #[inline(always)]
    pub(super) fn remove(&mut self, slab: &mut Slab, slot: u32) {
        let Link { next, prev, list } = slab.link(slot, ORDER);
        let rank = list as usize;
        let ends = &mut self.lists[rank];
        match (ends[HEAD] == slot + 1, ends[TAIL] == slot + 1) {
            (true, true) => {
                ends[HEAD] = 0;
                self.occupied.remove(rank);
            }
            (true, false) => ends[HEAD] = next + 1,
            (false, true) => ends[TAIL] = prev + 1,
            (false, false) => {
                slab.link_mut(next, ORDER).prev = prev;
                slab.link_mut(prev, ORDER).next = next;
            }
        }
    }
}
