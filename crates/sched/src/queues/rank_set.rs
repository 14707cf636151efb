//! The index of an HFFS queue: a set of bucket numbers. The lowest and highest numbers of the set and of each of its parts are found
//! without a search.

/// A set of numbers below `width` ^ `levels`, kept as a tree of bitmaps.
pub trait RankSet {
    /// The number of bits in each bitmap.
    fn width(&self) -> usize;

    /// The number of levels of bitmaps; level 0 is the root.
    fn levels(&self) -> usize;

    /// Inserts `number`.
    fn insert(&mut self, number: usize);

    /// Removes `number`.
    fn remove(&mut self, number: usize);

    /// The lowest number of the set.
    fn first(&self) -> Option<usize>;

    /// The highest number of the set.
    fn last(&self) -> Option<usize>;

    /// The lowest number of the set that belongs to `part`.
    fn first_in(&self, part: Part) -> Option<usize>;

    /// The highest number of the set that belongs to `part`.
    fn last_in(&self, part: Part) -> Option<usize>;
}

/// Neighbouring bits of one bitmap, which represent the numbers in the subtrees below these bits. A search starts at this bitmap and masks
/// its other bits (BBQ, appendix A.2: the masks, and the steering stage in place of the levels above).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The level of the bitmap, counted from the root.
    pub(crate) level: usize,
    /// The index of the bitmap in its level.
    pub(crate) word: usize,
    /// The bits of the bitmap that belong to the part.
    pub(crate) mask: u64,
}

#[cfg(test)]
mod every_state_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::bitmap_tree::{Levels1, Levels2, Levels3, Levels4};
    use crate::queues::partition::Partitioning;
    use crate::queues::shaped_tree::ShapedTree;
    use forebay_core::Seed;
    use rand::RngExt;
    use std::collections::BTreeSet;

    /// Inserts and removes random numbers; compares the ends of the whole set and of every part with a plain set.
    fn compare<Tree: RankSet>(mut tree: Tree) {
        let (width, levels) = (tree.width(), tree.levels());
        let numbers = width.pow(u32::try_from(levels).unwrap());
        let mut rng = Seed(1).stream("rank-set");
        let mut set = BTreeSet::new();
        let cuts: Vec<_> = [(1, 1), (2, numbers / 2), (width, numbers / width), (5, numbers.div_ceil(12))]
            .iter()
            .filter_map(|&(partitions, ranks)| Partitioning::new(width, levels, partitions, ranks.max(1)))
            .collect();
        assert!(cuts.len() >= 2);
        for step in 0..20_000 {
            // Few numbers at first, so that words become empty; then many.
            let span = if step < 10_000 { numbers.min(20) } else { numbers };
            let number = rng.random_range(0..span) * (numbers / span);
            if set.remove(&number) {
                tree.remove(number);
            } else {
                set.insert(number);
                tree.insert(number);
            }
            assert_eq!((tree.first(), tree.last()), (set.first().copied(), set.last().copied()));
            let cut = cuts[step % cuts.len()];
            let partition = rng.random_range(0..cut.partitions());
            let (part, start) = (cut.part(partition), cut.start(partition));
            let mut inside = set.range(start..start + cut.ranks()).copied();
            assert_eq!(tree.first_in(part), inside.clone().next());
            assert_eq!(tree.last_in(part), inside.next_back());
        }
    }

    #[test]
    fn every_tree_has_the_ends_of_a_plain_set() {
        compare(Levels1::default());
        compare(Levels2::default());
        compare(Levels3::default());
        compare(Levels4::default());
        for (width, levels) in [(2, 1), (2, 15), (3, 4), (4, 6), (10, 3), (32, 3), (63, 2), (64, 4)] {
            compare(ShapedTree::new(width, levels));
        }
    }
}
