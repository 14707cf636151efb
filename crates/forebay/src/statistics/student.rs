//! Student's t.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The value that Student's t with so many degrees of freedom is below with this probability; [`None`] if there is no such distribution.
pub(super) fn quantile(probability: f64, freedom: f64) -> Option<f64> {
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(student.inverse_cdf(probability))
}
