//! The numbers at an axis and their texts: as many as fit, all different.

use super::scale::{How, Scale};
use super::unit::{Scaled, Unit, number, signed};

/// A number at an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// The numbers at an axis, and the unit for its title; the unit is empty if each number shows its own.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Ticks {
    pub(super) ticks: Vec<Tick>,
    pub(super) unit: String,
}

/// Chooses ticks on a scale of numbers: the first set that fits. `wanted` are the numbers of the data that ticks should show if possible.
pub(super) fn choose(scale: &Scale, unit: &Unit, wanted: &[f64], fits: impl Fn(&[Tick]) -> bool) -> Ticks {
    let scaled = unit.scaled(scale.high.abs().max(scale.low.abs()));
    let each_has_unit = scale.how == How::Logarithmic && scale.high / scale.low > 2000.0 && *unit != Unit::Share;
    let labelled = |values: Vec<f64>, step: Option<f64>| -> Vec<Tick> {
        let label = |value: f64| match step {
            _ if each_has_unit => unit.one(value),
            Some(step) => with_digits_of(value, step, &scaled),
            // `64` and `32.77k`, and not `0.064k`.
            None if !scaled.suffix.is_empty() => unit.one(value),
            None => in_unit(value, &scaled),
        };
        values.into_iter().map(|value| Tick { value, label: label(value) }).collect()
    };
    let mut all: Vec<Vec<Tick>> = Vec::new();
    if (2..=9).contains(&wanted.len()) {
        all.push(labelled(wanted.to_vec(), None));
    }
    if scale.how == How::Logarithmic {
        all.extend(logarithmic(scale).into_iter().map(|values| labelled(values, None)));
    }
    all.extend(linear(scale, scaled.divisor).into_iter().map(|(step, values)| labelled(values, Some(step))));
    let differ = |ticks: &[Tick]| ticks.windows(2).all(|pair| pair[0].label != pair[1].label);
    let ticks = all.iter().position(|ticks| ticks.len() >= 2 && differ(ticks) && fits(ticks));
    let ticks = ticks.or_else(|| all.iter().position(|ticks| ticks.len() == 1)).map(|place| all.swap_remove(place));
    Ticks { ticks: ticks.unwrap_or_default(), unit: if each_has_unit { String::new() } else { scaled.unit } }
}

/// Powers of ten with 2 and 5, powers alone, every second power, and so on.
fn logarithmic(scale: &Scale) -> Vec<Vec<f64>> {
    let (first, last) = (scale.low.log10().floor(), scale.high.log10().ceil());
    let powers = |every: f64| {
        let count = ((last - first) / every).min(400.0);
        let begin = (first / every).ceil() * every;
        (0..=400).map(f64::from).take_while(move |turn| *turn <= count).map(move |turn| begin + turn * every)
    };
    let within = |values: Vec<f64>| -> Vec<f64> {
        values.into_iter().filter(|value| *value >= scale.low * 0.999_999 && *value <= scale.high * 1.000_001).collect()
    };
    // `powi` of a negative power is not as near to 0.001 as the number that is read.
    let power = |exponent: f64| format!("1e{exponent}").parse().unwrap_or(f64::NAN);
    let of_decade = |digits: &'static [f64]| {
        within(powers(1.0).flat_map(|exponent| digits.iter().map(move |digit| digit * power(exponent))).collect())
    };
    let mut all = Vec::new();
    if last - first <= 3.0 {
        all.extend([of_decade(&[1.0, 2.0, 5.0]), of_decade(&[1.0, 3.0])]);
    }
    all.extend([1.0, 2.0, 3.0, 4.0, 6.0, 12.0].map(|every| within(powers(every).map(power).collect())));
    all
}

/// Multiples of 1, 2 and 5 times powers of ten, in the unit that is shown: from many to few.
fn linear(scale: &Scale, divisor: f64) -> Vec<(f64, Vec<f64>)> {
    let (low, high) = (scale.low / divisor, scale.high / divisor);
    let span = high - low;
    if !span.is_finite() || span <= 0.0 {
        return Vec::new();
    }
    let magnitude = span.log10().floor();
    let steps = [-1.0, 0.0].into_iter().flat_map(|below| [1.0, 2.0, 5.0].map(|digit| (digit, magnitude + below)));
    steps
        .map(|(digit, exponent)| {
            let step = digit * 10_f64.powf(exponent);
            let first = (low / step - 1e-9).ceil();
            let values = (0..=100).map(|turn| (first + f64::from(turn)) * step);
            let values = values.take_while(|value| *value <= high + step * 1e-9);
            // Where zero has no place, the first multiple of the step may lie a little below the range.
            let values = values.filter(|value| scale.how != How::Logarithmic || *value >= low);
            (step, values.map(|value| if value.abs() < step * 1e-9 { 0.0 } else { value * divisor }).collect())
        })
        .collect()
}

/// With as many digits as steps between the numbers need.
fn with_digits_of(value: f64, step: f64, scaled: &Scaled) -> String {
    let value = value / scaled.divisor;
    if !scaled.suffix.is_empty() {
        return in_unit(value * scaled.divisor, scaled);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "digits are few")]
    let digits = (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize;
    if value == 0.0 { "0".to_owned() } else { signed(&format!("{value:.digits$}")) }
}

fn in_unit(value: f64, scaled: &Scaled) -> String {
    let suffix = if value == 0.0 { "" } else { scaled.suffix };
    format!("{}{suffix}", number(value / scaled.divisor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(how: How, low: f64, high: f64, unit: &Unit, most: usize) -> (Vec<String>, String) {
        let scale = Scale { how, low, high, from: 0.0, to: 100.0 };
        let ticks = choose(&scale, unit, &[], |ticks| ticks.len() <= most);
        (ticks.ticks.into_iter().map(|tick| tick.label).collect(), ticks.unit)
    }

    #[test]
    fn numbers_are_round_and_in_a_unit_that_suits() {
        let (all, unit) = labels(How::Linear, 0.0, 0.000_9, &Unit::Seconds, 5);
        assert_eq!((all.join(" "), unit.as_str()), ("0 200 400 600 800".to_owned(), "µs"));
        let (all, unit) = labels(How::Linear, 0.0, 1.2e8, &Unit::Bytes, 7);
        assert_eq!((all.join(" "), unit.as_str()), ("0 20 40 60 80 100 120".to_owned(), "MB"));
        let (all, unit) = labels(How::Linear, 0.12, 0.31, &Unit::Share, 5);
        assert_eq!((all.join(" "), unit.as_str()), ("15 20 25 30".to_owned(), "%"));
        let (all, _) = labels(How::Linear, 0.0, 120_000.0, &Unit::Plain, 4);
        assert_eq!(all.join(" "), "0 50k 100k");
        let (all, _) = labels(How::Linear, 1.0, 1.02, &Unit::Plain, 5);
        assert_eq!(all.join(" "), "1.000 1.005 1.010 1.015 1.020");
    }

    #[test]
    fn logarithmic_axes_have_powers_or_what_lies_between() {
        let (all, unit) = labels(How::Logarithmic, 1e-6, 1.0, &Unit::Seconds, 4);
        assert_eq!((all.join(", "), unit.as_str()), ("1 µs, 100 µs, 10 ms, 1 s".to_owned(), ""));
        let (all, unit) = labels(How::Logarithmic, 3e-3, 0.2, &Unit::Seconds, 9);
        assert_eq!((all.join(" "), unit.as_str()), ("5 10 20 50 100 200".to_owned(), "ms"));
        let (all, _) = labels(How::Logarithmic, 50.0, 40_000.0, &Unit::Plain, 4);
        assert_eq!(all.join(" "), "100 1000 10k");
        let (all, _) = labels(How::Logarithmic, 2.1, 4.9, &Unit::Plain, 9);
        assert_eq!(all.join(" "), "2.5 3.0 3.5 4.0 4.5");
        let (all, _) = labels(How::Logarithmic, 0.001, 1.0, &Unit::Share, 5);
        assert_eq!(all.join(" "), "0.1 1 10 100");
    }

    #[test]
    fn hopeless_ranges_have_no_ticks_rather_than_wrong_ones() {
        assert_eq!(labels(How::Linear, 1.0, 1.0, &Unit::Plain, 5).0, Vec::<String>::new());
        assert_eq!(labels(How::Linear, 0.0, f64::INFINITY, &Unit::Plain, 5).0, Vec::<String>::new());
    }
}
