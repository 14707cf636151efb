//! Times in the representation of packet properties.

use forebay_lang::Fixed;

/// Times in picoseconds, clamped where a [`Fixed`] of nanoseconds is: below 2^57. A picosecond is 65 units of a [`Fixed`], so distinct
/// times stay distinct.
pub(super) struct Time57;

impl Time57 {
    /// The least time that is clamped.
    pub(super) const CUT: u64 = (i64::MAX as u64).div_ceil(1 << Fixed::FRACTION_BITS) * 1_000;

    /// Converts a time.
    #[inline(always)]
    pub(super) fn of_ps(ps: u64) -> u64 {
        ps.min(Self::CUT)
    }
}
