//! The ranks that wait, sorted, so that "how many wait below this one" is quick.
//!
//! Sorted blocks of at most `BLOCK` ranks. With a short queue this is one small
//! sorted array; with a hundred thousand waiting an operation looks at a few
//! hundred block lengths and moves part of one block.

use std::collections::VecDeque;

/// Ranks per block before it is split.
const BLOCK: usize = 512;

/// A sorted multiset of ranks.
#[derive(Debug, Clone, Default)]
pub struct RankMultiset {
    /// Never empty ones; the ranks of a block are not above those of the next.
    blocks: Vec<VecDeque<u64>>,
}

impl RankMultiset {
    /// The block in which `rank` is, or belongs.
    fn block_of(&self, rank: u64) -> usize {
        if self.blocks.len() <= 1 {
            return 0;
        }
        let before = self.blocks.partition_point(|block| block.back().is_some_and(|&last| last < rank));
        before.min(self.blocks.len() - 1)
    }

    /// Puts `rank` in.
    pub fn insert(&mut self, rank: u64) {
        if self.blocks.is_empty() {
            self.blocks.push(VecDeque::with_capacity(BLOCK));
        }
        let index = self.block_of(rank);
        let block = &mut self.blocks[index];
        let place = block.partition_point(|&queued| queued <= rank);
        block.insert(place, rank);
        if block.len() == BLOCK {
            let mut upper = VecDeque::with_capacity(BLOCK);
            upper.extend(block.drain(BLOCK / 2..));
            self.blocks.insert(index + 1, upper);
        }
    }

    /// Takes one `rank` out; `false` if there is none.
    pub fn remove(&mut self, rank: u64) -> bool {
        let index = self.block_of(rank);
        let Some(block) = self.blocks.get_mut(index) else { return false };
        let place = block.partition_point(|&queued| queued < rank);
        if block.get(place) != Some(&rank) {
            return false;
        }
        block.remove(place);
        if block.is_empty() && self.blocks.len() > 1 {
            self.blocks.remove(index);
        }
        true
    }

    /// The greatest rank.
    #[must_use]
    pub fn greatest(&self) -> Option<u64> {
        self.blocks.last()?.back().copied()
    }

    /// How many ranks are below `rank`.
    #[must_use]
    pub fn count_below(&self, rank: u64) -> u64 {
        let index = self.block_of(rank);
        let Some(block) = self.blocks.get(index) else { return 0 };
        let whole: usize = self.blocks[..index].iter().map(VecDeque::len).sum();
        (whole + block.partition_point(|&queued| queued < rank)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    #[test]
    fn it_counts_as_a_plain_list_does() {
        // Few and many ranks, so that equal ones fill whole blocks.
        for ranks in [3, 1_000, u64::MAX] {
            let mut rng = Seed(5).stream("multiset");
            let mut multiset = RankMultiset::default();
            let mut list: Vec<u64> = Vec::new();
            for step in 0..20_000 {
                let grow = step < 10_000;
                if rng.random_range(0..3) > u32::from(grow) && !list.is_empty() {
                    let rank = list.swap_remove(rng.random_range(0..list.len()));
                    assert!(multiset.remove(rank));
                } else {
                    let rank = rng.random_range(0..ranks);
                    list.push(rank);
                    multiset.insert(rank);
                }
                let probe = rng.random_range(0..ranks);
                assert_eq!(multiset.greatest(), list.iter().copied().max());
                assert_eq!(multiset.count_below(probe), list.iter().filter(|&&rank| rank < probe).count() as u64);
            }
        }
    }

    #[test]
    fn what_is_not_there_is_not_removed() {
        let mut multiset = RankMultiset::default();
        assert!(!multiset.remove(1));
        multiset.insert(2);
        assert!(!multiset.remove(1));
        assert!(multiset.remove(2));
        assert_eq!(multiset.count_below(9), 0);
    }
}
