//! The numbers in the packets of random streams.
//!
//! Small ones tie often. Large ones are clamped and rounded. Near powers of two, the ends of the range and the constants of the
//! policy, a datapath that computes slightly differently decides differently.

use forebay_core::{Rng, convert};
use forebay_lang::Policy;
use rand::RngExt as _;

/// The kinds of numbers in packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numbers {
    /// Below 1,000, and most below 5.
    Small,
    /// Of any size, and near special numbers.
    Wide,
    /// Half of them small.
    #[default]
    Mixed,
}

/// The number of earlier draws that may be drawn again.
const REMEMBERED: usize = 8;

/// The most constants whose products and quotients are drawn.
const MOST_MULTIPLIED: usize = 256;

/// Draws numbers for the packets of a policy.
pub(crate) struct Draw {
    numbers: Numbers,
    /// The constants of the policy, and their products and quotients.
    special: Vec<u64>,
    last: [u64; REMEMBERED],
    next: usize,
}

impl Draw {
    pub(crate) fn new(policies: &[&Policy], numbers: Numbers) -> Self {
        let constants: Vec<u64> = policies
            .iter()
            .flat_map(|policy| policy.constants())
            .filter_map(|constant| u64::try_from(constant.floor().to_integer()).ok())
            .collect();
        let mut special = constants.clone();
        // Of many constants, some: the products grow with their square.
        let some: Vec<u64> =
            constants.iter().copied().step_by(constants.len().div_ceil(MOST_MULTIPLIED).max(1)).collect();
        for (place, one) in some.iter().enumerate() {
            for other in &some[..=place] {
                special.push(one.saturating_mul(*other));
                special.extend(one.checked_div(*other));
                special.extend(other.checked_div(*one));
            }
        }
        special.sort_unstable();
        special.dedup();
        Self { numbers, special, last: [0; REMEMBERED], next: 0 }
    }

    /// Draws a number of at most `bits` bits.
    pub(crate) fn number(&mut self, rng: &mut Rng, bits: u32) -> u64 {
        let most = u64::MAX >> (64 - bits);
        let is_small = match self.numbers {
            Numbers::Small => true,
            Numbers::Wide => false,
            Numbers::Mixed => rng.random_bool(0.5),
        };
        if is_small {
            return small(rng).min(most);
        }
        let step = |rng: &mut Rng| rng.random_range(-1..=1_i64);
        let drawn = match rng.random_range(0..10) {
            // As many of each length.
            0..3 => rng.random_range(0..=most) >> rng.random_range(0..bits),
            3 => rng.random_range(0..=most),
            4 => (1_u64 << rng.random_range(0..bits)).saturating_add_signed(step(rng)),
            5 => most - rng.random_range(0..3),
            6 | 7 if !self.special.is_empty() => {
                self.special[rng.random_range(0..self.special.len())].saturating_add_signed(step(rng))
            }
            _ => self.last[rng.random_range(0..REMEMBERED)].saturating_add_signed(rng.random_range(0..2)),
        };
        self.last[self.next] = drawn;
        self.next = (self.next + 1) % REMEMBERED;
        drawn.min(most)
    }

    /// Draws a number of at most 32 bits.
    pub(crate) fn number32(&mut self, rng: &mut Rng) -> u32 {
        convert::saturate(self.number(rng, u32::BITS))
    }
}

fn small(rng: &mut Rng) -> u64 {
    if rng.random_bool(0.2) { rng.random_range(0..1_000) } else { rng.random_range(0..5) }
}
