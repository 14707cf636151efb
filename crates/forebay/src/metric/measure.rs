//! Computes metrics from the results of runs.

use super::{Metric, all};
use crate::statistics::{Estimate, Quantities};

pub(crate) use super::measured::Measured;

/// A metric, and how it is computed from a result of this kind.
type Way<R> = (&'static Metric, fn(&R) -> Option<f64>);

/// Returns the metrics of a kind of result, in the order of the registry.
pub(crate) fn of<R: Measured>() -> impl Iterator<Item = Way<R>> {
    all().filter_map(|metric| Some((metric, R::how(metric)?)))
}

/// Computes all metrics of a result that exist in each repetition.
pub(crate) fn measure<R: Measured>(repetitions: &[&R]) -> Quantities {
    let estimate = |how: fn(&R) -> Option<f64>| Estimate::of(repetitions.iter().map(|result| how(result)).collect());
    of::<R>().map(|(metric, how)| (metric.name, estimate(how))).collect()
}
