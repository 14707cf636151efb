//! One order of a queue that needs two: it returns its first packet, and any packet can be removed.

use super::arrival_list::ArrivalList;
use super::buckets::Buckets;
use super::entry::Entry;
use super::expr::Test;
use super::indexed_heap::IndexedHeap;
use super::order::Order;
use super::slab::{NIL, Slab, Stored, VICTIMS};
use super::structure::{OnePacket, TwoPackets};
use forebay_sched::queues::bitmap_tree::Levels3;

/// An order of packets; `ORDER` says which, and so determines the direction of ties.
#[derive(Debug)]
pub(super) enum End<const ORDER: usize> {
    /// Sorted by arrival alone, perhaps against the direction of ties.
    Arrival { list: ArrivalList<ORDER>, against_ties: bool },
    /// Sorted by a key of few ranks.
    Buckets { order: Order, buckets: Box<Buckets<Levels3, ORDER>> },
    /// Sorted by a key of 64 bits.
    Heap { order: Order, moves: bool, heap: IndexedHeap<u64, ORDER> },
    /// Sorted by a key of 128 bits.
    WideHeap { order: Order, moves: bool, heap: IndexedHeap<u128, ORDER> },
    /// Compared by a comparator without keys: all packets are compared.
    Scan { list: ArrivalList<ORDER>, before: Test },
}

/// Returns the tie of an entry in a heap.
#[inline(always)]
fn tie<const ORDER: usize>(stored: &Stored) -> u64 {
    if ORDER == VICTIMS { !stored.number } else { stored.number }
}

/// Whether an arriving packet with `key` precedes the first of the others. It loses ties in service and wins them among victims.
#[inline(always)]
fn precedes<const ORDER: usize, K: Ord + Copy>(key: K, first: Option<K>) -> bool {
    first.is_none_or(|first| if ORDER == VICTIMS { key <= first } else { key < first })
}

impl<const ORDER: usize> End<ORDER> {
    /// Returns the packet's key.
    #[inline]
    pub(super) fn key(&self, stored: &Stored) -> u128 {
        match self {
            Self::Arrival { .. } | Self::Scan { .. } => 0,
            Self::Buckets { order, .. } | Self::Heap { order, .. } => order.pack::<u64>(&OnePacket(stored)).into(),
            Self::WideHeap { order, .. } => order.pack(&OnePacket(stored)),
        }
    }

    /// Inserts the packet that arrived last; a heap accepts any packet.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the bits of the key are why the structure was chosen")]
    pub(super) fn insert(&mut self, slab: &mut Slab, slot: u32, key: u128) {
        let tie = tie::<ORDER>(slab.get(slot));
        match self {
            Self::Arrival { list, .. } | Self::Scan { list, .. } => list.push(slab, slot),
            Self::Buckets { buckets, .. } => buckets.push(slab, slot, key as u32),
            Self::Heap { heap, .. } => heap.push(slab, Entry { key: key as u64, tie, slot }),
            Self::WideHeap { heap, .. } => heap.push(slab, Entry { key, tie, slot }),
        }
    }

    /// Sorts a packet again after its `processing` or `value` changed.
    #[inline]
    pub(super) fn replace(&mut self, slab: &mut Slab, slot: u32) {
        if matches!(self, Self::Heap { moves: true, .. } | Self::WideHeap { moves: true, .. }) {
            self.remove(slab, slot);
            let key = self.key(slab.get(slot));
            self.insert(slab, slot, key);
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, slab: &mut Slab, slot: u32) {
        match self {
            Self::Arrival { list, .. } | Self::Scan { list, .. } => list.remove(slab, slot),
            Self::Buckets { buckets, .. } => buckets.remove(slab, slot),
            Self::Heap { heap, .. } => heap.remove(slab, slot),
            Self::WideHeap { heap, .. } => heap.remove(slab, slot),
        }
    }

    /// Returns the first packet, or [`NIL`].
    #[inline]
    pub(super) fn first(&self, slab: &Slab) -> u32 {
        match self {
            Self::Arrival { list, against_ties } => match (ORDER == VICTIMS, against_ties) {
                (false, false) => list.head(),
                (false, true) => list.first_of_latest(slab),
                (true, false) => list.tail(),
                (true, true) => list.last_of_earliest(slab),
            },
            Self::Buckets { buckets, .. } => {
                let first = if ORDER == VICTIMS { buckets.latest_of_lowest() } else { buckets.lowest() };
                first.map_or(NIL, |(_, slot)| slot)
            }
            Self::Heap { heap, .. } => heap.first().map_or(NIL, |entry| entry.slot),
            Self::WideHeap { heap, .. } => heap.first().map_or(NIL, |entry| entry.slot),
            Self::Scan { list, before } => scan::<ORDER>(slab, list, before, None).unwrap_or(NIL),
        }
    }

    /// Whether an arriving packet would be first.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the bits of the key are why the structure was chosen")]
    pub(super) fn arriving_is_first(&self, slab: &Slab, arriving: &Stored, key: u128) -> bool {
        match self {
            Self::Arrival { list, against_ties } => {
                let (head, tail) = (list.head(), list.tail());
                match (ORDER == VICTIMS, against_ties) {
                    _ if head == NIL => true,
                    (false, false) => false,
                    (false, true) => arriving.arrival() > slab.get(tail).arrival(),
                    (true, false) => true,
                    (true, true) => arriving.arrival() <= slab.get(head).arrival(),
                }
            }
            Self::Buckets { buckets, .. } => precedes::<ORDER, _>(key as u32, buckets.lowest().map(|(rank, _)| rank)),
            Self::Heap { heap, .. } => precedes::<ORDER, _>(key as u64, heap.first().map(|entry| entry.key)),
            Self::WideHeap { heap, .. } => precedes::<ORDER, _>(key, heap.first().map(|entry| entry.key)),
            Self::Scan { list, before } => scan::<ORDER>(slab, list, before, Some(arriving)) == Some(NIL),
        }
    }
}

/// Returns the first packet by a comparator alone; [`NIL`] stands for the arriving one, if there is one.
fn scan<const ORDER: usize>(
    slab: &Slab,
    list: &ArrivalList<ORDER>,
    before: &Test,
    arriving: Option<&Stored>,
) -> Option<u32> {
    let mut best: Option<(u32, &Stored)> = None;
    let mut offer = |slot: u32, stored| {
        if best.is_none_or(|(_, best)| before.holds(&TwoPackets(stored, best))) {
            best = Some((slot, stored));
        }
    };
    if ORDER == VICTIMS {
        if let Some(arriving) = arriving {
            offer(NIL, arriving);
        }
        list.slots_from_last(slab).for_each(|slot| offer(slot, slab.get(slot)));
    } else {
        list.slots(slab).for_each(|slot| offer(slot, slab.get(slot)));
        if let Some(arriving) = arriving {
            offer(NIL, arriving);
        }
    }
    best.map(|(slot, _)| slot)
}
