//! Spatial sampling: all requests for a share of the objects (Waldspurger et al., "SHARDS",
//! FAST 2015; "Cache modeling and optimization using miniature simulations", ATC 2017).
//!
//! A cache of capacity `C` on the whole trace behaves as one of capacity `share` x `C` on
//! the sample. Time is not scaled: an object that is in the sample is requested as often
//! as in the whole, so its delayed hits stay.

use forebay_core::{Seed, mix};

/// Chooses objects by a seeded hash of their key.
#[derive(Debug, Clone, Copy)]
pub struct KeySample {
    salt: u64,
    share: f64,
    limit: u64,
}

impl KeySample {
    /// About `share` of all objects.
    ///
    /// # Panics
    /// Unless `share` is above 0 and at most 1.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub fn new(share: f64, seed: Seed) -> Self {
        assert!(share > 0.0 && share <= 1.0, "a share is above 0 and at most 1");
        Self { salt: seed.part("sample").0, share, limit: (share * 2_f64.powi(64)) as u64 }
    }

    /// Whether the object is in the sample.
    #[inline]
    #[must_use]
    pub fn takes(&self, key: u64) -> bool {
        self.share >= 1.0 || mix(key ^ self.salt) < self.limit
    }

    /// The capacity of the small cache that stands for one of `capacity`; 1 at least.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a u64")]
    pub fn scale(&self, capacity: u64) -> u64 {
        ((capacity as f64 * self.share).round() as u64).max(1)
    }

    /// The share of the objects that is taken.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_its_share() {
        let sample = KeySample::new(0.1, Seed(1));
        let taken = (0..100_000).filter(|&key| sample.takes(key)).count();
        assert!((9_700..10_300).contains(&taken), "{taken}");
        assert_eq!(sample.scale(1_000), 100);
        assert_eq!(sample.scale(1), 1);
        assert!((0..1_000).all(|key| KeySample::new(1.0, Seed(1)).takes(key)));
    }
}
