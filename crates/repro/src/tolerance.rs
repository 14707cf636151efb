//! The tolerance of a measured value relative to the published one.

use forebay::error::WrongValue;
use std::fmt;
use std::str::FromStr;

/// A stated tolerance, with its original text.
#[derive(Debug, Clone, PartialEq)]
pub struct Tolerance {
    text: String,
    rule: Rule,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// Equal, except for rounding in the last digits of the arithmetic.
    Exact,
    /// This share of the published value, above or below.
    Relative(f64),
    /// Between these two numbers, independent of the published one.
    Between(f64, f64),
}

/// The rounding error that `exact` allows, as a share of the published value.
const ROUNDING: f64 = 1e-9;

impl Tolerance {
    /// Whether `measured` is within the tolerance of `published`.
    pub fn holds(&self, published: f64, measured: f64) -> bool {
        let off = (measured - published).abs();
        match self.rule {
            Rule::Exact => off <= ROUNDING * published.abs(),
            Rule::Relative(share) => off <= share * published.abs(),
            Rule::Between(least, most) => (least..=most).contains(&measured),
        }
    }
}

impl FromStr for Tolerance {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, WrongValue> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let rule = if text == "exact" {
            Some(Rule::Exact)
        } else if let Some(percent) = text.strip_suffix('%') {
            number(percent).filter(|percent| *percent > 0.0).map(|percent| Rule::Relative(percent / 100.0))
        } else if let Some(least) = text.strip_prefix("at least ") {
            number(least).map(|least| Rule::Between(least, f64::INFINITY))
        } else if let Some(most) = text.strip_prefix("at most ") {
            number(most).map(|most| Rule::Between(f64::NEG_INFINITY, most))
        } else {
            let ends = text.split_once(" to ").and_then(|(least, most)| Some((number(least)?, number(most)?)));
            ends.filter(|(least, most)| least <= most).map(|(least, most)| Rule::Between(least, most))
        };
        let rule = rule.ok_or_else(|| {
            WrongValue::from(format!(
                "`tolerance` must be \"exact\", \"10 %\", \"at least 2\", \"at most 2\" or \"15 to 30\", not \"{text}\""
            ))
        })?;
        Ok(Self { text: text.to_owned(), rule })
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_holds_and_fails_where_it_says() {
        for (text, published, good, bad) in [
            ("exact", 9.0, 9.0, 9.001),
            ("10 %", 3.3, 3.0, 2.9),
            ("10 %", -3.3, -3.6, -3.7),
            ("at least 1", 7.0, 1.0, 0.99),
            ("at most 2", 1.0, 2.0, 2.1),
            ("15 to 30", 22.0, 15.0, 14.9),
        ] {
            let tolerance: Tolerance = text.parse().unwrap();
            assert!(tolerance.holds(published, good), "{text}: {good}");
            assert!(!tolerance.holds(published, bad), "{text}: {bad}");
            assert!(!tolerance.holds(published, f64::NAN), "{text}: not a number never holds");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in ["", "10", "% 10", "-5 %", "30 to 15", "at least", "inf %"] {
            assert!(text.parse::<Tolerance>().is_err(), "{text}");
        }
    }
}
