//! The number of repetitions that would tell two policies apart.

use super::student;

/// The maximum number of repetitions that is calculated: nobody makes more for one claim.
pub(crate) const MOST_REPETITIONS: usize = 1_000;

/// Returns the least number of repetitions with which a 95 % confidence interval would exclude zero, if the mean and the deviation of the
/// differences did not change. `ci95` is half the width of the interval of `pairs` differences, whose mean is `mean`.
///
/// Returns [`None`] if the interval excludes zero already, or if the differences are all zero, so that no number helps; `MOST_REPETITIONS +
/// 1` for more.
pub(crate) fn repetitions_needed(mean: f64, ci95: f64, pairs: usize) -> Option<usize> {
    if pairs < 2 || ci95 == 0.0 || mean.abs() > ci95 {
        return None;
    }
    // Half the width is t(n - 1) s / sqrt(n), so s follows from this one.
    let deviation = ci95 / width(pairs);
    let is_enough = |repetitions: usize| width(repetitions) * deviation < mean.abs();
    if !is_enough(MOST_REPETITIONS) {
        return Some(MOST_REPETITIONS + 1);
    }
    // The width falls with the number, so halving finds the least.
    let (mut too_few, mut enough) = (pairs, MOST_REPETITIONS);
    while enough - too_few > 1 {
        let middle = usize::midpoint(too_few, enough);
        if is_enough(middle) { enough = middle } else { too_few = middle }
    }
    Some(enough)
}

/// Returns half the width of the interval of `count` values with a standard deviation of 1.
fn width(count: usize) -> f64 {
    let count = count as f64;
    student::quantile(0.975, count - 1.0).map_or(f64::INFINITY, |quantile| quantile / count.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::mean_and_ci95;
    use forebay_core::Seed;
    use rand::RngExt as _;

    #[test]
    fn the_number_is_that_of_printed_tables() {
        // A deviation of 1: t(0.975, 19) / sqrt(20) is 2.093 / 4.472 = 0.468, and with 19 it is 2.101 / 4.359 = 0.482.
        let ci95 = 2.776 / 5_f64.sqrt();
        assert_eq!(repetitions_needed(0.475, ci95, 5), Some(20));
        assert_eq!(repetitions_needed(-0.475, ci95, 5), Some(20));
    }

    #[test]
    fn what_is_clear_or_equal_needs_none_and_what_is_hopeless_says_so() {
        assert_eq!(repetitions_needed(2.0, 1.0, 5), None);
        assert_eq!(repetitions_needed(0.0, 0.0, 5), None);
        assert_eq!(repetitions_needed(1.0, f64::NAN, 1), None);
        assert_eq!(repetitions_needed(0.0, 1.0, 5), Some(MOST_REPETITIONS + 1));
        assert_eq!(repetitions_needed(1e-6, 1.0, 5), Some(MOST_REPETITIONS + 1));
    }

    /// Counting up from the number that there is.
    fn by_counting(mean: f64, ci95: f64, pairs: usize) -> Option<usize> {
        if mean.abs() > ci95 {
            return None;
        }
        let deviation = ci95 / width(pairs);
        (pairs..=MOST_REPETITIONS).find(|count| width(*count) * deviation < mean.abs()).or(Some(MOST_REPETITIONS + 1))
    }

    #[test]
    fn it_is_what_counting_finds() {
        let mut rng = Seed(1).stream("needed");
        for _ in 0..200 {
            let pairs = rng.random_range(2..12);
            let middle: f64 = rng.random::<f64>() * 2.0 - 1.0;
            let values: Vec<f64> = (0..pairs).map(|_| middle * 0.2 + rng.random::<f64>() - 0.5).collect();
            let (mean, ci95) = mean_and_ci95(values.into_iter());
            let (mean, ci95) = (mean.unwrap(), ci95.unwrap());
            assert_eq!(repetitions_needed(mean, ci95, pairs), by_counting(mean, ci95, pairs), "{mean} {ci95} {pairs}");
        }
    }

    /// With the number that is suggested, about half of new samples exclude zero, and with four times as many nearly all.
    #[test]
    fn so_many_repetitions_do_tell() {
        let mut rng = Seed(2).stream("needed");
        let mut sample = |count: usize| {
            let values: Vec<f64> = (0..count).map(|_| 0.3 + 12_f64.sqrt() * (rng.random::<f64>() - 0.5)).collect();
            let (mean, ci95) = mean_and_ci95(values.into_iter());
            mean.unwrap() > ci95.unwrap()
        };
        let needed = repetitions_needed(0.3, width(5), 5).unwrap();
        let mut told = |count: usize| (0..500).filter(|_| sample(count)).count();
        assert!((150..=350).contains(&told(needed)), "{needed}");
        assert!(told(4 * needed) > 450);
    }
}
