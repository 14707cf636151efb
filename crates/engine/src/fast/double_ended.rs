//! Queues whose victims are those served last: one structure with both ends open.

use super::buckets::Buckets;
use super::entry::Entry;
use super::order::{Order, Word};
use super::slab::{NIL, SERVICE, Slab, Stored};
use super::structure::{OnePacket, Structure, in_slab};
use forebay_core::{Duration, Packet};
use forebay_sched::queues::MinMaxHeap;
use forebay_sched::queues::bitmap_tree::FixedTree;

/// HFFS: for keys with few ranks.
#[derive(Debug)]
pub(super) struct DoubleEndedBuckets<Tree> {
    order: Order,
    slab: Slab,
    buckets: Buckets<Tree, SERVICE>,
}

impl<Tree: FixedTree> DoubleEndedBuckets<Tree> {
    pub(super) fn new(order: Order, ranks: usize) -> Self {
        Self { order, slab: Slab::new(), buckets: Buckets::new(ranks) }
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
    fn insert(&mut self, stored: Stored, key: u32) {
        let slot = self.slab.insert(stored);
        self.buckets.push(&mut self.slab, slot, key);
    }

    in_slab!();

    fn replace(&mut self, _: u32) {}

    #[inline(always)]
    fn first(&self) -> u32 {
        self.buckets.lowest().map_or(NIL, |(_, slot)| slot)
    }

    #[inline(always)]
    fn take(&mut self, slot: u32) -> Option<Stored> {
        self.buckets.remove(&mut self.slab, slot);
        Some(*self.slab.free(slot))
    }

    #[inline(always)]
    fn release(&mut self, slot: u32) -> &Packet {
        self.buckets.remove(&mut self.slab, slot);
        &self.slab.free(slot).packet
    }

    #[inline(always)]
    fn pop_victim(&mut self) -> Option<(&Packet, Duration)> {
        let (_, slot) = self.buckets.highest()?;
        self.buckets.remove(&mut self.slab, slot);
        Some(self.slab.free(slot).dropped())
    }

    #[inline(always)]
    fn arriving_is_first(&self, _: &Stored, key: u32) -> bool {
        self.buckets.lowest().is_none_or(|(lowest, _)| key < lowest)
    }

    #[inline(always)]
    fn arriving_is_victim(&self, _: &Stored, key: u32) -> bool {
        self.buckets.highest().is_none_or(|(highest, _)| key >= highest)
    }
}

/// A min-max heap: for keys with any number of ranks.
#[derive(Debug)]
pub(super) struct DoubleEndedHeap<K> {
    order: Order,
    moves: bool,
    slab: Slab,
    heap: MinMaxHeap<Entry<K>>,
}

impl<K: Word> DoubleEndedHeap<K> {
    pub(super) fn new(order: Order, moves: bool) -> Self {
        Self { order, moves, slab: Slab::new(), heap: MinMaxHeap::with_capacity(0) }
    }
}

impl<K: Word> Structure for DoubleEndedHeap<K> {
    type Key = K;

    #[inline(always)]
    fn key(&self, stored: &Stored) -> K {
        self.order.pack(&OnePacket(stored))
    }

    #[inline(always)]
    fn insert(&mut self, stored: Stored, key: K) {
        let tie = stored.number;
        let slot = self.slab.insert(stored);
        self.heap.push(Entry { key, tie, slot });
    }

    in_slab!();

    fn replace(&mut self, slot: u32) {
        if self.moves && self.heap.pop_min().is_some() {
            let stored = self.slab.get(slot);
            self.heap.push(Entry { key: self.order.pack(&OnePacket(stored)), tie: stored.number, slot });
        }
    }

    #[inline(always)]
    fn first(&self) -> u32 {
        self.heap.peek_min().map_or(NIL, |entry| entry.slot)
    }

    #[inline(always)]
    fn take(&mut self, slot: u32) -> Option<Stored> {
        let taken = self.heap.pop_min();
        debug_assert_eq!(taken.map(|entry| entry.slot), Some(slot), "it is the first");
        Some(*self.slab.free(slot))
    }

    #[inline(always)]
    fn release(&mut self, slot: u32) -> &Packet {
        let taken = self.heap.pop_min();
        debug_assert_eq!(taken.map(|entry| entry.slot), Some(slot), "it is the first");
        &self.slab.free(slot).packet
    }

    fn take_all(&mut self, mut see: impl FnMut(Stored)) {
        self.heap.drain_by_key(|entry| entry.tie).for_each(|entry| see(*self.slab.free(entry.slot)));
    }

    #[inline(always)]
    fn pop_victim(&mut self) -> Option<(&Packet, Duration)> {
        let slot = self.heap.pop_max()?.slot;
        Some(self.slab.free(slot).dropped())
    }

    #[inline(always)]
    fn arriving_is_first(&self, _: &Stored, key: K) -> bool {
        self.heap.peek_min().is_none_or(|first| key < first.key)
    }

    #[inline(always)]
    fn arriving_is_victim(&self, _: &Stored, key: K) -> bool {
        self.heap.peek_max().is_none_or(|last| key >= last.key)
    }
}
