//! Units of axes: SI base units in data, prefixes on paper.

/// The subject of a number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Unit {
    /// A plain number.
    #[default]
    Plain,
    /// A share, shown in percent.
    Share,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// Bits per second.
    BitsPerSecond,
    /// Things that are counted, like packets.
    Count(String),
}

/// The divisor of the numbers of an axis, and the unit of the quotients.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scaled {
    pub(crate) divisor: f64,
    /// The unit for the axis title; empty for plain numbers.
    pub(crate) unit: String,
    /// The suffix of each number, such as `k`.
    pub(crate) suffix: &'static str,
}

const LARGE: [(f64, &str); 5] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")];
const SMALL: [(f64, &str); 5] = [(1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p")];

impl Unit {
    /// Returns the unit that results call `unit`: `s`, `bytes`, `bit/s`, `1`, or the counted thing.
    #[must_use]
    pub fn of_result(unit: &str, is_share: bool) -> Self {
        match unit {
            "s" => Self::Seconds,
            "bytes" => Self::Bytes,
            "bit/s" => Self::BitsPerSecond,
            "1" if is_share => Self::Share,
            "1" | "" => Self::Plain,
            other => Self::Count(other.to_owned()),
        }
    }

    /// Returns the unit in which numbers up to `greatest` are easy to read.
    pub(crate) fn scaled(&self, greatest: f64) -> Scaled {
        let greatest = greatest.abs();
        let pick = |prefixes: &'static [(f64, &'static str)]| {
            let found = prefixes.iter().find(|(size, _)| greatest >= size * 0.999_999_9);
            found.or(if greatest == 0.0 { prefixes.iter().find(|(size, _)| *size == 1.0) } else { prefixes.last() })
        };
        let with = |prefixes, unit: &str| {
            let (divisor, prefix) = pick(prefixes).copied().unwrap_or((1.0, ""));
            Scaled { divisor, unit: format!("{prefix}{unit}"), suffix: "" }
        };
        match self {
            Self::Plain | Self::Count(_) => {
                let unit = if let Self::Count(unit) = self { unit.clone() } else { String::new() };
                let (divisor, suffix) = if greatest < 1e4 { (1.0, "") } else { *pick(&LARGE).unwrap_or(&(1.0, "")) };
                Scaled { divisor, unit, suffix }
            }
            Self::Share => Scaled { divisor: 0.01, unit: "%".to_owned(), suffix: "" },
            Self::Seconds => with(&SMALL, "s"),
            Self::Bytes => with(&LARGE, "B"),
            Self::BitsPerSecond => with(&LARGE, "bit/s"),
        }
    }

    /// Returns the divisor of the numbers of a column up to `size`, and their unit in words for the column's head.
    pub(crate) fn in_column(&self, size: f64) -> (f64, String) {
        let Scaled { divisor, unit, suffix } = self.scaled(size);
        let suffix = match suffix {
            "" => "",
            "k" => "thousand ",
            "M" => "million ",
            "G" => "billion ",
            _ => "trillion ",
        };
        (divisor, format!("{suffix}{unit}").trim_end().to_owned())
    }

    /// Writes a number alone, like `10 Gbit/s`.
    #[must_use]
    pub fn one(&self, value: f64) -> String {
        let scaled = self.scaled(value);
        let number = number(value / scaled.divisor);
        match self {
            _ if value == 0.0 => "0".to_owned(),
            Self::Plain | Self::Count(_) => format!("{number}{}", scaled.suffix),
            _ => format!("{number} {}", scaled.unit),
        }
    }

    /// Returns the unit of the data.
    pub(crate) fn base(&self) -> &str {
        match self {
            Self::Plain => "",
            Self::Share => "share",
            Self::Seconds => "s",
            Self::Bytes => "bytes",
            Self::BitsPerSecond => "bit/s",
            Self::Count(unit) => unit,
        }
    }
}

/// Writes a number with at most four significant digits, without trailing zeros and with a minus sign.
pub(super) fn number(value: f64) -> String {
    let rounded = format!("{value:.3e}").parse::<f64>().unwrap_or(value);
    // Zeros are hard to count.
    let is_tiny = rounded != 0.0 && rounded.abs() < 1e-4;
    signed(&if is_tiny { format!("{rounded:e}") } else { rounded.to_string() })
}

/// Replaces the hyphen by the minus sign that is as wide as a digit.
pub(super) fn signed(number: &str) -> String {
    number.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_prefix_that_makes_them_short() {
        for (unit, value, text) in [
            (Unit::Bytes, 100_000_000.0, "100 MB"),
            (Unit::BitsPerSecond, 1e10, "10 Gbit/s"),
            (Unit::Seconds, 0.000_012_5, "12.5 µs"),
            (Unit::Seconds, 1e-9, "1 ns"),
            (Unit::Seconds, 3600.0, "3600 s"),
            (Unit::Share, 0.3, "30 %"),
            (Unit::Plain, 0.1 + 0.2, "0.3"),
            (Unit::Plain, 0.000_012, "1.2e\u{2212}5"),
            (Unit::Plain, 9999.0, "9999"),
            (Unit::Count("packets".to_owned()), 1_500_000.0, "1.5M"),
            (Unit::Seconds, 0.0, "0"),
            (Unit::Plain, -2.5, "\u{2212}2.5"),
        ] {
            assert_eq!(unit.one(value), text);
        }
    }
}
