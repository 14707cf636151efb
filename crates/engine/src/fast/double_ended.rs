//! Queues whose victims are those served last: one structure with both ends open.

use super::buckets::Buckets;
use super::entry::Entry;
use super::order::{Order, Word};
use super::slab::{NIL, SERVICE, Slab, Stored};
use super::structure::{OnePacket, Structure};
use forebay_queues::MinMaxHeap;
use forebay_queues::bitmap_tree::FixedTree;

/// HFFS: for keys with few ranks.
#[derive(Debug)]
pub(super) struct DoubleEndedBuckets<Tree> {
    order: Order,
    buckets: Buckets<Tree, SERVICE>,
}

impl<Tree: FixedTree> DoubleEndedBuckets<Tree> {
    pub(super) fn new(order: Order, ranks: usize) -> Self {
        Self { order, buckets: Buckets::new(ranks) }
    }
}

impl<Tree: FixedTree> Structure for DoubleEndedBuckets<Tree> {
    type Key = u32;

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "few ranks is why buckets were chosen")]
    fn key(&self, stored: &Stored) -> u32 {
        self.order.pack::<u64>(&OnePacket(stored)) as u32
    }

    #[inline(always)]
    fn insert(&mut self, slab: &mut Slab, slot: u32, key: u32) {
        self.buckets.push(slab, slot, key);
    }

    fn replace_first(&mut self, _: &mut Slab, _: u32) {}

    #[inline(always)]
    fn first(&self, _: &Slab) -> u32 {
        self.buckets.lowest().map_or(NIL, |(_, slot)| slot)
    }

    #[inline(always)]
    fn victim(&self, _: &Slab) -> u32 {
        self.buckets.highest().map_or(NIL, |(_, slot)| slot)
    }

    #[inline(always)]
    fn remove_first(&mut self, slab: &mut Slab, slot: u32) {
        self.buckets.remove(slab, slot);
    }

    #[inline(always)]
    fn remove_victim(&mut self, slab: &mut Slab, slot: u32) {
        self.buckets.remove(slab, slot);
    }

    #[inline(always)]
    fn arriving_is_first(&self, _: &Slab, _: &Stored, key: u32) -> bool {
        self.buckets.lowest().is_none_or(|(lowest, _)| key < lowest)
    }

    #[inline(always)]
    fn arriving_is_victim(&self, _: &Slab, _: &Stored, key: u32) -> bool {
        self.buckets.highest().is_none_or(|(highest, _)| key >= highest)
    }
}

/// A min-max heap: for keys with any number of ranks.
#[derive(Debug)]
pub(super) struct DoubleEndedHeap<K> {
    order: Order,
    moves: bool,
    heap: MinMaxHeap<Entry<K>>,
}

impl<K: Word> DoubleEndedHeap<K> {
    pub(super) fn new(order: Order, moves: bool, packets: usize) -> Self {
        Self { order, moves, heap: MinMaxHeap::with_capacity(packets) }
    }
}

impl<K: Word> Structure for DoubleEndedHeap<K> {
    type Key = K;

    #[inline(always)]
    fn key(&self, stored: &Stored) -> K {
        self.order.pack(&OnePacket(stored))
    }

    #[inline(always)]
    fn insert(&mut self, slab: &mut Slab, slot: u32, key: K) {
        self.heap.push(Entry { key, tie: slab.get(slot).number, slot });
    }

    fn replace_first(&mut self, slab: &mut Slab, slot: u32) {
        if self.moves {
            self.remove_first(slab, slot);
            let key = self.key(slab.get(slot));
            self.insert(slab, slot, key);
        }
    }

    #[inline(always)]
    fn first(&self, _: &Slab) -> u32 {
        self.heap.peek_min().map_or(NIL, |entry| entry.slot)
    }

    #[inline(always)]
    fn victim(&self, _: &Slab) -> u32 {
        self.heap.peek_max().map_or(NIL, |entry| entry.slot)
    }

    #[inline(always)]
    fn remove_first(&mut self, _: &mut Slab, slot: u32) {
        let taken = self.heap.pop_min();
        debug_assert_eq!(taken.map(|entry| entry.slot), Some(slot), "it is the first");
    }

    #[inline(always)]
    fn remove_victim(&mut self, _: &mut Slab, slot: u32) {
        let taken = self.heap.pop_max();
        debug_assert_eq!(taken.map(|entry| entry.slot), Some(slot), "it is the victim");
    }

    #[inline(always)]
    fn arriving_is_first(&self, _: &Slab, _: &Stored, key: K) -> bool {
        self.heap.peek_min().is_none_or(|first| key < first.key)
    }

    #[inline(always)]
    fn arriving_is_victim(&self, _: &Slab, _: &Stored, key: K) -> bool {
        self.heap.peek_max().is_none_or(|last| key >= last.key)
    }
}
