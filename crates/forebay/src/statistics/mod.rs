//! Numbers over repetitions: means with their confidence intervals.
//!
//! ```
//! use forebay::statistics::Estimate;
//!
//! let estimate = Estimate::of(vec![Some(1.0), Some(3.0)]);
//! assert_eq!(estimate.mean, Some(2.0));
//! assert!(estimate.ci95.is_some_and(|half| (half - 12.706).abs() < 1e-3)); // Student's t, one degree of freedom
//! ```

mod estimate;
mod jain;
mod quantities;
mod repetitions;
mod student;
mod summed;
mod warm_up;

pub use estimate::{Estimate, mean_and_ci95};
pub use jain::jain_index;
pub use quantities::Quantities;
pub(crate) use repetitions::{MOST_REPETITIONS, repetitions_needed};
pub(crate) use summed::summed;
pub use warm_up::Settled;
