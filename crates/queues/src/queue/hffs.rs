//! HFFS: hierarchical find-first-set, the exact queue for bounded integer ranks.
//!
//! Every rank has a bucket, a doubly linked FIFO list of its items. A tree of
//! 64-bit words says which buckets hold something: a leaf bit stands for a
//! bucket, a bit above for a word below that is not zero. The first item is found
//! by one count-trailing-zeros per level, the last by one count-leading-zeros.
//! All items live in one slab with a free list through it.
//!
//! Cost: O(levels) per operation whatever the input; 8 bytes per rank, 8 bytes per
//! word of the tree, 16 bytes plus the item per entry. Sources: BBQ (NSDI'24) section 3.1;
//! SurgeProtector (thesis) section 3.5.4.
//!
//! ```
//! use forebay_queues::{PopMax, RankQueue, Remove, queue::hffs::Hffs};
//! let mut queue = Hffs::<_, 2>::new(100, 4096); // 100 entries, ranks 0 to 4095
//! queue.push(7, "b").unwrap();
//! queue.push(3, "a").unwrap();
//! let handle = queue.insert(7, "c").unwrap();
//! assert_eq!(queue.pop_min(), Some((3, "a")));
//! assert_eq!(queue.remove(handle), Some((7, "c")));
//! assert_eq!(queue.pop_max(), Some((7, "b")));
//! ```

use crate::bitmap_tree::{BitmapTree, numbers_under};
use crate::entry::{BuiltQueue, QueueEntry, QueueSize};
use crate::traits::{Handle, PopMax, PushError, RankQueue, Remove};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};

/// Four levels: 16,777,216 ranks.
const MAX_RANKS: u64 = 1 << 24;
/// No slot.
const NIL: u32 = u32::MAX;

/// The registry's entry for [`Hffs`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "hffs",
        title: "Hierarchical find-first-set: exact and constant time for bounded ranks",
        exactness: Exactness::Exact,
        hardware: "software with a find-first-set instruction; in hardware this is BBQ",
        cost: "O(levels) per operation, at most 4; 8 bytes per rank and 16 bytes plus the packet per entry",
        source: "Atre et al.: BBQ, NSDI'24, section 3.1; SurgeProtector (thesis), section 3.5.4",
        params: &[ParamSpec {
            name: "ranks",
            kind: ParamKind::Integer { min: 1, max: MAX_RANKS, default: Some(32_768) },
            meaning: "ranks are 0 to this minus 1; higher ones are clamped and counted",
        }],
    },
    build,
};

fn build(size: QueueSize, params: &Params) -> Result<BuiltQueue, ParamError> {
    let capacity = size.packets;
    let ranks = usize::try_from(params.integer("ranks").unwrap_or(MAX_RANKS)).unwrap_or(usize::MAX);
    if capacity >= NIL as usize {
        return Err(ParamError {
            param: None,
            message: format!("hffs holds at most 2^32 - 2 packets, not {capacity}"),
        });
    }
    Ok(BuiltQueue::DoubleEnded(match levels_for(ranks) {
        1 => Box::new(Hffs::<_, 1>::new(capacity, ranks)),
        2 => Box::new(Hffs::<_, 2>::new(capacity, ranks)),
        3 => Box::new(Hffs::<_, 3>::new(capacity, ranks)),
        _ => Box::new(Hffs::<_, 4>::new(capacity, ranks)),
    }))
}

/// The least number of levels whose leaves cover `ranks`.
fn levels_for(ranks: usize) -> usize {
    (1..4).find(|&levels| ranks <= numbers_under(levels)).unwrap_or(4)
}

/// A hierarchical find-first-set queue with `LEVELS` levels of 64-bit words.
#[derive(Debug)]
pub struct Hffs<T, const LEVELS: usize> {
    /// Says which buckets hold an item.
    occupied: BitmapTree<LEVELS>,
    buckets: Box<[Bucket]>,
    slots: Box<[Slot<T>]>,
    /// First free slot, linked through `next`; `NIL` if there is none.
    free: u32,
    len: usize,
}

/// First and last slot of a rank.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// `NIL` if the bucket is empty.
    head: u32,
    /// Meaningless if the bucket is empty.
    tail: u32,
}

#[derive(Debug)]
struct Slot<T> {
    /// The slot behind; meaningless in the last of a bucket.
    next: u32,
    /// The slot before; meaningless in the first of a bucket.
    prev: u32,
    rank: u32,
    /// Counts how often the slot was emptied, so that old handles are recognised.
    generation: u32,
    item: Option<T>,
}

impl<T, const LEVELS: usize> Hffs<T, LEVELS> {
    /// An empty queue for `capacity` items with ranks 0 to `ranks` - 1.
    ///
    /// # Panics
    /// If `ranks` is zero or more than 64^`LEVELS`, or if `capacity` does not fit
    /// 32 bits.
    #[must_use]
    pub fn new(capacity: usize, ranks: usize) -> Self {
        assert!(ranks >= 1, "a queue needs at least one rank");
        assert!(ranks <= BitmapTree::<LEVELS>::NUMBERS, "{LEVELS} levels have fewer than {ranks} ranks");
        let slot_count = u32::try_from(capacity).expect("capacity must fit 32 bits");
        assert!(slot_count < NIL, "the last 32-bit number means: no slot");
        let slots = (1..=slot_count)
            .map(|next| Slot {
                next: if next == slot_count { NIL } else { next },
                prev: NIL,
                rank: 0,
                generation: 0,
                item: None,
            })
            .collect();
        Self {
            occupied: BitmapTree::new(),
            buckets: vec![Bucket { head: NIL, tail: NIL }; ranks].into(),
            slots,
            free: if capacity == 0 { NIL } else { 0 },
            len: 0,
        }
    }

    /// Appends an item to the bucket of its rank.
    #[inline(always)]
    fn link(&mut self, rank: u64, item: T) -> Result<u32, PushError<T>> {
        let place = usize::try_from(rank).unwrap_or(usize::MAX);
        let Some(bucket) = self.buckets.get_mut(place) else {
            return Err(PushError::rank_out_of_range(item));
        };
        let index = self.free;
        let Some(slot) = self.slots.get_mut(index as usize) else {
            return Err(PushError::full(item));
        };
        #[expect(clippy::cast_possible_truncation, reason = "there is a bucket for it, so it fits")]
        let rank = rank as u32;
        self.free = slot.next;
        slot.rank = rank;
        slot.item = Some(item);
        self.len += 1;
        let tail = bucket.tail;
        bucket.tail = index;
        if bucket.head == NIL {
            bucket.head = index;
            self.occupied.insert(place);
        } else {
            slot.prev = tail;
            self.slots[tail as usize].next = index;
        }
        Ok(index)
    }

    /// Takes the first item of a bucket that is not empty.
    #[inline(always)]
    fn pop_head(&mut self, rank: usize) -> Option<(u64, T)> {
        let bucket = &mut self.buckets[rank];
        let index = bucket.head;
        if index == bucket.tail {
            bucket.head = NIL;
            self.occupied.remove(rank);
        } else {
            bucket.head = self.slots[index as usize].next;
        }
        Some((rank as u64, self.release(index)?))
    }

    /// Takes the last item of a bucket that is not empty.
    #[inline(always)]
    fn pop_tail(&mut self, rank: usize) -> Option<(u64, T)> {
        let bucket = &mut self.buckets[rank];
        let index = bucket.tail;
        if index == bucket.head {
            bucket.head = NIL;
            self.occupied.remove(rank);
        } else {
            bucket.tail = self.slots[index as usize].prev;
        }
        Some((rank as u64, self.release(index)?))
    }

    /// Takes the first item below the bits `part` of the root: a logical partition
    /// of the queue (BBQ, appendix A).
    pub(crate) fn pop_min_in(&mut self, part: u64) -> Option<(u64, T)> {
        let rank = self.occupied.first_in(part)?;
        self.pop_head(rank)
    }

    /// Takes the last item below the bits `part` of the root.
    pub(crate) fn pop_max_in(&mut self, part: u64) -> Option<(u64, T)> {
        let rank = self.occupied.last_in(part)?;
        self.pop_tail(rank)
    }

    /// Looks at what [`pop_min_in`](Self::pop_min_in) would take.
    pub(crate) fn peek_min_in(&self, part: u64) -> Option<(u64, &T)> {
        let rank = self.occupied.first_in(part)?;
        self.peek(rank, self.buckets[rank].head)
    }

    /// Looks at what [`pop_max_in`](Self::pop_max_in) would take.
    pub(crate) fn peek_max_in(&self, part: u64) -> Option<(u64, &T)> {
        let rank = self.occupied.last_in(part)?;
        self.peek(rank, self.buckets[rank].tail)
    }

    /// Takes the item out of a slot that has left its bucket.
    #[inline]
    fn release(&mut self, index: u32) -> Option<T> {
        let slot = &mut self.slots[index as usize];
        slot.generation = slot.generation.wrapping_add(1);
        slot.next = self.free;
        self.free = index;
        self.len -= 1;
        slot.item.take()
    }

    fn peek(&self, rank: usize, slot: u32) -> Option<(u64, &T)> {
        self.slots[slot as usize].item.as_ref().map(|item| (rank as u64, item))
    }
}

impl<T, const LEVELS: usize> RankQueue<T> for Hffs<T, LEVELS> {
    #[inline(always)]
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        self.link(rank, item).map(|_| ())
    }

    #[inline(always)]
    fn pop_min(&mut self) -> Option<(u64, T)> {
        let rank = self.occupied.first()?;
        self.pop_head(rank)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        let rank = self.occupied.first()?;
        self.peek(rank, self.buckets[rank].head)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn capacity(&self) -> usize {
        self.slots.len()
    }

    fn max_rank(&self) -> u64 {
        self.buckets.len() as u64 - 1
    }
}

impl<T, const LEVELS: usize> PopMax<T> for Hffs<T, LEVELS> {
    #[inline(always)]
    fn pop_max(&mut self) -> Option<(u64, T)> {
        let rank = self.occupied.last()?;
        self.pop_tail(rank)
    }

    fn peek_max(&self) -> Option<(u64, &T)> {
        let rank = self.occupied.last()?;
        self.peek(rank, self.buckets[rank].tail)
    }
}

impl<T, const LEVELS: usize> Remove<T> for Hffs<T, LEVELS> {
    fn insert(&mut self, rank: u64, item: T) -> Result<Handle, PushError<T>> {
        let slot = self.link(rank, item)?;
        Ok(Handle { slot, generation: self.slots[slot as usize].generation })
    }

    fn remove(&mut self, handle: Handle) -> Option<(u64, T)> {
        let index = handle.slot;
        let slot = self.slots.get(index as usize)?;
        if slot.generation != handle.generation {
            return None;
        }
        let (next, prev, rank) = (slot.next, slot.prev, slot.rank as usize);
        let bucket = &mut self.buckets[rank];
        match (bucket.head == index, bucket.tail == index) {
            (true, true) => {
                bucket.head = NIL;
                self.occupied.remove(rank);
            }
            (true, false) => bucket.head = next,
            (false, true) => bucket.tail = prev,
            (false, false) => {
                self.slots[next as usize].prev = prev;
                self.slots[prev as usize].next = next;
            }
        }
        Some((rank as u64, self.release(index)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_handle_removes_nothing() {
        let mut queue = Hffs::<_, 1>::new(1, 64);
        let old = queue.insert(5, 'a').unwrap();
        assert_eq!(queue.pop_min(), Some((5, 'a')));
        let new = queue.insert(5, 'b').unwrap();
        assert_eq!(queue.remove(old), None);
        assert_eq!(queue.remove(new), Some((5, 'b')));
        assert_eq!(queue.remove(new), None);
    }

    #[test]
    fn levels_cover_the_ranks() {
        for (ranks, levels) in [(1, 1), (64, 1), (65, 2), (4_096, 2), (4_097, 3), (262_144, 3), (262_145, 4)] {
            assert_eq!(levels_for(ranks), levels, "{ranks} ranks");
        }
    }

    #[test]
    fn the_highest_and_the_lowest_rank_work_at_every_depth() {
        fn try_depth<const LEVELS: usize>(ranks: u64) {
            let mut queue = Hffs::<_, LEVELS>::new(3, usize::try_from(ranks).unwrap());
            assert_eq!(queue.push(ranks, 0), Err(PushError::rank_out_of_range(0)));
            queue.push(ranks - 1, 1).unwrap();
            queue.push(0, 2).unwrap();
            queue.push(0, 3).unwrap();
            assert_eq!(queue.push(0, 4), Err(PushError::full(4)));
            assert_eq!(queue.pop_max(), Some((ranks - 1, 1)));
            assert_eq!(queue.pop_max(), Some((0, 3)));
            assert_eq!(queue.pop_min(), Some((0, 2)));
            assert_eq!(queue.pop_min(), None);
        }
        try_depth::<1>(50);
        try_depth::<2>(4_096);
        try_depth::<3>(100_000);
        try_depth::<4>(1 << 24);
    }

    #[test]
    fn nothing_fits_into_a_queue_of_nothing() {
        let mut queue = Hffs::<_, 1>::new(0, 1);
        assert_eq!(queue.push(0, 'a'), Err(PushError::full('a')));
        assert_eq!(queue.pop_max(), None);
    }
}
