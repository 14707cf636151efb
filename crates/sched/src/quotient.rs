//! Division of sums that may need more than 64 bits.

use forebay_core::convert::saturate;

/// Returns the quotient, rounded down and clamped to 64 bits; a divisor of 0 counts as 1.
#[inline]
pub(crate) fn quotient(dividend: u128, divisor: u64) -> u64 {
    let divisor = divisor.max(1);
    match u64::try_from(dividend) {
        // Division of 128 bits is a slow subroutine, rarely needed.
        Ok(dividend) => dividend / divisor,
        Err(_) => saturate(dividend / u128::from(divisor)),
    }
}
