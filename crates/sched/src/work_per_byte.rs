//! Work per byte as a rank, fine enough to distinguish jobs of processors at many terabits per second.

use crate::quotient::quotient;

/// Returns work over size in femtoseconds per byte, rounded down and clamped to 64 bits; a size of 0 counts as one byte.
///
/// A processor with a rate of 20 Tbps needs 400 fs for a byte, so that rounding moves a rank by a quarter of a percent there.
#[inline]
#[must_use]
pub fn femtoseconds_per_byte(work_ps: u128, bytes: u64) -> u64 {
    const FS_PER_PS: u128 = 1_000;
    quotient(work_ps.saturating_mul(FS_PER_PS), bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_work_over_large_sizes_still_differs() {
        assert_eq!(femtoseconds_per_byte(500, 1_250), 400);
        assert_eq!(femtoseconds_per_byte(63, 64), 984);
        assert_eq!(femtoseconds_per_byte(7, 0), 7_000);
    }

    #[test]
    fn large_work_is_divided_before_it_is_cut_off() {
        let most = u128::from(u64::MAX);
        assert_eq!(femtoseconds_per_byte(most, 1_000), u64::MAX);
        assert_eq!(femtoseconds_per_byte(most, 2_000), u64::MAX / 2);
        assert_eq!(femtoseconds_per_byte(most / 1_000, 1), u64::MAX / 1_000 * 1_000, "the last before");
        assert_eq!(femtoseconds_per_byte(u128::MAX, 1), u64::MAX);
    }
}
