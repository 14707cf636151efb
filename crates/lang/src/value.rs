//! Values of named constants that are given outside of a file: `--param B='128 pkts'`.

use crate::check::constants;
use crate::number::MAX_DENOMINATOR;
use crate::unit::{Unit, Value};
use crate::vocabulary::UNITS;
use forebay_core::registry::Suggestion;
use std::str::FromStr;

/// Why a text is not a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// The text is neither a number nor a number and a unit.
    #[error("`{0}` is not a value: write a number, perhaps with a unit, like `128 pkts` or `0.05`")]
    Shape(String),
    /// No unit has this name.
    #[error("there is no unit `{unit}`{suggestion}")]
    Unit {
        /// The unknown unit.
        unit: String,
        /// The unit that was probably intended.
        suggestion: Suggestion,
    },
    /// The number is out of the range of constants.
    #[error("`{0}` is too large, or has more than six digits after the point")]
    Range(String),
}

/// Converts the error into its text.
impl From<ValueError> for String {
    fn from(error: ValueError) -> Self {
        error.to_string()
    }
}

impl FromStr for Value {
    type Err = ValueError;

    /// Parses `128`, `-1`, `0.05`, `1/512`, `128 pkts`, `64KiB`, `50%`.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let wrong = || ValueError::Shape(text.to_owned());
        let text = text.trim();
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest.trim_start()));
        let end = digits.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '_')).unwrap_or(digits.len());
        let (number, rest) = digits.split_at(end);
        let shape_is_good = number.matches('.').count() <= 1 && number.bytes().any(|c| c.is_ascii_digit());
        if !shape_is_good {
            return Err(wrong());
        }
        let (divisor, unit) = match rest.trim().strip_prefix('/') {
            Some(divisor) => {
                let divisor = divisor.trim().parse::<i128>().ok();
                (divisor.filter(|divisor| (1..=MAX_DENOMINATOR).contains(divisor)).ok_or_else(wrong)?, None)
            }
            None => (1, Some(rest.trim()).filter(|unit| !unit.is_empty())),
        };
        if let Some(unit) = unit
            && unit != "%"
            && !UNITS.contains(&unit)
        {
            return Err(ValueError::Unit { unit: unit.to_owned(), suggestion: Suggestion::new(unit, UNITS) });
        }
        let (number, unit) = constants::number(number, unit);
        let exact = number.and_then(|number| constants::fit(number * sign / divisor));
        let number = exact.map_err(|_| ValueError::Range(text.to_owned()))?;
        Ok(Self { number, unit })
    }
}

impl Value {
    /// Returns a whole number without unit.
    #[must_use]
    pub fn whole(number: i64) -> Self {
        Self { number: i128::from(number).into(), unit: Unit::None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Ratio;

    #[test]
    fn values_are_read_as_in_a_file() {
        let value = |numerator, denominator, unit| Ok(Value { number: Ratio::new(numerator, denominator), unit });
        assert_eq!("128".parse(), value(128, 1, Unit::None));
        assert_eq!(" -1.5 ".parse(), value(-3, 2, Unit::None));
        assert_eq!("1/512".parse(), value(1, 512, Unit::None));
        assert_eq!("128pkts".parse(), value(128, 1, Unit::Packets));
        assert_eq!("64 KiB".parse(), value(65_536, 1, Unit::Bytes));
        assert_eq!("5 ms".parse(), value(5_000_000, 1, Unit::Nanoseconds));
        assert_eq!("50%".parse(), value(50, 1, Unit::Percent));
        assert_eq!("2.5 Gbps".parse(), value(2_500_000_000, 1, Unit::BitsPerSecond));
    }

    #[test]
    fn what_is_no_value_is_refused_with_advice() {
        for (text, word) in [
            ("", "like `128 pkts`"),
            ("many", "like `128 pkts`"),
            ("1.2.3", "like `128 pkts`"),
            ("1/0", "like `128 pkts`"),
            ("0.5/170141183460469231731687303715884105727", "like `128 pkts`"),
            ("999999999999999999.999999999999999999 GiB", "too large"),
            (".", "like `128 pkts`"),
            ("128 pkt", "did you mean `pkts`"),
            ("1e9", "there is no unit `e9`"),
            ("999999999999999999", "too large"),
            ("0.0000001", "six digits"),
        ] {
            let error = text.parse::<Value>().unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
