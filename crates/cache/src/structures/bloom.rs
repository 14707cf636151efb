//! A set of keys in a few bits for each, which may report a key that was never added.

use forebay_core::mix;

/// A Bloom filter whose bits of a key are in one cache line (Putze, Sanders and Singler, "Cache-, hash- and space-efficient
/// Bloom filters", WEA 2007).
///
/// Reports every key that was added, and about 1 in 300 of the others if it was made to [fit](Self::fit). O(1); 16 to 32 bits
/// for each key.
#[derive(Debug, Clone)]
pub struct Bloom {
    blocks: Vec<[u64; 8]>,
    salt: u64,
    keys: usize,
}

const KEYS_PER_BLOCK: usize = 32;
/// Bits for each key.
const BITS: usize = 6;

impl Bloom {
    /// An empty filter.
    #[must_use]
    pub fn new(salt: u64) -> Self {
        Self { blocks: vec![[0; 8]], salt, keys: 0 }
    }

    /// Grows for this many keys. Keys that were added stay.
    #[inline]
    pub fn fit(&mut self, keys: usize) {
        while self.blocks.len() * KEYS_PER_BLOCK < keys {
            // The number of a block has one more bit then: either may be the key's.
            self.blocks.extend_from_within(..);
        }
    }

    /// Adds a key; returns whether it was reported before.
    #[inline]
    pub fn add(&mut self, key: u64) -> bool {
        let (block, bits) = self.places(key);
        let block = &mut self.blocks[block];
        let mut was_there = true;
        for bit in bits {
            let (word, mask) = (bit / 64, 1 << (bit % 64));
            was_there &= block[word] & mask != 0;
            block[word] |= mask;
        }
        self.keys += usize::from(!was_there);
        was_there
    }

    /// Whether a key was added, or shares the bits of others.
    #[inline]
    #[must_use]
    pub fn contains(&self, key: u64) -> bool {
        let (block, bits) = self.places(key);
        let block = &self.blocks[block];
        bits.into_iter().all(|bit| block[bit / 64] & (1 << (bit % 64)) != 0)
    }

    /// How many keys were added that were not reported before.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys
    }

    /// Whether no key was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys == 0
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.blocks.fill([0; 8]);
        self.keys = 0;
    }

    /// The block of a key, and its bits there.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the number of a block may lose its high bits")]
    fn places(&self, key: u64) -> (usize, [usize; BITS]) {
        let block = mix(key ^ self.salt);
        let bits = mix(block);
        let bit = |nth: usize| (bits >> (9 * nth)) as usize & 511;
        (block as usize & (self.blocks.len() - 1), std::array::from_fn(bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Beside a set, while the filter grows.
        #[test]
        fn reports_all_that_was_added(keys in proptest::collection::vec(any::<u64>(), 0..600), grow in 1..40_usize) {
            let mut bloom = Bloom::new(5);
            let mut added = std::collections::BTreeSet::new();
            for (index, &key) in keys.iter().enumerate() {
                if index % grow == 0 {
                    bloom.fit(2 * index);
                }
                let is_known = bloom.add(key);
                prop_assert!(is_known || added.insert(key));
                prop_assert!(bloom.len() <= added.len());
            }
            prop_assert!(keys.iter().all(|&key| bloom.contains(key)));
            bloom.clear();
            prop_assert!(bloom.is_empty() && !keys.iter().any(|&key| bloom.contains(key)));
        }
    }

    #[test]
    fn seldom_reports_another_key() {
        let mut bloom = Bloom::new(1);
        bloom.fit(1 << 16);
        (0..1 << 16).for_each(|key| _ = bloom.add(key));
        let wrong = (1 << 20..(1 << 20) + 100_000).filter(|&key| bloom.contains(key)).count();
        assert!(wrong < 500, "{wrong} of 100,000");
    }
}
