//! The numbers of policies (`docs/openqueue-semantics.md`, section 3).
//!
//! Constants are exact fractions. At run time a number is a multiple of 1/65,536 in 64 bits, so that
//! software, kernel and hardware can agree on every bit.

use std::fmt;

/// An exact fraction: a constant.
pub type Ratio = num_rational::Ratio<i128>;

/// The greatest denominator of a constant.
pub const MAX_DENOMINATOR: i128 = 1_000_000;

/// A number at run time, in units of 1/65,536.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Fixed(pub i64);

impl Fixed {
    /// The number of bits after the binary point.
    pub const FRACTION_BITS: u32 = 16;
    /// The units of the number 1: 65,536.
    pub const UNITS: i128 = 1 << Self::FRACTION_BITS;

    /// Returns `units` units, clamped to the range.
    #[must_use]
    pub fn saturating(units: i128) -> Self {
        Self(i64::try_from(units).unwrap_or(if units < 0 { i64::MIN } else { i64::MAX }))
    }

    /// Returns a whole number, clamped to the range.
    #[must_use]
    pub fn whole(number: u64) -> Self {
        Self::saturating(i128::from(number) * Self::UNITS)
    }

    /// Converts a time into nanoseconds, rounded down and clamped to the range.
    #[must_use]
    pub fn nanoseconds_of_ps(ps: u64) -> Self {
        Self::saturating(i128::from(ps) * Self::UNITS / 1_000)
    }

    /// Converts a fraction, rounded down and clamped to the range.
    #[must_use]
    pub fn floor(exact: Ratio) -> Self {
        match exact.numer().checked_mul(Self::UNITS) {
            Some(units) => Self::saturating(units.div_euclid(*exact.denom())),
            None => Self::saturating(*exact.numer()),
        }
    }

    /// Returns the exact value.
    #[must_use]
    pub fn exact(self) -> Ratio {
        Ratio::new(i128::from(self.0), Self::UNITS)
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if i128::from(self.0) % Self::UNITS == 0 {
            write!(f, "{}", self.0 >> Self::FRACTION_BITS)
        } else {
            #[expect(clippy::cast_precision_loss, reason = "for people")]
            let value = self.0 as f64 / 65_536.0;
            write!(f, "{value}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_down_and_cut() {
        assert_eq!(Fixed::floor(Ratio::new(1, 3)), Fixed(21_845));
        assert_eq!(Fixed::floor(Ratio::new(-1, 3)), Fixed(-21_846));
        assert_eq!(Fixed::floor(Ratio::new(i128::from(i64::MAX), 1)), Fixed(i64::MAX));
        assert_eq!(Fixed::whole(u64::MAX), Fixed(i64::MAX));
        assert_eq!(Fixed::nanoseconds_of_ps(1), Fixed(65));
        assert_eq!(Fixed::whole(3).exact(), Ratio::from_integer(3));
    }

    #[test]
    fn numbers_are_printed_as_people_write_them() {
        assert_eq!((Fixed::whole(12).to_string(), Fixed(98_304).to_string()), ("12".into(), "1.5".into()));
    }
}
