//! How much work a job will be: the trait of estimators, and the simplest.

use std::sync::Arc;
use std::time::Duration;

/// Estimates the work of a job, and learns from the costs of finished jobs.
///
/// No lock of the scheduler is held while an estimator runs; one that learns needs its own. If it panics, the panic
/// goes to the caller: a job that was being submitted is not admitted, and one in service ends.
pub trait Estimator<J>: Send + Sync {
    /// Estimates a job that is submitted. `told` is the submitter's estimate.
    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate;

    /// Learns from a job's cost.
    fn learn(&self, outcome: &MeasuredJob<'_>);
}

/// The estimate of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Estimate {
    /// The work.
    pub work: Duration,
    /// The features to report to the estimator with the job's cost.
    pub features: Features,
}

/// Properties of a job that tell its cost, for example the rules that it may match: numbers that the program chooses.
/// Empty ones take no memory.
pub type Features = Box<[u32]>;

/// The cost of a job.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredJob<'a> {
    /// Of the job's [`Estimate`].
    pub features: &'a [u32],
    /// The job's size in bytes, at least 1.
    pub size_bytes: u64,
    /// Its whole cost up to now.
    pub work: Duration,
    /// The costs of single features, where the worker has measured them; otherwise empty.
    pub parts: &'a [(u32, Duration)],
    /// Whether the job is done. One that was given back, or whose worker panicked, would have
    /// cost more.
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

/// Lets a program keep access to an estimator that it gave away.
impl<J, E: Estimator<J>> Estimator<J> for Arc<E> {
    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate {
        E::estimate(self, job, size_bytes, told)
    }

    fn learn(&self, outcome: &MeasuredJob<'_>) {
        E::learn(self, outcome);
    }
}
