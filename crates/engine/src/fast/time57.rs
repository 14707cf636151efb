//! Times as properties of packets have them.

use forebay_lang::Fixed;

/// Times in picoseconds, cut where a [`Fixed`] of nanoseconds is: below 2^57. A picosecond is 65 of its units, so that
/// no two that differ become equal.
pub(super) struct Time57;

impl Time57 {
    /// The least time that is cut.
    pub(super) const CUT: u64 = (i64::MAX as u64).div_ceil(1 << Fixed::FRACTION_BITS) * 1_000;

    /// A time.
    #[inline(always)]
    pub(super) fn of_ps(ps: u64) -> u64 {
        ps.min(Self::CUT)
    }
}
