//! How often keys were requested lately, in a few bits for each.

use forebay_core::mix;

/// A count-min sketch with four counters of 4 bits per key. Only the lowest of them are raised, and all are halved now and
/// then so that they forget (Einziger, Friedman and Manes, "TinyLFU", ACM Transactions on Storage 2017).
///
/// The counters of a key are in one cache line. O(1) amortised; 8 to 16 bytes for each
/// entry for which it was made [fit](Self::fit).
#[derive(Debug, Clone)]
pub struct Sketch {
    /// Each has 128 counters, 32 for each of the four rows.
    blocks: Vec<[u64; 8]>,
    salt: u64,
    /// After so many additions all counters are halved.
    period: u64,
    additions: u64,
    entries: usize,
    requests_per_entry: u64,
}

/// The greatest value of a counter.
const MOST: u64 = 15;
const ENTRIES_PER_BLOCK: usize = 8;
/// All bits of all counters but their highest.
const LOW_BITS: u64 = 0x7777_7777_7777_7777;

impl Sketch {
    /// Counts nothing yet; forgets half of it after `requests_per_entry` requests for
    /// each entry of the cache.
    #[must_use]
    pub fn new(salt: u64, requests_per_entry: u64) -> Self {
        let (blocks, entries) = (vec![[0; 8]], 1);
        Self { blocks, salt, period: requests_per_entry, additions: 0, entries, requests_per_entry }
    }

    /// Grows for a cache of so many entries. Counts stay.
    #[inline]
    pub fn fit(&mut self, entries: usize) {
        if entries <= self.entries {
            return;
        }
        self.entries = entries;
        self.period = self.requests_per_entry.saturating_mul(entries as u64);
        while self.blocks.len() * ENTRIES_PER_BLOCK < entries {
            // The number of a block has one more bit then: either may be the key's.
            self.blocks.extend_from_within(..);
        }
    }

    /// Counts a request.
    #[inline]
    pub fn add(&mut self, key: u64) {
        let (block, counters) = self.places(key);
        let block = &mut self.blocks[block];
        let counts = counters.map(|(word, shift)| (block[word] >> shift) & MOST);
        let least = counts.into_iter().fold(MOST, u64::min);
        if least < MOST {
            for ((word, shift), count) in counters.into_iter().zip(counts) {
                block[word] += u64::from(count == least) << shift;
            }
        }
        self.additions += 1;
        if self.additions >= self.period {
            self.additions /= 2;
            self.blocks.iter_mut().flatten().for_each(|word| *word = (*word >> 1) & LOW_BITS);
        }
    }

    /// How often a key was counted, 15 at most; too high if others share its counters.
    #[inline]
    #[must_use]
    pub fn count(&self, key: u64) -> u64 {
        let (block, counters) = self.places(key);
        let block = &self.blocks[block];
        counters.into_iter().fold(MOST, |least, (word, shift)| least.min((block[word] >> shift) & MOST))
    }

    /// The block of a key, and where its counters are there: word and shift.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the number of a block may lose its high bits")]
    fn places(&self, key: u64) -> (usize, [(usize, u32); 4]) {
        let hash = mix(key ^ self.salt);
        let block = hash as usize & (self.blocks.len() - 1);
        // The number of a block has far fewer than the 44 low bits.
        let counter = |row: usize| {
            let bits = (hash >> (44 + 5 * row)) as usize;
            (2 * row + (bits & 1), 4 * ((bits >> 1) & 15) as u32)
        };
        (block, [counter(0), counter(1), counter(2), counter(3)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Without ageing never too low; exact where keys are few.
        #[test]
        fn counts_up_to_15(keys in proptest::collection::vec(0..200_u64, 0..1_500), grow in 1..2_000_usize) {
            let mut sketch = Sketch::new(3, u64::MAX);
            let mut model = BTreeMap::<u64, u64>::new();
            for (index, &key) in keys.iter().enumerate() {
                if index == grow % 700 {
                    sketch.fit(grow);
                }
                sketch.add(key);
                *model.entry(key).or_default() += 1;
            }
            for (&key, &count) in &model {
                prop_assert!(sketch.count(key) >= count.min(MOST));
            }
            if grow > 1_000 && grow % 700 == 0 {
                let over = model.iter().filter(|&(&key, &count)| sketch.count(key) > count.min(MOST)).count();
                prop_assert!(over < model.len() / 10 + 2);
            }
        }
    }

    #[test]
    fn halves_when_the_period_is_over() {
        let mut sketch = Sketch::new(0, 20);
        (0..9).for_each(|_| sketch.add(7));
        (0..10).for_each(|_| sketch.add(8));
        assert_eq!((sketch.count(7), sketch.count(8)), (9, 10));
        sketch.add(8);
        assert_eq!((sketch.count(7), sketch.count(8)), (4, 5));
        // The next period is half over.
        (0..9).for_each(|_| sketch.add(7));
        assert_eq!(sketch.count(7), 13);
        sketch.add(7);
        assert_eq!(sketch.count(7), 7);
    }
}
