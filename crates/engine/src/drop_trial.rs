//! Trials of `drop(P)`, which are the same for every engine, bit by bit (`docs/openqueue-semantics.md`, 6.4).

use forebay_core::{Rng, Seed};
use forebay_lang::Ratio;
use rand::Rng as _;
use std::sync::{Arc, Mutex, PoisonError};

/// The outcome of a `drop(P)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trial {
    /// `P` is at or above 1.
    Sure,
    /// `P` is between 0 and 1, and the trial decided to drop.
    Drop,
    /// `P` is at or below 0, or the trial decided to keep.
    Keep,
}

/// The stream of trials of one engine.
///
/// A number is drawn for each `drop(P)` with 0 < P < 1, even if no packet is left to drop.
#[derive(Debug, Clone)]
pub struct Trials {
    stream: Rng,
}

impl Trials {
    /// Creates the stream `policy/drop` of a run.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        Self { stream: seed.stream("policy/drop") }
    }

    /// Decides one `drop(P)`: draws a number u from 0 to 2^64 - 1, and compares u / 2^64 < P exactly.
    pub fn decide(&mut self, probability: Ratio) -> Trial {
        // The denominator of a probability is at most 1,000,000, so that no product leaves 128 bits.
        let (numerator, denominator) = (*probability.numer(), *probability.denom());
        if numerator <= 0 {
            Trial::Keep
        } else if numerator >= denominator {
            Trial::Sure
        } else if i128::from(self.stream.next_u64()) * denominator < numerator << 64 {
            Trial::Drop
        } else {
            Trial::Keep
        }
    }
}

/// A stream of trials that several engines draw from in turn. In hardware, the trials of a policy likewise continue when it is in force
/// again (`docs/targets/sv.md`).
#[derive(Debug, Clone)]
pub struct SharedTrials(Arc<Mutex<Trials>>);

impl SharedTrials {
    /// Creates a stream as [`Trials::new`] does.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        Self(Arc::new(Mutex::new(Trials::new(seed))))
    }

    /// Decides one `drop(P)` as [`Trials::decide`] does.
    pub fn decide(&self, probability: Ratio) -> Trial {
        // A stream is as good after a panic elsewhere as before.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).decide(probability)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_drawn_only_where_chance_decides() {
        let mut trials = Trials::new(Seed(1));
        let mut stream = Seed(1).stream("policy/drop");
        for (probability, expected) in [
            (Ratio::from_integer(1), Trial::Sure),
            (Ratio::new(3, 2), Trial::Sure),
            (Ratio::from_integer(0), Trial::Keep),
            (Ratio::new(-1, 2), Trial::Keep),
        ] {
            assert_eq!(trials.decide(probability), expected, "{probability}");
        }
        for _ in 0..1_000 {
            let expected = if stream.next_u64() < 1 << 63 { Trial::Drop } else { Trial::Keep };
            assert_eq!(trials.decide(Ratio::new(1, 2)), expected);
        }
    }

    #[test]
    fn a_probability_is_met_in_the_long_run() {
        let mut trials = Trials::new(Seed(2));
        let drops = (0..100_000).filter(|_| trials.decide(Ratio::new(3, 10)) == Trial::Drop).count();
        assert!(drops.abs_diff(30_000) < 600, "{drops} of 100000 at 0.3");
    }
}
