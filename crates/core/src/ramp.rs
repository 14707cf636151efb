//! A ramp: ranks that rise evenly. A series of ramps is the order that SP-PIFO (NSDI'20, section 7) expects of an attacker.

/// Returns `length` ranks that rise evenly from `lowest` to `highest`, rounded down. A ramp of one rank is `lowest`, and so are all ranks
/// if `highest` is below `lowest`.
///
/// ```
/// assert!(forebay_core::ramp(5, 10, 30).eq([10, 15, 20, 25, 30]));
/// ```
pub fn ramp(length: usize, lowest: u64, highest: u64) -> impl Iterator<Item = u64> {
    let span = u128::from(highest.saturating_sub(lowest));
    let steps = length.saturating_sub(1).max(1) as u128;
    (0..length)
        .map(move |step| lowest + u64::try_from(span * step as u128 / steps).expect("a step lies within the span"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_exact_and_nothing_overflows() {
        assert!(ramp(3, 0, u64::MAX).eq([0, u64::MAX / 2, u64::MAX]));
        assert!(ramp(1, 7, 9).eq([7]));
        assert!(ramp(4, 0, 2).eq([0, 0, 1, 2]));
        assert!(ramp(2, 9, 7).eq([9, 9]));
        assert_eq!(ramp(0, 1, 2).count(), 0);
    }
}
