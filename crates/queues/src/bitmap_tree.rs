//! A set of small numbers as a tree of 64-bit words.
//!
//! A leaf bit stands for a number, a bit above for a word below that is not zero.
//! The lowest number is found by one count-trailing-zeros per level, the highest by
//! one count-leading-zeros; putting in and taking out touch one word per level at
//! most. Source: BBQ (NSDI'24), section 3.1.

/// Bits in a word, and so children of a node of the tree.
const WORD_BITS: usize = 64;

/// Numbers below one bit that stands `levels` above the leaf bits: 64^`levels`.
pub(crate) const fn numbers_under(levels: usize) -> usize {
    1 << (WORD_BITS.ilog2() as usize * levels)
}

/// Where the words of `level` start; level 0 is kept apart.
const fn level_start(level: usize) -> usize {
    let mut start = 0;
    let mut above = 1;
    while above < level {
        start += numbers_under(above);
        above += 1;
    }
    start
}

/// A set of numbers below 64^`LEVELS`.
#[derive(Debug)]
pub(crate) struct BitmapTree<const LEVELS: usize> {
    /// The word of level 0. A bit of any word is set exactly if a number below it is
    /// in.
    root: u64,
    /// The words of levels 1 to `LEVELS` - 1, one level after the other. Level `l`
    /// starts at `level_start(l)`.
    words: Box<[u64]>,
}

impl<const LEVELS: usize> BitmapTree<LEVELS> {
    /// Numbers are below this.
    pub(crate) const NUMBERS: usize = numbers_under(LEVELS);

    pub(crate) fn new() -> Self {
        const { assert!(LEVELS >= 1 && LEVELS <= 5, "1 to 5 levels") };
        Self { root: 0, words: vec![0; level_start(LEVELS)].into() }
    }

    /// The place of the word of `level` that covers `number`, and the number's bit in it.
    /// The remainder changes nothing (numbers are below 64^LEVELS), but shows the
    /// compiler that the place is within the words.
    #[inline]
    fn word_and_bit(level: usize, number: usize) -> (usize, u64) {
        let child = number / numbers_under(LEVELS - 1 - level) % numbers_under(level + 1);
        (level_start(level) + child / WORD_BITS, 1 << (child % WORD_BITS))
    }

    /// Puts `number` in: sets its leaf bit and those above it.
    #[inline]
    pub(crate) fn insert(&mut self, number: usize) {
        for level in (1..LEVELS).rev() {
            let (place, bit) = Self::word_and_bit(level, number);
            let word = &mut self.words[..level_start(LEVELS)][place];
            let before = *word;
            *word = before | bit;
            if before != 0 {
                return;
            }
        }
        self.root |= Self::word_and_bit(0, number).1;
    }

    /// Takes `number` out: clears its leaf bit, and those above it whose subtree is
    /// empty.
    #[inline]
    pub(crate) fn remove(&mut self, number: usize) {
        for level in (1..LEVELS).rev() {
            let (place, bit) = Self::word_and_bit(level, number);
            let word = &mut self.words[..level_start(LEVELS)][place];
            *word &= !bit;
            if *word != 0 {
                return;
            }
        }
        self.root &= !Self::word_and_bit(0, number).1;
    }

    /// The words as a slice of known length: with [`first_bit`] and [`last_bit`]
    /// below 64, the compiler sees that the way down stays within it.
    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.words[..level_start(LEVELS)]
    }

    /// The lowest number that is in.
    #[inline]
    pub(crate) fn first(&self) -> Option<usize> {
        self.first_below(self.root)
    }

    /// The highest number that is in.
    #[inline]
    pub(crate) fn last(&self) -> Option<usize> {
        self.last_below(self.root)
    }

    /// The lowest number that is in below the bits `part` of the root.
    pub(crate) fn first_in(&self, part: u64) -> Option<usize> {
        self.first_below(self.root & part)
    }

    /// The highest number that is in below the bits `part` of the root.
    pub(crate) fn last_in(&self, part: u64) -> Option<usize> {
        self.last_below(self.root & part)
    }

    #[inline(always)]
    fn first_below(&self, root: u64) -> Option<usize> {
        if root == 0 {
            return None;
        }
        let words = self.words();
        let mut child = first_bit(root);
        for level in 1..LEVELS {
            child = child * WORD_BITS + first_bit(words[level_start(level) + child]);
        }
        Some(child)
    }

    #[inline(always)]
    fn last_below(&self, root: u64) -> Option<usize> {
        if root == 0 {
            return None;
        }
        let words = self.words();
        let mut child = last_bit(root);
        for level in 1..LEVELS {
            child = child * WORD_BITS + last_bit(words[level_start(level) + child]);
        }
        Some(child)
    }
}

/// The place of the lowest bit of a word that is not zero.
#[inline(always)]
fn first_bit(word: u64) -> usize {
    word.trailing_zeros() as usize % WORD_BITS
}

/// The place of the highest bit of a word that is not zero.
#[inline(always)]
fn last_bit(word: u64) -> usize {
    (word | 1).ilog2() as usize
}

#[cfg(test)]
mod tests {
    use super::BitmapTree;
    use std::collections::BTreeSet;

    #[test]
    fn it_has_the_ends_of_a_plain_set() {
        let mut tree = BitmapTree::<3>::new();
        let mut set = BTreeSet::new();
        // Every residue once in, once out, in a scattered order.
        for step in 0..20_000 {
            let number = step * 7_919 % 10_007 * 26;
            if set.remove(&number) {
                tree.remove(number);
            } else {
                set.insert(number);
                tree.insert(number);
            }
            assert_eq!((tree.first(), tree.last()), (set.first().copied(), set.last().copied()));
            // Each bit of the root stands for 4096 numbers; take the part from 3 x 4096 on.
            let part = !0b111;
            let in_part = || set.range(3 * 4_096..).copied();
            assert_eq!((tree.first_in(part), tree.last_in(part)), (in_part().next(), in_part().next_back()));
        }
    }
}
