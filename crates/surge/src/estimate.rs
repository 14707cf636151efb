//! How much work a job will be: the trait of estimators, and the simplest.

use std::sync::Arc;
use std::time::Duration;

/// Says how much work a job will be, and learns from what jobs have cost.
///
/// No lock of the scheduler is held while an estimator runs; one that learns needs its own. If it
/// panics, the panic goes to the caller: a job that was being submitted never came, and one in service ends.
pub trait Estimator<J>: Send + Sync {
    /// Estimates a job that is submitted. `told` is the submitter's estimate.
    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate;

    /// A job has cost something.
    fn learn(&self, outcome: &MeasuredJob<'_>);
}

/// What an estimator says of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Estimate {
    /// The work.
    pub work: Duration,
    /// The features to report to the estimator with the job's cost.
    pub features: Features,
}

/// What a job has that tells how much it costs, for example the rules that it may match: numbers
/// that the program chooses. Empty ones take no memory.
pub type Features = Box<[u32]>;

/// The cost of a job.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredJob<'a> {
    /// Of the job's [`Estimate`].
    pub features: &'a [u32],
    /// The job's size in bytes, at least 1.
    pub size_bytes: u64,
    /// All that it has cost up to now.
    pub work: Duration,
    /// What single features have cost, where the worker has measured it; else empty.
    pub parts: &'a [(u32, Duration)],
    /// Whether the job is done. One that was given back, or whose worker panicked, would have
    /// cost more.
    pub complete: bool,
}

/// Believes the submitter.
#[derive(Debug, Clone, Copy, Default)]
pub struct Told;

impl<J> Estimator<J> for Told {
    fn estimate(&self, _: &J, _: u64, told: Duration) -> Estimate {
        Estimate { work: told, features: Features::default() }
    }

    fn learn(&self, _: &MeasuredJob<'_>) {}
}

/// So that a program can keep an eye on the estimator that it gave away.
impl<J, E: Estimator<J>> Estimator<J> for Arc<E> {
    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate {
        E::estimate(self, job, size_bytes, told)
    }

    fn learn(&self, outcome: &MeasuredJob<'_>) {
        E::learn(self, outcome);
    }
}
