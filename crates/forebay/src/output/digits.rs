//! Writes numbers in tables with their significant digits.

use crate::statistics::Estimate;

/// Significant digits of a number that no interval says the digits of.
const DIGITS: usize = 4;
/// Decimals at most.
const MOST_DECIMALS: usize = 4;

/// Writes a mean over `unit`, and half its interval with two digits, as `12.3 +- 1.4`; `-` if there is none.
pub(crate) fn with_interval(estimate: &Estimate, unit: f64) -> String {
    match (estimate.mean, estimate.ci95) {
        (None, _) => "-".to_owned(),
        // Not what rounding makes of equal values.
        (Some(mean), Some(ci95)) if ci95 > mean.abs() * 1e-9 => {
            let decimals = decimals(ci95 / unit, 2);
            format!("{:.decimals$} +- {:.decimals$}", mean / unit, ci95 / unit)
        }
        (Some(mean), Some(_)) => format!("{} +- 0", alone(mean / unit)),
        (Some(mean), None) => alone(mean / unit),
    }
}

/// Writes a number without an interval.
pub(crate) fn alone(number: f64) -> String {
    let decimals = if number.fract() == 0.0 { 0 } else { decimals(number.abs(), DIGITS) };
    format!("{number:.decimals$}")
}

/// Returns the number of decimals with which a number has `digits` digits.
fn decimals(number: f64, digits: usize) -> usize {
    let limits = [1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1.0, 0.1, 0.01, 0.001];
    // The first digit stands so many places before the point.
    let place = limits.iter().position(|limit| number >= *limit).unwrap_or(limits.len());
    (digits + place).saturating_sub(7).min(MOST_DECIMALS)
}

/// Returns a unit in which the least of the positive values is 1 or more: its length in nanoseconds, and its name.
pub(crate) fn time_unit(values_ns: impl Iterator<Item = f64>) -> (f64, &'static str) {
    let least = values_ns.filter(|ns| *ns > 0.0).reduce(f64::min).unwrap_or(1.0);
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    units.into_iter().find(|(size, _)| least >= *size).unwrap_or((1.0, "ns"))
}

/// Writes a count in words: `12.3 million`.
pub(crate) fn count(number: f64) -> String {
    let units = [(1e9, " billion"), (1e6, " million")];
    match units.into_iter().find(|(size, _)| number >= *size) {
        Some((size, unit)) => format!("{:.1}{unit}", number / size),
        None => format!("{number:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_they_are_worth() {
        for (number, text) in [
            (0.0, "0"),
            (0.60126, "0.6013"),
            (1.23456, "1.235"),
            (12.3456, "12.35"),
            (123.456, "123.5"),
            (1_234.56, "1235"),
            (1_234_567.8, "1234568"),
            (1_000.0, "1000"),
            (0.000_012, "0.0000"),
        ] {
            assert_eq!(alone(number), text);
        }
    }

    #[test]
    fn intervals_have_two_digits() {
        let estimate = |mean, ci95| Estimate { mean, ci95, values: Vec::new() };
        for (mean, ci95, unit, text) in [
            (Some(12_345.678), Some(67.8), 1.0, "12346 +- 68"),
            (Some(12_345.678), Some(67.8), 1e3, "12.346 +- 0.068"),
            (Some(12_345.678), Some(6_780.0), 1e3, "12.3 +- 6.8"),
            (Some(3.0), Some(0.0), 1.0, "3 +- 0"),
            (Some(7.0), None, 1.0, "7"),
            (None, None, 1.0, "-"),
        ] {
            assert_eq!(with_interval(&estimate(mean, ci95), unit), text);
        }
    }

    #[test]
    fn units_suit_the_least_value() {
        for (values, unit) in [
            (vec![1_500.0, 3e9], (1e3, "us")),
            (vec![2e6, 0.0], (1e6, "ms")),
            (vec![3e9], (1e9, "s")),
            (vec![0.5], (1.0, "ns")),
            (vec![], (1.0, "ns")),
        ] {
            assert_eq!(time_unit(values.into_iter()), unit);
        }
        assert_eq!(
            (count(12_345.0), count(12_345_678.0), count(2e9)),
            ("12345".into(), "12.3 million".into(), "2.0 billion".into())
        );
    }
}
