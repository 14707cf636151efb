//! The unit of ranks in a queue, so that a queue with a fixed range can hold them.

use forebay_core::convert;
use std::fmt;
use std::num::NonZeroU64;

/// Converts a rank to the key by which a queue sorts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankUnit {
    /// Ranks are divided by this number, rounding down.
    Linear(NonZeroU64),
    /// Ranks are floating-point numbers with `mantissa_bits` bits of mantissa, 0 to [`MAX_MANTISSA_BITS`], rounding down: each doubling of
    /// the rank has `2 ^ mantissa_bits` steps, and ranks below that are exact. For ranks that range over many decades, such as the ratio of
    /// work to size. With 8 bits all 64-bit ranks fit into 14,592 numbers, none off by more than 0.4 %.
    Float {
        /// Bits of the mantissa without the leading one.
        mantissa_bits: u32,
    },
}

/// The most bits of mantissa that [`RankUnit::Float`] accepts.
pub const MAX_MANTISSA_BITS: u32 = 16;

impl RankUnit {
    /// The unit that leaves ranks unchanged.
    pub const ONE: Self = Self::Linear(NonZeroU64::MIN);

    /// Divides ranks by `unit`; leaves them unchanged if `unit` is zero.
    #[must_use]
    pub fn linear(unit: u64) -> Self {
        Self::Linear(NonZeroU64::new(unit).unwrap_or(NonZeroU64::MIN))
    }

    /// Returns the key by which a queue sorts `rank`.
    #[inline]
    #[must_use]
    pub fn key(self, rank: u64) -> u64 {
        match self {
            Self::Linear(NonZeroU64::MIN) => rank,
            Self::Linear(unit) => rank / unit,
            Self::Float { mantissa_bits } => {
                // Exponent and mantissa side by side; the leading one of the mantissa adds one to the exponent.
                let exponent = (rank | 1).ilog2().saturating_sub(mantissa_bits);
                (u64::from(exponent) << mantissa_bits) + (rank >> exponent)
            }
        }
    }

    /// Returns the greatest rank with the key `key`, or the greatest rank of all if no rank has this key.
    #[must_use]
    pub fn greatest_with(self, key: u64) -> u64 {
        let least_above = match self {
            Self::Linear(unit) => (u128::from(key) + 1) * u128::from(unit.get()),
            Self::Float { mantissa_bits } => {
                let above = key.saturating_add(1);
                let exponent = (above >> mantissa_bits).saturating_sub(1);
                let mantissa = above - (exponent << mantissa_bits);
                // No 64-bit rank has an exponent of 64 or more.
                u128::from(mantissa) << exponent.min(64)
            }
        };
        convert::saturate(least_above - 1)
    }
}

impl Default for RankUnit {
    fn default() -> Self {
        Self::ONE
    }
}

impl fmt::Display for RankUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear(unit) => write!(f, "{unit}"),
            Self::Float { mantissa_bits } => write!(f, "{} steps per doubling", 1_u64 << mantissa_bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(mantissa_bits: u32) -> RankUnit {
        RankUnit::Float { mantissa_bits }
    }

    #[test]
    fn floats_rise_without_gaps_and_without_leaving_a_number_out() {
        for bits in [0, 1, 3, 8] {
            let mut last = 0;
            for rank in 0..100_000 {
                let key = float(bits).key(rank);
                assert!(key == last || key == last + 1, "{bits} bits: {rank}");
                assert!(rank >> bits > 1 || key == rank, "small ranks are exact");
                last = key;
            }
        }
        assert_eq!([0, 1, 2, 3, 4, 7, 8].map(|rank| float(0).key(rank)), [0, 1, 2, 2, 3, 3, 4]);
        assert_eq!(float(8).key(u64::MAX), 14_591, "as the description says");
        assert_eq!(float(0).key(u64::MAX), 64);
    }

    #[test]
    fn the_greatest_rank_with_a_key_is_the_last_before_the_next() {
        for unit in [RankUnit::ONE, RankUnit::linear(7), float(0), float(4), float(16)] {
            for rank in (0..5_000).chain((13..64).map(|bit| (1 << bit) + 12_345 % (1 << bit))) {
                let key = unit.key(rank);
                let greatest = unit.greatest_with(key);
                assert!(greatest >= rank, "{unit}: {rank}");
                assert_eq!(unit.key(greatest), key, "{unit}: {rank}");
                if greatest < u64::MAX {
                    assert_eq!(unit.key(greatest + 1), key + 1, "{unit}: {rank}");
                }
            }
            assert_eq!(unit.greatest_with(unit.key(u64::MAX)), u64::MAX, "{unit}");
            assert_eq!(unit.greatest_with(u64::MAX), u64::MAX, "{unit}");
        }
    }
}
