//! The hash of keys.

use forebay_core::Seed;
use siphasher::sip::SipHasher13;
use std::hash::BuildHasher;

/// SipHash 1-3 with a secret key: nobody who does not know the key can choose keys that collide.
#[derive(Debug, Clone)]
pub struct KeyedHash(u64, u64);

impl KeyedHash {
    /// The hash of a seed.
    pub(crate) fn new(seed: Seed) -> Self {
        Self(seed.part("hash/0").0, seed.part("hash/1").0)
    }
}

impl BuildHasher for KeyedHash {
    type Hasher = SipHasher13;

    fn build_hasher(&self) -> SipHasher13 {
        SipHasher13::new_with_keys(self.0, self.1)
    }
}
