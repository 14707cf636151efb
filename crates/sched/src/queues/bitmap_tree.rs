//! Sets of small numbers as trees of 64-bit words.
//!
//! A bit of the lowest level represents a number; a bit of a higher level says that a word of the level below is not zero. The lowest
//! number is found by one count-trailing-zeros per level, the highest by one count-leading-zeros; insertion and removal touch at most one
//! word per level. Source: BBQ (NSDI'24), section 3.1.
//!
//! The depth is part of the type, so that the compiler unrolls the descent and proves that its indices are in bounds.
//! [`ShapedTree`](crate::queues::ShapedTree) has any width and depth.

use crate::queues::rank_set::{Part, RankSet};
use std::borrow::BorrowMut;

/// Bits in a word, and so children of a node.
const WORD_BITS: usize = 64;

/// A set of up to 64 numbers: one word.
#[derive(Debug, Clone, Default)]
pub struct Levels1 {
    word: u64,
}

/// A set of `WORDS` words, with a set `Above` of the indices of the words that are not zero. `WORDS` is a power of 64.
#[derive(Debug, Clone)]
pub struct Level<Above, Words, const WORDS: usize> {
    above: Above,
    words: Words,
}

/// A set of up to 4,096 numbers.
pub type Levels2 = Level<Levels1, [u64; 64], 64>;
/// A set of up to 262,144 numbers.
pub type Levels3 = Level<Levels2, [u64; 4_096], 4_096>;
/// A set of up to 16,777,216 numbers. The lowest words, 2 MB, are too many for a stack.
pub type Levels4 = Level<Levels3, Box<[u64; 262_144]>, 262_144>;

/// The storage of a level's words: in place, which saves a pointer access, or in a box.
pub trait Words<const WORDS: usize>: BorrowMut<[u64; WORDS]> {
    /// Returns words that are all zero.
    fn zeroed() -> Self;
}

impl<const WORDS: usize> Words<WORDS> for [u64; WORDS] {
    fn zeroed() -> Self {
        [0; WORDS]
    }
}

impl<const WORDS: usize> Words<WORDS> for Box<[u64; WORDS]> {
    fn zeroed() -> Self {
        vec![0; WORDS].into_boxed_slice().try_into().expect("it has this length")
    }
}

/// A tree whose type fixes its shape.
pub trait FixedTree: RankSet + Default {
    /// The end of the numbers: all are below it.
    const NUMBERS: usize;
    /// The number of levels.
    const LEVELS: usize;
}

impl FixedTree for Levels1 {
    const NUMBERS: usize = WORD_BITS;
    const LEVELS: usize = 1;
}

impl<Above: FixedTree, W: Words<WORDS>, const WORDS: usize> FixedTree for Level<Above, W, WORDS> {
    const NUMBERS: usize = WORDS * WORD_BITS;
    const LEVELS: usize = Above::LEVELS + 1;
}

impl<Above: FixedTree, W: Words<WORDS>, const WORDS: usize> Default for Level<Above, W, WORDS> {
    fn default() -> Self {
        const { assert!(WORDS == Above::NUMBERS, "the level above has one bit for each word") };
        Self { above: Above::default(), words: W::zeroed() }
    }
}

/// Returns the index of the lowest one bit of a word that is not zero.
#[inline(always)]
fn lowest(word: u64) -> usize {
    word.trailing_zeros() as usize % WORD_BITS
}

/// Returns the index of the highest one bit of a word that is not zero.
#[inline(always)]
fn highest(word: u64) -> usize {
    (word | 1).ilog2() as usize
}

/// The bit of `number` in its word.
#[inline(always)]
fn bit(number: usize) -> u64 {
    1 << (number % WORD_BITS)
}

impl RankSet for Levels1 {
    fn width(&self) -> usize {
        WORD_BITS
    }

    fn levels(&self) -> usize {
        1
    }

    #[inline(always)]
    fn insert(&mut self, number: usize) {
        self.word |= bit(number);
    }

    #[inline(always)]
    fn remove(&mut self, number: usize) {
        self.word &= !bit(number);
    }

    #[inline(always)]
    fn first(&self) -> Option<usize> {
        (self.word != 0).then(|| lowest(self.word))
    }

    #[inline(always)]
    fn last(&self) -> Option<usize> {
        (self.word != 0).then(|| highest(self.word))
    }

    #[inline]
    fn first_in(&self, part: Part) -> Option<usize> {
        let word = self.word & part.mask;
        (word != 0).then(|| lowest(word))
    }

    #[inline]
    fn last_in(&self, part: Part) -> Option<usize> {
        let word = self.word & part.mask;
        (word != 0).then(|| highest(word))
    }
}

// The remainders change no place (numbers are below 64 x WORDS, words below WORDS);
// they show the compiler that none is outside.
impl<Above: FixedTree, W: Words<WORDS>, const WORDS: usize> RankSet for Level<Above, W, WORDS> {
    fn width(&self) -> usize {
        WORD_BITS
    }

    fn levels(&self) -> usize {
        Self::LEVELS
    }

    #[inline(always)]
    fn insert(&mut self, number: usize) {
        let place = number / WORD_BITS % WORDS;
        // Setting the bits above again costs less than looking whether they are set.
        self.words.borrow_mut()[place] |= bit(number);
        self.above.insert(place);
    }

    #[inline(always)]
    fn remove(&mut self, number: usize) {
        let place = number / WORD_BITS % WORDS;
        let word = &mut self.words.borrow_mut()[place];
        *word &= !bit(number);
        if *word == 0 {
            self.above.remove(place);
        }
    }

    #[inline(always)]
    fn first(&self) -> Option<usize> {
        let place = self.above.first()?;
        Some(place * WORD_BITS + lowest(self.words.borrow()[place % WORDS]))
    }

    #[inline(always)]
    fn last(&self) -> Option<usize> {
        let place = self.above.last()?;
        Some(place * WORD_BITS + highest(self.words.borrow()[place % WORDS]))
    }

    #[inline]
    fn first_in(&self, part: Part) -> Option<usize> {
        if part.level + 1 < Self::LEVELS {
            let place = self.above.first_in(part)?;
            return Some(place * WORD_BITS + lowest(self.words.borrow()[place % WORDS]));
        }
        let word = self.words.borrow()[part.word % WORDS] & part.mask;
        (word != 0).then(|| part.word * WORD_BITS + lowest(word))
    }

    #[inline]
    fn last_in(&self, part: Part) -> Option<usize> {
        if part.level + 1 < Self::LEVELS {
            let place = self.above.last_in(part)?;
            return Some(place * WORD_BITS + highest(self.words.borrow()[place % WORDS]));
        }
        let word = self.words.borrow()[part.word % WORDS] & part.mask;
        (word != 0).then(|| part.word * WORD_BITS + highest(word))
    }
}
