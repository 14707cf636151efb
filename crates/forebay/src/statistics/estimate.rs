//! A mean over repetitions, and its confidence interval.

use super::student;
use serde::Serialize;

/// The mean of a quantity over repetitions, with its 95 % confidence interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean; `None` if no repetition has a value.
    pub mean: Option<f64>,
    /// Half the width of the interval (Student's t); `None` with fewer than two
    /// values.
    pub ci95: Option<f64>,
    /// The value of each repetition.
    pub values: Vec<Option<f64>>,
}

impl Estimate {
    /// Returns the estimate over the values that are present.
    pub fn of(values: Vec<Option<f64>>) -> Self {
        let (mean, ci95) = mean_and_ci95(values.iter().copied().flatten());
        Self { mean, ci95, values }
    }
}

/// Returns the mean of values and half the width of its 95 % confidence interval.
pub fn mean_and_ci95(values: impl Iterator<Item = f64> + Clone) -> (Option<f64>, Option<f64>) {
    let count = values.clone().count() as f64;
    if count == 0.0 {
        return (None, None);
    }
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    // The distribution exists for every positive number of degrees of freedom.
    let quantile = student::quantile(0.975, count - 1.0);
    let ci95 = quantile.map(|quantile| quantile * (squares / (count - 1.0) / count).sqrt());
    (Some(mean), ci95)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables() {
        // t for 97.5 % and 1, 4 and 9 degrees of freedom, from printed tables.
        for (values, mean, t) in [
            (vec![1.0, 3.0], 2.0, 12.706),
            (vec![1.0, 2.0, 3.0, 4.0, 5.0], 3.0, 2.776),
            ((1..=10).map(f64::from).collect(), 5.5, 2.262),
        ] {
            let n = values.len() as f64;
            let deviation = (values.iter().map(|value: &f64| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
            let estimate = Estimate::of(values.into_iter().map(Some).collect());
            assert_eq!(estimate.mean, Some(mean));
            let expected = t * deviation / n.sqrt();
            assert!((estimate.ci95.unwrap() / expected - 1.0).abs() < 1e-3, "{estimate:?} {expected}");
        }
    }

    #[test]
    fn equal_values_leave_no_doubt_and_one_value_no_interval() {
        assert_eq!(Estimate::of(vec![Some(2.0); 5]).ci95, Some(0.0));
        assert_eq!(mean_and_ci95([7.0].into_iter()), (Some(7.0), None));
        assert_eq!(mean_and_ci95([].into_iter()), (None, None));
    }

    #[test]
    fn repetitions_without_a_value_do_not_count() {
        let estimate = Estimate::of(vec![Some(1.0), None, Some(3.0)]);
        assert_eq!(estimate.mean, Some(2.0));
        assert!((estimate.ci95.unwrap() - 12.706).abs() < 0.01);
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        use forebay_core::Seed;
        use rand::RngExt as _;
        let mut rng = Seed(1).stream("intervals");
        let held = (0..4_000)
            .filter(|_| {
                let sample: Vec<f64> = (0..10).map(|_| rng.random::<f64>() + rng.random::<f64>()).collect();
                let (mean, ci95) = mean_and_ci95(sample.into_iter());
                (mean.unwrap() - 1.0).abs() <= ci95.unwrap()
            })
            .count();
        assert!((3_720..=3_880).contains(&held), "{held} of 4000");
    }
}
