//! A function that scatters the bits of numbers.

/// Scatters a number: all bits of the result depend on all bits of `number`, and no two numbers give the same result.
/// It is the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014, with Stafford's constants). 0 stays 0.
///
/// ```
/// use forebay_core::mix;
/// assert_ne!(mix(1) ^ mix(2), 3);
/// assert_eq!(mix(0), 0);
/// ```
#[inline]
#[must_use]
pub const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
