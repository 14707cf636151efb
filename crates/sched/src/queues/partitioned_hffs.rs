//! Many rank queues in one HFFS: logical partitions over one pool of entries.
//!
//! Every partition has its own range of ranks, from 0; its buckets are disjoint subtrees of the one tree of bitmaps ([`Partitioning`]). No
//! partition owns entries: each can use all free entries. Source: BBQ (NSDI'24), section 3.3.3 and appendix A.2.
//!
//! ```
//! use forebay_sched::queues::{PartitionedHffs, bitmap_tree::Levels2};
//! // 10 entries; 3 partitions with ranks 0 to 999 and a few more.
//! let mut queue = PartitionedHffs::<_, Levels2>::new(10, 3, 1_000).unwrap();
//! queue.push(0, 7, "a").unwrap();
//! queue.push(2, 5, "b").unwrap();
//! queue.push(2, 3, "c").unwrap();
//! assert_eq!(queue.pop_min(2), Some((3, "c")));
//! assert_eq!(queue.pop_min(1), None);
//! assert_eq!((queue.len_of(2), queue.len()), (1, 2));
//! ```

use crate::queues::bitmap_tree::FixedTree;
use crate::queues::partition::Partitioning;
use crate::queues::queue::hffs::Hffs;
use crate::queues::rank_set::{Part, RankSet};
use crate::queues::traits::{PushError, RankQueue};

/// Rank queues that share one HFFS.
#[derive(Debug)]
pub struct PartitionedHffs<T, Tree> {
    queue: Hffs<T, Tree>,
    partitions: Box<[Partition]>,
    /// The number of ranks of each partition.
    ranks: u64,
}

#[derive(Debug, Clone, Copy)]
struct Partition {
    part: Part,
    /// The partition's first rank in the shared queue.
    start: u64,
    len: usize,
}

/// The tree has too few numbers for the partitions asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{partitions} partitions of {ranks} ranks do not fit {levels} levels of {width} bits; use fewer ranks{}",
    more(needed)
)]
pub struct TooManyPartitions {
    partitions: usize,
    ranks: usize,
    width: usize,
    levels: usize,
    /// The number of levels that would suffice; `None` if no tree is deep enough.
    needed: Option<usize>,
}

fn more(levels: &Option<usize>) -> String {
    levels.map_or_else(String::new, |levels| format!(" or at least {levels} levels"))
}

impl<T: Default, Tree: FixedTree> PartitionedHffs<T, Tree> {
    /// Creates `partitions` empty queues for `capacity` items in all. Each has at least the ranks 0 to `ranks` - 1, rounded up to whole
    /// subtrees.
    ///
    /// # Errors
    /// If the tree has too few numbers.
    ///
    /// # Panics
    /// If there are no partitions or no ranks, or if `capacity` does not fit 32 bits.
    pub fn new(capacity: usize, partitions: usize, ranks: usize) -> Result<Self, TooManyPartitions> {
        Self::with_tree(capacity, partitions, ranks, Tree::default())
    }
}

impl<T: Default, Tree: RankSet> PartitionedHffs<T, Tree> {
    /// As [`new`](Self::new), with an empty tree of any shape.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn with_tree(capacity: usize, partitions: usize, ranks: usize, tree: Tree) -> Result<Self, TooManyPartitions> {
        assert!(partitions >= 1 && ranks >= 1, "there is at least one partition with at least one rank");
        let (width, levels) = (tree.width(), tree.levels());
        let cut = Partitioning::new(width, levels, partitions, ranks).ok_or_else(|| TooManyPartitions {
            partitions,
            ranks,
            width,
            levels,
            needed: Partitioning::levels_for(width, partitions, ranks),
        })?;
        let partition = |number| Partition { part: cut.part(number), start: cut.start(number) as u64, len: 0 };
        Ok(Self {
            queue: Hffs::with_tree(capacity, cut.numbers(), tree),
            partitions: (0..partitions).map(partition).collect(),
            ranks: cut.ranks() as u64,
        })
    }

    /// Puts an item into a partition.
    ///
    /// # Errors
    /// Gives the item back if no entry is free or the partition has no such rank.
    ///
    /// # Panics
    /// If there is no such partition, as in all methods with the argument `partition`.
    pub fn push(&mut self, partition: usize, rank: u64, item: T) -> Result<(), PushError<T>> {
        let partition = &mut self.partitions[partition];
        if rank >= self.ranks {
            return Err(PushError::rank_out_of_range(item));
        }
        self.queue.push(partition.start + rank, item)?;
        partition.len += 1;
        Ok(())
    }

    /// Takes the first item of a partition.
    pub fn pop_min(&mut self, partition: usize) -> Option<(u64, T)> {
        let partition = &mut self.partitions[partition];
        let (rank, item) = self.queue.pop_min_in(partition.part)?;
        partition.len -= 1;
        Some((rank - partition.start, item))
    }

    /// Takes the last item of a partition.
    pub fn pop_max(&mut self, partition: usize) -> Option<(u64, T)> {
        let partition = &mut self.partitions[partition];
        let (rank, item) = self.queue.pop_max_in(partition.part)?;
        partition.len -= 1;
        Some((rank - partition.start, item))
    }

    /// Looks at the item that [`pop_min`](Self::pop_min) would take.
    #[must_use]
    pub fn peek_min(&self, partition: usize) -> Option<(u64, &T)> {
        let partition = &self.partitions[partition];
        self.queue.peek_min_in(partition.part).map(|(rank, item)| (rank - partition.start, item))
    }

    /// Looks at the item that [`pop_max`](Self::pop_max) would take.
    #[must_use]
    pub fn peek_max(&self, partition: usize) -> Option<(u64, &T)> {
        let partition = &self.partitions[partition];
        self.queue.peek_max_in(partition.part).map(|(rank, item)| (rank - partition.start, item))
    }

    /// The number of items in a partition.
    #[must_use]
    pub fn len_of(&self, partition: usize) -> usize {
        self.partitions[partition].len
    }

    /// The number of items in all partitions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Whether no partition holds an item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most items that all partitions together can hold.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.queue.capacity()
    }

    /// The number of partitions.
    #[must_use]
    pub fn partitions(&self) -> usize {
        self.partitions.len()
    }

    /// The highest rank of every partition.
    #[must_use]
    pub fn max_rank(&self) -> u64 {
        self.ranks - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::bitmap_tree::{Levels2, Levels3};
    use crate::queues::reference::Reference;
    use crate::queues::shaped_tree::ShapedTree;
    use crate::queues::traits::PushErrorKind;
    use forebay_core::Seed;
    use rand::RngExt;

    /// Random operations on all partitions, each compared with a list of its own.
    fn compare<Tree: RankSet>(mut queue: PartitionedHffs<u64, Tree>) {
        let mut rng = Seed(11).stream("partitions");
        let ranks = queue.max_rank() + 1;
        let mut lists: Vec<_> = (0..queue.partitions()).map(|_| Reference::new(queue.capacity(), ranks)).collect();
        for item in 0..200_000 {
            let partition = rng.random_range(0..lists.len());
            let full = queue.len() == queue.capacity();
            let list = &mut lists[partition];
            match rng.random_range(0..100) {
                n if n < if item / 500 % 2 == 0 { 60 } else { 35 } => {
                    let rank = rng.random_range(0..ranks + 1);
                    let expected = if full && rank < ranks { Err(PushErrorKind::Full) } else { list.push(rank, item) };
                    assert_eq!(queue.push(partition, rank, item).map_err(|error| error.kind), expected);
                }
                n if n < 80 => assert_eq!(queue.pop_min(partition), list.pop_min()),
                _ => assert_eq!(queue.pop_max(partition), list.pop_max()),
            }
            assert_eq!(queue.len_of(partition), list.len());
            assert_eq!(queue.peek_min(partition), list.peek_min().map(|(rank, item)| (*rank, item)));
            assert_eq!(queue.peek_max(partition), list.peek_max().map(|(rank, item)| (*rank, item)));
        }
    }

    #[test]
    fn every_partition_is_a_queue_of_its_own() {
        compare(PartitionedHffs::<_, Levels2>::new(30, 2, 40).unwrap());
        // More partitions than the root, or any one bitmap, has bits.
        compare(PartitionedHffs::<_, Levels2>::new(100, 130, 20).unwrap());
        compare(PartitionedHffs::<_, Levels3>::new(50, 100, 1_000).unwrap());
        for (width, levels, partitions, ranks) in
            [(2, 3, 8, 1), (4, 2, 2, 8), (4, 2, 8, 2), (4, 5, 3, 100), (10, 3, 20, 33)]
        {
            let tree = ShapedTree::new(width, levels);
            compare(PartitionedHffs::with_tree(20, partitions, ranks, tree).unwrap());
        }
    }

    #[test]
    fn one_partition_can_use_all_entries() {
        let mut queue = PartitionedHffs::<_, Levels2>::new(5, 4, 10).unwrap();
        for item in 0..5 {
            queue.push(3, 0, item).unwrap();
        }
        assert_eq!(queue.push(0, 0, 9), Err(PushError::full(9)));
        queue.pop_max(3);
        queue.push(0, 0, 9).unwrap();
    }

    #[test]
    fn too_many_partitions_are_refused_with_advice() {
        let error = PartitionedHffs::<(), Levels2>::new(5, 65, 64).unwrap_err();
        assert_eq!(
            error.to_string(),
            "65 partitions of 64 ranks do not fit 2 levels of 64 bits; use fewer ranks or at least 3 levels"
        );
    }
}
