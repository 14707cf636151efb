//! The trait of estimators of a job's work, and the simplest estimator.

use std::sync::Arc;
use std::time::Duration;

/// Estimates the work of a job, and learns from the costs of finished jobs.
///
/// No lock of the scheduler is held while an estimator runs; an estimator that learns needs its own lock. If it panics, the caller panics:
/// a job that was being submitted is not admitted, and a job in service ends.
pub trait Estimator<J>: Send + Sync {
    /// Estimates a job that is submitted. `told` is the submitter's estimate.
    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate;

    /// Learns from a job's cost.
    fn learn(&self, outcome: &MeasuredJob<'_>);
}

/// An estimator's answer about one job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Estimate {
    /// The estimated work.
    pub work: Duration,
    /// The features to report to the estimator with the job's cost.
    pub features: Features,
}

/// Numbers for the properties of a job from which its cost can be estimated, for example the rules that it may match. The program chooses
/// the numbers. An empty list uses no memory.
pub type Features = Box<[u32]>;

/// The cost of a job.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredJob<'a> {
    /// The features of the job's [`Estimate`].
    pub features: &'a [u32],
    /// The job's size in bytes, at least 1.
    pub size_bytes: u64,
    /// The job's total cost until now.
    pub work: Duration,
    /// The costs of single features, where the worker has measured them; otherwise empty.
    pub parts: &'a [(u32, Duration)],
    /// Whether the job is done. A job that was given back, or whose worker panicked, would have cost more.
    pub complete: bool,
}

/// Uses the submitter's estimate.
#[derive(Debug, Clone, Copy, Default)]
pub struct Told;

impl<J> Estimator<J> for Told {
    fn estimate(&self, _: &J, _: u64, told: Duration) -> Estimate {
        Estimate { work: told, features: Features::default() }
    }

    fn learn(&self, _: &MeasuredJob<'_>) {}
}

/// Lets a program share an estimator with the scheduler.
impl<J, E: Estimator<J>> Estimator<J> for Arc<E> {
    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate {
        E::estimate(self, job, size_bytes, told)
    }

    fn learn(&self, outcome: &MeasuredJob<'_>) {
        E::learn(self, outcome);
    }
}
