//! Seeded random streams, one per component.
//!
//! A run has one root seed. Each component draws from a stream of its own, which
//! is derived from the root seed and the component's name. So a policy that draws
//! more numbers does not change the arrivals, and adding a component does not
//! change the others.

use rand::{Rng as _, SeedableRng};

/// The generator behind every stream: xoshiro256++ (Blackman and Vigna, 2018).
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// The root seed of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Seed {
    /// Returns the stream of the component called `name`, e.g. `traffic/arrivals`.
    #[must_use]
    pub fn stream(self, name: &str) -> Rng {
        // FNV-1a over the name, then over the seed: two names or two seeds that
        // differ in one bit start unrelated streams, since seed_from_u64 mixes.
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        let hash = name
            .bytes()
            .chain(self.0.to_le_bytes())
            .fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
        Rng::seed_from_u64(hash)
    }

    /// Returns the root seed of a part of the run that has its own streams, e.g. of one of several repetitions.
    #[must_use]
    pub fn part(self, name: &str) -> Self {
        Self(self.stream(name).next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_depends_on_seed_and_name_only() {
        let first = |seed: u64, name: &str| Seed(seed).stream(name).next_u64();
        assert_eq!(first(1, "a"), first(1, "a"));
        assert_ne!(first(1, "a"), first(1, "b"));
        assert_ne!(first(1, "a"), first(2, "a"));
    }

    #[test]
    fn parts_have_streams_of_their_own() {
        assert_eq!(Seed(1).part("a"), Seed(1).part("a"));
        assert_ne!(Seed(1).part("a"), Seed(1).part("b"));
        assert_ne!(Seed(1).part("a"), Seed(2).part("a"));
    }
}
