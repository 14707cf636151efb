//! The waiting ranks, sorted, so that the number of waiting packets below a rank is found quickly.
//!
//! The ranks are in sorted blocks of at most `BLOCK` different ranks, each with its number of waiting packets. A Fenwick tree counts the
//! contents of the blocks (Fenwick, "A new data structure for cumulative frequency tables", 1994). With a short queue, or few different
//! ranks, this is one small sorted array. An operation moves part of one block and takes time that grows with the logarithm of the number
//! of waiting ranks; now and then a block is split.

use std::collections::VecDeque;

/// Different ranks of a block before it is split.
const BLOCK: usize = 512;

/// A sorted multiset of ranks.
#[derive(Debug, Clone, Default)]
pub struct RankMultiset {
    blocks: Vec<VecDeque<Entry>>,
    /// The number of ranks in each block.
    sizes: Vec<u64>,
    /// The Fenwick tree of the sizes.
    tree: Vec<u64>,
}

/// A rank, and how often it waits.
#[derive(Debug, Clone, Copy)]
struct Entry {
    rank: u64,
    times: u64,
}

impl RankMultiset {
    /// The block in which `rank` is, or belongs.
    fn block_of(&self, rank: u64) -> usize {
        if self.blocks.len() <= 1 {
            return 0;
        }
        let before = self.blocks.partition_point(|block| block.back().is_some_and(|last| last.rank < rank));
        before.min(self.blocks.len() - 1)
    }

    /// Changes the number of ranks in a block by one.
    fn count(&mut self, block: usize, change: i64) {
        self.sizes[block] = self.sizes[block].wrapping_add_signed(change);
        let mut place = block;
        while let Some(sum) = self.tree.get_mut(place) {
            *sum = sum.wrapping_add_signed(change);
            place |= place + 1;
        }
    }

    /// Makes the tree anew, since there are other blocks.
    fn rebuild(&mut self) {
        self.tree.clone_from(&self.sizes);
        for place in 0..self.tree.len() {
            let above = place | (place + 1);
            if above < self.tree.len() {
                self.tree[above] += self.tree[place];
            }
        }
    }

    /// Inserts `rank`.
    pub fn insert(&mut self, rank: u64) {
        if self.blocks.is_empty() {
            self.blocks.push(VecDeque::with_capacity(BLOCK));
            self.sizes.push(0);
            self.rebuild();
        }
        let index = self.block_of(rank);
        self.count(index, 1);
        let block = &mut self.blocks[index];
        let place = block.partition_point(|queued| queued.rank < rank);
        if let Some(entry) = block.get_mut(place)
            && entry.rank == rank
        {
            entry.times += 1;
            return;
        }
        block.insert(place, Entry { rank, times: 1 });
        if block.len() == BLOCK {
            let mut upper = VecDeque::with_capacity(BLOCK);
            upper.extend(block.drain(BLOCK / 2..));
            let size = upper.iter().map(|entry| entry.times).sum();
            self.blocks.insert(index + 1, upper);
            self.sizes[index] -= size;
            self.sizes.insert(index + 1, size);
            self.rebuild();
        }
    }

    /// Removes one `rank`; returns `false` if there is none.
    pub fn remove(&mut self, rank: u64) -> bool {
        let index = self.block_of(rank);
        let Some(block) = self.blocks.get_mut(index) else { return false };
        let place = block.partition_point(|queued| queued.rank < rank);
        let Some(entry) = block.get_mut(place).filter(|entry| entry.rank == rank) else { return false };
        entry.times -= 1;
        if entry.times == 0 {
            block.remove(place);
        }
        let is_spare = block.is_empty() && self.blocks.len() > 1;
        self.count(index, -1);
        if is_spare {
            self.blocks.remove(index);
            self.sizes.remove(index);
            self.rebuild();
        }
        true
    }

    /// The greatest rank.
    #[must_use]
    pub fn greatest(&self) -> Option<u64> {
        self.blocks.last()?.back().map(|entry| entry.rank)
    }

    /// Returns the number of ranks below `rank`.
    #[must_use]
    pub fn count_below(&self, rank: u64) -> u64 {
        let index = self.block_of(rank);
        let Some(block) = self.blocks.get(index) else { return 0 };
        let all_differ = self.sizes[index] == block.len() as u64;
        let mut below: u64 = if all_differ {
            block.partition_point(|queued| queued.rank < rank) as u64
        } else {
            block.iter().take_while(|queued| queued.rank < rank).map(|queued| queued.times).sum()
        };
        let mut blocks = index;
        while blocks > 0 {
            below += self.tree[blocks - 1];
            blocks &= blocks - 1;
        }
        below
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
