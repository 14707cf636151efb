//! The end of the warm-up of a run: MSER-5.
//!
//! A run begins empty, and its first numbers are unlike those of its steady state. MSER cuts a series where the standard error of the mean
//! of the rest is least; MSER-5 does so with means of five observations (K. P. White, "An effective truncation heuristic for bias
//! reduction in simulation output", Simulation 69(6), 1997; S. C. Spratt, "Heuristics for the startup problem", University of Virginia,
//! 1998). A cut in the second half says that the run is too short.
//!
//! Chance alone moves some cuts into the second half, and most cuts remove a beginning that does not matter. So a finding counts only if
//! means differ by more than chance explains.

use super::student;
use serde::{Deserialize, Serialize};

/// Observations of a batch: the 5 of MSER-5.
const BATCH: usize = 5;
/// Batches that are never cut off: of fewer, the deviation is small by chance (the original looks at all).
const LEAST_LEFT: usize = 5;
/// A series with fewer batches is not judged.
const FEWEST_BATCHES: usize = 20;
/// Two means are told apart at this level: a sweep has hundreds of runs, and a false alarm in each twentieth would be many.
const LEVEL: f64 = 0.999;
/// The number of long batches over which means are compared. They are nearly independent even if single observations are not.
const LONG_BATCHES: usize = 10;

/// The end of a run's warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// The time from which the series is steady, in nanoseconds; [`None`] if it was not steady before the second half.
    pub settled_ns: Option<f64>,
    /// The start of the counted time.
    pub counted_from_ns: f64,
    /// Whether the observations that were counted before the series was steady change its mean.
    pub is_early: bool,
}

impl Settled {
    /// Finds the warm-up of a series that is counted from observation `counted` on; `time_ns` returns the time of an observation. A change
    /// of the mean by less than `least_bias` does not matter.
    pub(crate) fn of(series: &[f64], counted: usize, least_bias: f64, time_ns: impl Fn(usize) -> f64) -> Option<Self> {
        let counted_from_ns = time_ns(counted);
        Some(match warm_up(series)? {
            WarmUp::TooShort => Self { settled_ns: None, counted_from_ns, is_early: false },
            WarmUp::At(cut) => Self {
                settled_ns: Some(time_ns(cut)),
                counted_from_ns,
                is_early: cut > counted && moves(&series[counted..], cut - counted, least_bias),
            },
        })
    }
}

/// The finding of MSER-5 for a series.
#[derive(Debug, Clone, Copy, PartialEq)]
enum WarmUp {
    /// From this observation on the series is steady.
    At(usize),
    /// The series was not steady before the second half.
    TooShort,
}

/// When a series is steady; [`None`] if it has too few observations to say so.
fn warm_up(series: &[f64]) -> Option<WarmUp> {
    if series.len() / BATCH < FEWEST_BATCHES {
        return None;
    }
    let half = series.len() / 2;
    let (cut, within_half) = mser5(series);
    // A quiet end by chance is no trend.
    if cut > half && differ(&series[..half], &series[half..]) {
        return Some(WarmUp::TooShort);
    }
    Some(WarmUp::At(within_half))
}

/// Whether the first observations of a series move its mean: by more than `least_bias`, and by more than chance explains for the mean of
/// the rest.
fn moves(series: &[f64], first: usize, least_bias: f64) -> bool {
    let Some((middle, variance, count)) = of_batches(&series[first..]) else { return false };
    let Some(quantile) = student::quantile(f64::midpoint(1.0, LEVEL), count - 1.0) else { return false };
    let half = quantile * (variance / count).sqrt();
    (mean(series) - middle).abs() > half.max(least_bias)
}

/// Whether the means of two parts of a series differ by more than chance explains (Welch's test on means of long batches).
fn differ(before: &[f64], after: &[f64]) -> bool {
    let (Some((m1, v1, n1)), Some((m2, v2, n2))) = (of_batches(before), of_batches(after)) else { return false };
    let (e1, e2) = (v1 / n1, v2 / n2);
    if e1 + e2 == 0.0 {
        return m1 != m2;
    }
    let freedom = (e1 + e2).powi(2) / (e1.powi(2) / (n1 - 1.0) + e2.powi(2) / (n2 - 1.0));
    let Some(quantile) = student::quantile(f64::midpoint(1.0, LEVEL), freedom) else { return false };
    (m1 - m2).abs() > quantile * (e1 + e2).sqrt()
}

/// Mean and variance of the means of at most [`LONG_BATCHES`] batches, and how many these are; [`None`] of fewer than two observations.
fn of_batches(part: &[f64]) -> Option<(f64, f64, f64)> {
    let length = part.len().div_ceil(LONG_BATCHES).max(1);
    let means: Vec<f64> = part.chunks_exact(length).map(mean).collect();
    let count = means.len() as f64;
    let middle = mean(&means);
    let squares: f64 = means.iter().map(|own| (own - middle).powi(2)).sum();
    (means.len() > 1).then(|| (middle, squares / (count - 1.0), count))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the number of observations that MSER-5 cuts off, and the number if it may cut in the first half alone: multiples of five, the
/// least of equally good ones.
fn mser5(series: &[f64]) -> (usize, usize) {
    let batches: Vec<f64> = series.chunks_exact(BATCH).map(mean).collect();
    let half = series.len() / 2;
    let (mut best, mut within_half) = ((f64::INFINITY, 0), (f64::INFINITY, 0));
    // From the end: mean and squares of what is left grow by one batch at a time (Welford).
    let (mut middle, mut squares) = (0.0, 0.0);
    for (left, (cut, batch)) in (1..).zip(batches.iter().enumerate().rev()) {
        let count = f64::from(left);
        let distance = batch - middle;
        middle += distance / count;
        squares += distance * (batch - middle);
        let error = squares / (count * count);
        if left as usize >= LEAST_LEFT && error <= best.0 {
            best = (error, cut * BATCH);
        }
        if cut * BATCH <= half && error <= within_half.0 {
            within_half = (error, cut * BATCH);
        }
    }
    (best.1, within_half.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{Rng, Seed};
    use rand::RngExt as _;

    /// Calculates MSER as it is defined: the error of each cut separately.
    fn naive(series: &[f64]) -> Vec<f64> {
        let batches: Vec<f64> = series.chunks_exact(BATCH).map(mean).collect();
        let last = batches.len().saturating_sub(LEAST_LEFT);
        let error = |cut: usize| {
            let left = &batches[cut..];
            let middle = mean(left);
            left.iter().map(|batch| (batch - middle).powi(2)).sum::<f64>() / (left.len() as f64).powi(2)
        };
        (0..=last).map(error).collect()
    }

    /// A queue's length: each value hangs on the one before, and it begins at `from`.
    fn autoregressive(rng: &mut Rng, length: usize, from: f64, memory: f64) -> Vec<f64> {
        let mut value = from;
        let next = |_| {
            value = memory * value + rng.random::<f64>() - 0.5;
            value
        };
        (0..length).map(next).collect()
    }

    #[test]
    fn a_known_series_is_cut_where_its_transient_ends() {
        // Batch means 9, 4, then 1 and 3 in turn. The squares about the means of what is left are 66.95 (about 2.45), 21.79 (about
        // 2.105) and 18 (about 2), over 20, 19 and 18 batches, squared.
        let mut series = vec![9.0; 5];
        series.extend([4.0; 5]);
        (0..18).for_each(|batch| series.extend([if batch % 2 == 0 { 1.0 } else { 3.0 }; 5]));
        let errors = naive(&series);
        for (cut, expected) in [(0, 0.1674), (1, 0.0604), (2, 0.0556)] {
            assert!((errors[cut] - expected).abs() < 1e-4, "{errors:?}");
        }
        assert_eq!(mser5(&series), (10, 10));
        assert_eq!(warm_up(&series), Some(WarmUp::At(10)));
        assert_eq!(mser5(&[2.0; 200]), (0, 0), "equal values need no cut");
    }

    #[test]
    fn cuts_are_those_of_the_definition() {
        let mut rng = Seed(1).stream("mser");
        for _ in 0..300 {
            let (length, from) = (rng.random_range(60..400), rng.random::<f64>() * 20.0 - 10.0);
            let memory = rng.random::<f64>();
            let series = autoregressive(&mut rng, length, from, memory);
            let errors = naive(&series);
            let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
            let (cut, within_half) = mser5(&series);
            assert!(errors[cut / BATCH] <= least * (1.0 + 1e-9), "{cut} {least}");
            let first = &errors[..=series.len() / 2 / BATCH];
            let least = first.iter().copied().fold(f64::INFINITY, f64::min);
            assert!(
                within_half <= series.len() / 2 && errors[within_half / BATCH] <= least * (1.0 + 1e-9),
                "{within_half}"
            );
        }
    }

    #[test]
    fn a_steady_series_is_rarely_called_too_short_and_a_rising_one_always() {
        let mut rng = Seed(2).stream("mser");
        let is_short = |series: &[f64]| warm_up(series) == Some(WarmUp::TooShort);
        for memory in [0.0, 0.5, 0.9] {
            let short = (0..500).filter(|_| is_short(&autoregressive(&mut rng, 500, 0.0, memory))).count();
            assert!(short <= 5, "{short} of 500 at {memory}");
        }
        for _ in 0..100 {
            let steady = autoregressive(&mut rng, 500, 0.0, 0.5);
            let rising: Vec<f64> = steady.iter().zip(0..).map(|(own, at)| own + f64::from(at) / 50.0).collect();
            assert!(is_short(&rising));
        }
    }

    #[test]
    fn a_transient_is_found_where_it_is() {
        let mut rng = Seed(3).stream("mser");
        let cut = |_| match warm_up(&autoregressive(&mut rng, 1_000, 50.0, 0.9)) {
            Some(WarmUp::At(cut)) => cut,
            other => panic!("it is long enough: {other:?}"),
        };
        let mut cuts: Vec<usize> = (0..101).map(cut).collect();
        cuts.sort_unstable();
        // From 50, a memory of 0.9 is at 10 after 15 observations, and in the noise of about 0.7 after some 40.
        assert!(cuts[0] >= 15 && (25..=80).contains(&cuts[50]), "{cuts:?}");
    }

    #[test]
    fn a_transient_that_is_counted_and_moves_the_mean_is_early() {
        let mut rng = Seed(4).stream("mser");
        let mut is_early = |from: f64, counted: usize, least_bias: f64| {
            let series = autoregressive(&mut rng, 1_000, from, 0.9);
            let settled = Settled::of(&series, counted, least_bias, |place| place as f64 * 10.0).unwrap();
            assert_eq!(settled.counted_from_ns, counted as f64 * 10.0);
            settled.is_early
        };
        for _ in 0..50 {
            assert!(is_early(100.0, 0, 0.01), "the transient adds about 1 to a mean of 0");
            assert!(!is_early(100.0, 200, 0.01), "it is over");
            assert!(!is_early(100.0, 0, 5.0), "it is too little to matter");
        }
        let early = (0..500).filter(|_| is_early(0.0, 0, 0.0)).count();
        assert!(early <= 5, "{early} of 500 without a transient");
    }

    #[test]
    fn short_series_are_not_judged() {
        assert_eq!(warm_up(&[1.0; 99]), None);
        assert_eq!(warm_up(&[1.0; 100]), Some(WarmUp::At(0)));
        assert!(!differ(&[], &[1.0, 2.0]) && !differ(&[1.0; 50], &[1.0; 50]) && differ(&[1.0; 50], &[2.0; 50]));
    }
}
