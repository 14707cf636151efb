//! Work per byte as a rank: fine enough that jobs of processors at many terabits per second differ.

/// Work over size in femtoseconds per byte, rounded down; a size of 0 counts as a byte. At most what 64 bits hold.
///
/// A processor that does 20 Tbps takes 400 fs for a byte, so that rounding moves a rank by a quarter of a percent there.
#[inline]
#[must_use]
pub fn femtoseconds_per_byte(work_ps: u128, bytes: u64) -> u64 {
    const FS_PER_PS: u64 = 1_000;
    let bytes = bytes.max(1);
    match u64::try_from(work_ps).ok().and_then(|work_ps| work_ps.checked_mul(FS_PER_PS)) {
        // Division of 128 bits is a slow subroutine, needed for work of more than five hours.
        Some(work_fs) => work_fs / bytes,
        None => u64::try_from(work_ps.saturating_mul(FS_PER_PS.into()) / u128::from(bytes)).unwrap_or(u64::MAX),
    }
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
