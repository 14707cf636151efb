//! Student's t.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Returns the `probability` quantile of Student's t with `freedom` degrees of freedom; [`None`] if there is no such distribution.
pub(super) fn quantile(probability: f64, freedom: f64) -> Option<f64> {
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(student.inverse_cdf(probability))
}
