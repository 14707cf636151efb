//! Sets of small numbers as trees of bitmaps of any width and depth.
//!
//! Hardware uses such trees: BBQ has bitmaps of 2 to 32 bits (section 6.2.3), software has words of 64 bits. The trees work as in
//! [`bitmap_tree`](crate::queues::bitmap_tree), but their shape is chosen at run time.

use crate::queues::rank_set::{Part, RankSet};

/// A tree of bitmaps of `width` bits, 2 to 64, with any number of levels.
#[derive(Debug, Clone)]
pub struct ShapedTree {
    width: usize,
    /// The bitmaps of each level, the root's first.
    levels: Box<[Box<[u64]>]>,
}

/// Most bitmaps in the lowest level of a tree.
pub(crate) const MAX_BITMAPS: usize = 1 << 24;

impl ShapedTree {
    /// Creates an empty set of numbers below `width` ^ `levels`.
    ///
    /// # Panics
    /// If `width` is not 2 to 64, there are no levels, or the lowest has more than
    /// 2^24 bitmaps.
    #[must_use]
    pub fn new(width: usize, levels: usize) -> Self {
        assert!((2..=64).contains(&width), "a bitmap has 2 to 64 bits");
        assert!(levels >= 1 && numbers(width, levels).is_some(), "1 level or more, the lowest of at most 2^24 bitmaps");
        let level = |level| vec![0; width.pow(level)].into_boxed_slice();
        Self { width, levels: (0_u32..).map(level).take(levels).collect() }
    }

    /// The number that is reached from bit `bit` of bitmap `word` of `level` by
    /// choosing in each bitmap below the bit that `choose` says.
    fn descend(&self, level: usize, word: usize, bits: u64, choose: fn(u64) -> usize) -> Option<usize> {
        if bits == 0 {
            return None;
        }
        let start = word * self.width + choose(bits);
        Some(self.levels[level + 1..].iter().fold(start, |place, words| place * self.width + choose(words[place])))
    }
}

/// Returns `width` ^ `levels`, the end of the numbers of a tree, if the tree does not have too many bitmaps.
pub(crate) fn numbers(width: usize, levels: usize) -> Option<usize> {
    let numbers = width.checked_pow(u32::try_from(levels).ok()?)?;
    (numbers / width <= MAX_BITMAPS).then_some(numbers)
}

fn lowest(word: u64) -> usize {
    word.trailing_zeros() as usize
}

fn highest(word: u64) -> usize {
    word.ilog2() as usize
}

impl RankSet for ShapedTree {
    fn width(&self) -> usize {
        self.width
    }

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn insert(&mut self, number: usize) {
        let mut number = number;
        for words in self.levels.iter_mut().rev() {
            let word = &mut words[number / self.width];
            let before = *word;
            *word |= 1 << (number % self.width);
            if before != 0 {
                return;
            }
            number /= self.width;
        }
    }

    fn remove(&mut self, number: usize) {
        let mut number = number;
        for words in self.levels.iter_mut().rev() {
            let word = &mut words[number / self.width];
            *word &= !(1 << (number % self.width));
            if *word != 0 {
                return;
            }
            number /= self.width;
        }
    }

    fn first(&self) -> Option<usize> {
        self.descend(0, 0, self.levels[0][0], lowest)
    }

    fn last(&self) -> Option<usize> {
        self.descend(0, 0, self.levels[0][0], highest)
    }

    fn first_in(&self, part: Part) -> Option<usize> {
        self.descend(part.level, part.word, self.levels[part.level][part.word] & part.mask, lowest)
    }

    fn last_in(&self, part: Part) -> Option<usize> {
        self.descend(part.level, part.word, self.levels[part.level][part.word] & part.mask, highest)
    }
}
