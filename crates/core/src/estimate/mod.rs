//! Estimates the cost of a job from the costs of earlier jobs with the same features.
//!
//! A feature is any property that is known before a job is done and that distinguishes costly jobs from cheap ones. In a two-stage matcher,
//! it is a rule that the filter names for a payload. The estimate is the sum of the features' costs per byte, times the job's size
//! (SurgeProtector, thesis, section 3.5.2). The paper keeps the worst cost per byte ever seen; [`Kept`] has others.
//!
//! The estimator has no lock, no clock and no unit of time: a cost is a number in the caller's unit, for example nanoseconds. Simulations,
//! the real matcher and the embeddable scheduler share this code.
//!
//! ```
//! use forebay_core::estimate::{CostPerByte, Kept, Seen};
//!
//! let mut costs = CostPerByte::new(Kept::worst()).start(0.0);
//! costs.learn(7, Seen { size_bytes: 100, cost: 500.0, is_whole: true });
//! costs.learn(8, Seen { size_bytes: 100, cost: 100.0, is_whole: true });
//! assert_eq!(costs.estimate([7, 8], 50, 0.0), 300.0);
//! ```

mod cost_per_byte;
mod cost_summary;

pub use cost_per_byte::{CostPerByte, Seen};
pub use cost_summary::Kept;
