//! Conversions between types of whole numbers.
//!
//! Three similar cases mean different things, so each has its own form:
//!
//! - an invariant says that the number fits: `u32::try_from(number).expect("the invariant")`;
//! - the number counts or numbers things in memory: [`index`];
//! - the number may exceed the type's maximum, which then stands for it, as in statistics and capacities: [`saturate`].
//!
//! A number that can become too large through input needs none of these forms: its reader returns an error.

/// Converts a number of 64 bits to an index or a length.
///
/// ```
/// assert_eq!(forebay_core::convert::index(7), 7);
/// ```
///
/// # Panics
/// If `usize` does not hold the number. A `usize` of 64 bits holds every number; one of 32 bits, as in WebAssembly,
/// holds fewer.
#[inline]
#[must_use]
#[track_caller]
pub fn index(number: u64) -> usize {
    match usize::try_from(number) {
        Ok(index) => index,
        Err(_) => beyond_memory(number),
    }
}

#[cold]
#[track_caller]
fn beyond_memory(number: u64) -> ! {
    panic!("{number} does not fit into an index of this platform, which has {} bits", usize::BITS)
}

/// Returns `number`, or the maximum of the new type if `number` is greater.
///
/// ```
/// use forebay_core::convert::saturate;
/// assert_eq!(saturate::<u8>(255_u32), 255);
/// assert_eq!(saturate::<u8>(256_u32), 255);
/// ```
#[inline]
#[must_use]
pub fn saturate<To: Limited>(number: impl Unsigned) -> To {
    To::try_from(number.wide()).unwrap_or(To::GREATEST)
}

/// A type to which [`saturate`] clamps numbers.
pub trait Limited: TryFrom<u128> {
    /// The greatest number of the type.
    const GREATEST: Self;
}

/// A type whose numbers [`saturate`] clamps.
pub trait Unsigned {
    /// The same number with 128 bits.
    fn wide(self) -> u128;
}

macro_rules! limited {
    ($($type:ty),*) => {
        $(impl Limited for $type {
            const GREATEST: Self = <$type>::MAX;
        })*
    };
}

macro_rules! unsigned {
    ($($type:ty),*) => {
        $(impl Unsigned for $type {
            #[inline]
            fn wide(self) -> u128 {
                self as u128
            }
        })*
    };
}

limited!(u8, u16, u32, u64, usize, i64);
unsigned!(u16, u32, u64, u128, usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_number_is_kept_and_the_next_one_is_cut() {
        assert_eq!(saturate::<u64>(u128::from(u64::MAX)), u64::MAX);
        assert_eq!(saturate::<u64>(u128::from(u64::MAX) + 1), u64::MAX);
        assert_eq!(saturate::<i64>(u64::MAX), i64::MAX);
        assert_eq!(saturate::<u32>(usize::MAX), u32::MAX);
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn every_number_of_64_bits_is_an_index() {
        assert_eq!(index(u64::MAX), usize::MAX);
    }
}
