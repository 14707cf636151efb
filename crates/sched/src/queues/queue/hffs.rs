//! HFFS: hierarchical find-first-set, the exact queue for bounded integer ranks.
//!
//! Every rank has a bucket, a FIFO list of its items; all lists share one slab. A tree of bitmaps marks the buckets that are not empty: one
//! count-trailing-zeros per level finds the first such bucket, one count-leading-zeros the last. In software the bitmaps are words of 64
//! bits, and the type fixes the number of levels ([`Levels1`] to [`Levels4`]); [`ShapedTree`] has other shapes, for hardware.
//!
//! Cost: O(levels) per operation whatever the input; 8 bytes per rank, 8 bytes per
//! word of the tree, 16 bytes plus the item per entry. Sources: BBQ (NSDI'24) section 3.1;
//! SurgeProtector (thesis) section 3.5.4.
//!
//! ```
//! use forebay_sched::queues::{PopMax, RankQueue, Remove, bitmap_tree::Levels2, queue::hffs::Hffs};
//! let mut queue = Hffs::<_, Levels2>::new(100, 4096); // 100 entries, ranks 0 to 4095
//! queue.push(7, "b").unwrap();
//! queue.push(3, "a").unwrap();
//! let handle = queue.insert(7, "c").unwrap();
//! assert_eq!(queue.pop_min(), Some((3, "a")));
//! assert_eq!(queue.remove(handle), Some((7, "c")));
//! assert_eq!(queue.pop_max(), Some((7, "b")));
//! ```

use crate::queues::bitmap_tree::{FixedTree, Levels1, Levels2, Levels3, Levels4};
use crate::queues::bucket_lists::{BucketLists, NIL, Refusal};
use crate::queues::entry::{BuiltQueue, QueueEntry, QueueSize};
use crate::queues::rank_set::{Part, RankSet};
use crate::queues::shaped_tree::{MAX_BITMAPS, ShapedTree, numbers};
use crate::queues::traits::{Handle, PopMax, PushError, RankQueue, Remove};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params, convert};

/// The most ranks of a queue.
const MAX_RANKS: u64 = 1 << 24;

/// The registry's entry for [`Hffs`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "hffs",
        title: "Hierarchical find-first-set: exact and constant time for bounded ranks",
        exactness: Exactness::Exact,
        hardware: "software with a find-first-set instruction; in hardware this is BBQ",
        cost: "O(levels) per operation; 8 bytes per rank and 16 bytes plus the packet per entry",
        source: "Atre et al.: BBQ, NSDI'24, section 3.1; SurgeProtector (thesis), section 3.5.4",
        params: &[
            ParamSpec {
                name: "ranks",
                kind: ParamKind::Integer { min: 1, max: MAX_RANKS, default: Some(32_768) },
                meaning: "number of ranks, from 0 to this minus 1; higher ranks are clamped and counted",
            },
            ParamSpec {
                name: "width",
                kind: ParamKind::Integer { min: 2, max: 64, default: Some(64) },
                meaning: "bits of a bitmap; 64 is fastest in software, hardware has 2 to 32",
            },
            ParamSpec {
                name: "levels",
                kind: ParamKind::Integer { min: 1, max: 24, default: None },
                meaning: "levels of bitmaps (default: the fewest for which width ^ levels is at least ranks)",
            },
        ],
    },
    build,
};

fn build(size: QueueSize, params: &Params) -> Result<BuiltQueue, ParamError> {
    let capacity = size.packets;
    if capacity >= NIL as usize {
        return Err(ParamError {
            param: None,
            message: format!("hffs holds at most 2^32 - 2 packets, not {capacity}"),
        });
    }
    let given = |name: &str| params.integer(name).map(convert::index);
    let (ranks, width) = (given("ranks").unwrap_or(1), given("width").unwrap_or(64));
    let least = (1..).find(|&levels| width.pow(levels) >= ranks).unwrap_or(1) as usize;
    let levels = given("levels").unwrap_or(least);
    let Some(numbers) = numbers(width, levels) else {
        let message = format!(
            "{levels} levels of {width} bits have more than {MAX_BITMAPS} bitmaps in the lowest; use {least} levels"
        );
        return Err(ParamError::of("levels", message));
    };
    if numbers < ranks {
        let message = format!("{levels} levels of {width} bits have {numbers} ranks, not {ranks}; use {least} levels");
        return Err(ParamError::of("levels", message));
    }
    Ok(BuiltQueue::DoubleEnded(match (width, levels) {
        (64, 1) => Box::new(Hffs::<_, Levels1>::new(capacity, ranks)),
        (64, 2) => Box::new(Hffs::<_, Levels2>::new(capacity, ranks)),
        (64, 3) => Box::new(Hffs::<_, Levels3>::new(capacity, ranks)),
        (64, 4) => Box::new(Hffs::<_, Levels4>::new(capacity, ranks)),
        _ => Box::new(Hffs::with_tree(capacity, ranks, ShapedTree::new(width, levels))),
    }))
}

/// A hierarchical find-first-set queue whose tree of bitmaps is `Tree`. The item's default value replaces a removed item; items without a
/// default value can be wrapped in an `Option`.
#[derive(Debug)]
pub struct Hffs<T, Tree> {
    /// The set of buckets that hold an item.
    occupied: Tree,
    /// The bucket of each rank.
    buckets: BucketLists<T>,
}

impl<T: Default, Tree: FixedTree> Hffs<T, Tree> {
    /// Creates an empty queue for `capacity` items with ranks 0 to `ranks` - 1.
    ///
    /// # Panics
    /// If `ranks` is zero or more than the tree has, or if `capacity` does not fit 32
    /// bits.
    #[must_use]
    pub fn new(capacity: usize, ranks: usize) -> Self {
        Self::with_tree(capacity, ranks, Tree::default())
    }
}

impl<T: Default, Tree: RankSet> Hffs<T, Tree> {
    /// As [`new`](Self::new), with an empty tree of any shape.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn with_tree(capacity: usize, ranks: usize, tree: Tree) -> Self {
        assert!(ranks >= 1, "a queue needs at least one rank");
        let (width, levels) = (tree.width(), tree.levels());
        let enough = numbers(width, levels).is_some_and(|numbers| ranks <= numbers);
        assert!(enough, "{levels} levels of {width} bits have fewer than {ranks} ranks");
        Self { occupied: tree, buckets: BucketLists::new(ranks, capacity) }
    }

    /// Takes the first item whose rank belongs to `part`.
    pub(crate) fn pop_min_in(&mut self, part: Part) -> Option<(u64, T)> {
        let rank = self.occupied.first_in(part)?;
        self.pop_head(rank)
    }

    /// Takes the last item whose rank belongs to `part`.
    pub(crate) fn pop_max_in(&mut self, part: Part) -> Option<(u64, T)> {
        let rank = self.occupied.last_in(part)?;
        self.pop_tail(rank)
    }

    /// Looks at the item that [`pop_min_in`](Self::pop_min_in) would remove.
    pub(crate) fn peek_min_in(&self, part: Part) -> Option<(u64, &T)> {
        let rank = self.occupied.first_in(part)?;
        Some((rank as u64, self.buckets.front(rank)?))
    }

    /// Looks at the item that [`pop_max_in`](Self::pop_max_in) would remove.
    pub(crate) fn peek_max_in(&self, part: Part) -> Option<(u64, &T)> {
        let rank = self.occupied.last_in(part)?;
        Some((rank as u64, self.buckets.back(rank)?))
    }

    /// Appends an item to the bucket of its rank.
    #[inline(always)]
    fn append(&mut self, rank: u64, item: T) -> Result<Handle, PushError<T>> {
        // No list has the greatest number, so a rank beyond memory is out of range.
        let bucket = convert::saturate(rank);
        let appended = self.buckets.push_back(bucket, item, || self.occupied.insert(bucket));
        appended.map_err(|(item, refusal)| match refusal {
            Refusal::NoList => PushError::rank_out_of_range(item),
            Refusal::Full => PushError::full(item),
        })
    }

    /// Takes the first item of a bucket that is not empty.
    #[inline(always)]
    fn pop_head(&mut self, rank: usize) -> Option<(u64, T)> {
        let item = self.buckets.pop_front(rank, || self.occupied.remove(rank))?;
        Some((rank as u64, item))
    }

    /// Takes the last item of a bucket that is not empty.
    #[inline(always)]
    fn pop_tail(&mut self, rank: usize) -> Option<(u64, T)> {
        let item = self.buckets.pop_back(rank, || self.occupied.remove(rank))?;
        Some((rank as u64, item))
    }
}

impl<T: Default, Tree: RankSet> RankQueue<T> for Hffs<T, Tree> {
    #[inline(always)]
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        self.append(rank, item).map(|_| ())
    }

    #[inline(always)]
    fn pop_min(&mut self) -> Option<(u64, T)> {
        let rank = self.occupied.first()?;
        self.pop_head(rank)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        let rank = self.occupied.first()?;
        Some((rank as u64, self.buckets.front(rank)?))
    }

    fn len(&self) -> usize {
        self.buckets.len()
    }

    fn capacity(&self) -> usize {
        self.buckets.capacity()
    }

    fn max_rank(&self) -> u64 {
        self.buckets.lists() as u64 - 1
    }

    fn as_remove_mut(&mut self) -> Option<&mut dyn Remove<T>> {
        Some(self)
    }
}

impl<T: Default, Tree: RankSet> PopMax<T> for Hffs<T, Tree> {
    #[inline(always)]
    fn pop_max(&mut self) -> Option<(u64, T)> {
        let rank = self.occupied.last()?;
        self.pop_tail(rank)
    }

    fn peek_max(&self) -> Option<(u64, &T)> {
        let rank = self.occupied.last()?;
        Some((rank as u64, self.buckets.back(rank)?))
    }
}

impl<T: Default, Tree: RankSet> Remove<T> for Hffs<T, Tree> {
    fn insert(&mut self, rank: u64, item: T) -> Result<Handle, PushError<T>> {
        self.append(rank, item)
    }

    fn remove(&mut self, handle: Handle) -> Option<(u64, T)> {
        let (rank, item) = self.buckets.remove(handle, |rank| self.occupied.remove(rank))?;
        Some((rank as u64, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_handle_removes_nothing() {
        let mut queue = Hffs::<_, Levels1>::new(1, 64);
        let old = queue.insert(5, 'a').unwrap();
        assert_eq!(queue.pop_min(), Some((5, 'a')));
        let new = queue.insert(5, 'b').unwrap();
        assert_eq!(queue.remove(old), None);
        assert_eq!(queue.remove(new), Some((5, 'b')));
        assert_eq!(queue.remove(new), None);
    }

    #[test]
    fn the_highest_and_the_lowest_rank_work_at_every_depth() {
        fn try_depth<Tree: FixedTree>(ranks: u64) {
            let mut queue = Hffs::<_, Tree>::new(3, usize::try_from(ranks).unwrap());
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
        try_depth::<Levels1>(50);
        try_depth::<Levels2>(4_096);
        try_depth::<Levels3>(100_000);
        try_depth::<Levels4>(1 << 24);
    }

    #[test]
    fn nothing_fits_into_a_queue_of_nothing() {
        let mut queue = Hffs::<_, Levels1>::new(0, 1);
        assert_eq!(queue.push(0, 'a'), Err(PushError::full('a')));
        assert_eq!(queue.pop_max(), None);
    }
}
