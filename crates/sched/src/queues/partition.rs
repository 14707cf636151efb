//! Cuts a tree of bitmaps into disjoint parts of equal size: the logical partitions
//! of BBQ (NSDI'24, appendix A.2).
//!
//! A part is a group of neighbouring bits of one bitmap. If all parts fit into the root, a search masks the other bits of the root. If
//! there are more parts than the root has bits, they are cut from a lower level, and a search starts there.

use crate::queues::rank_set::Part;

/// The way in which a tree of a given width and depth is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partitioning {
    width: usize,
    partitions: usize,
    /// The level that is cut, counted from the root.
    level: usize,
    /// Bits of each part.
    bits: usize,
    /// Numbers below each bit.
    numbers_per_bit: usize,
}

impl Partitioning {
    /// Cuts a tree of `levels` levels of `width` bits into `partitions` parts of at
    /// least `ranks` numbers each; `None` if they do not fit.
    #[must_use]
    pub fn new(width: usize, levels: usize, partitions: usize, ranks: usize) -> Option<Self> {
        // The lowest level at which a part fits into one bitmap wastes least.
        let mut level = levels.checked_sub(1)?;
        let mut numbers_per_bit = 1_usize;
        while ranks.div_ceil(numbers_per_bit) > width {
            level = level.checked_sub(1)?;
            numbers_per_bit *= width;
        }
        let bits = ranks.div_ceil(numbers_per_bit).max(1);
        let bitmaps = width.checked_pow(u32::try_from(level).ok()?)?;
        let parts = bitmaps.saturating_mul(width / bits);
        (partitions <= parts).then_some(Self { width, partitions, level, bits, numbers_per_bit })
    }

    /// Returns the least number of levels of `width` bits for `partitions` parts of `ranks` numbers; `None` if 64 levels are too few.
    #[must_use]
    pub fn levels_for(width: usize, partitions: usize, ranks: usize) -> Option<usize> {
        (1..=64).find(|&levels| Self::new(width, levels, partitions, ranks).is_some())
    }

    /// The number of parts.
    #[must_use]
    pub fn partitions(&self) -> usize {
        self.partitions
    }

    /// The size of each part: the requested ranks, rounded up to whole subtrees.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.bits * self.numbers_per_bit
    }

    /// The end of the last part: the numbers of all parts are below it.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.start(self.partitions.saturating_sub(1)) + self.ranks()
    }

    /// Returns the first number of the part `partition`.
    #[must_use]
    pub fn start(&self, partition: usize) -> usize {
        let (word, bit) = self.place(partition);
        (word * self.width + bit) * self.numbers_per_bit
    }

    /// Returns the bits of the tree that a search in the part `partition` reads.
    #[must_use]
    pub fn part(&self, partition: usize) -> Part {
        let (word, bit) = self.place(partition);
        let ones = u64::MAX >> (u64::BITS as usize - self.bits);
        Part { level: self.level, word, mask: ones << bit }
    }

    /// Returns the bitmap and the first bit of a part. A part never spans two bitmaps.
    fn place(&self, partition: usize) -> (usize, usize) {
        let per_word = self.width / self.bits;
        (partition / per_word, partition % per_word * self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_first_example_two_parts_in_the_root() {
        let cut = Partitioning::new(4, 2, 2, 8).unwrap();
        assert_eq!([cut.start(0), cut.start(1)], [0, 8]);
        assert_eq!(cut.part(1), Part { level: 0, word: 0, mask: 0xC }, "the text: for i = 1 the mask 0xC");
    }

    #[test]
    fn the_paper_s_second_example_more_parts_than_bits() {
        let cut = Partitioning::new(4, 2, 8, 2).unwrap();
        assert_eq!([cut.start(2), cut.start(3)], [4, 6]);
        // The text: i = 2 and 3 are steered to the second subtree of level 2.
        assert_eq!(cut.part(2), Part { level: 1, word: 1, mask: 0b0011 });
        assert_eq!(cut.part(3), Part { level: 1, word: 1, mask: 0b1100 });
        assert_eq!(Partitioning::new(4, 2, 9, 2), None, "16 ranks are 8 parts of 2");
    }

    #[test]
    fn parts_are_disjoint_and_as_large_as_asked_for() {
        for width in [2, 3, 4, 10, 64] {
            for (partitions, ranks) in [(1, 1), (1, 100), (5, 7), (64, 64), (65, 1), (100, 33), (3, 1_000)] {
                let levels = Partitioning::levels_for(width, partitions, ranks).unwrap();
                let cut = Partitioning::new(width, levels, partitions, ranks).unwrap();
                assert!(cut.ranks() >= ranks);
                for partition in 1..partitions {
                    assert!(cut.start(partition) >= cut.start(partition - 1) + cut.ranks());
                }
                assert!(cut.numbers() <= width.pow(u32::try_from(levels).unwrap()));
            }
        }
    }
}
