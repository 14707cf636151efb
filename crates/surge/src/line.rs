//! The jobs that wait, in the order of the policy, within their bounds.

mod flows;
mod jobs;

use crate::error::Reason;
use crate::estimate::Features;
use crate::policy::Policy;
use flows::FlowLine;
use jobs::JobLine;
use std::time::Duration;

/// A job with the scheduler's data about it.
pub(crate) struct Waiting<J> {
    pub(crate) job: J,
    pub(crate) facts: Facts,
}

/// The scheduler's data about a job.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub(crate) flow: u64,
    /// The job's size in bytes, at least 1.
    pub(crate) size_bytes: u64,
    /// The work by which the job is ranked.
    pub(crate) work: Duration,
    /// The features to report to the estimator when the job ends.
    pub(crate) features: Features,
    /// The job's cost in earlier turns.
    pub(crate) spent: Duration,
    /// The time at which the job was submitted.
    pub(crate) since: Duration,
}

/// The limits of the jobs and bytes that may wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) jobs: usize,
    pub(crate) bytes: u64,
}

impl Limits {
    /// Returns whether `jobs` jobs with `bytes` bytes may wait.
    fn allow(&self, jobs: usize, bytes: u64) -> bool {
        jobs <= self.jobs && bytes <= self.bytes
    }
}

/// The outcome of a job that arrived. It is admitted, with the jobs dropped for it; or it is not admitted, and no other
/// job was dropped.
pub(crate) type Admission<J> = Result<Vec<Waiting<J>>, (Waiting<J>, Reason)>;

/// The jobs that wait.
#[expect(clippy::large_enum_variant, reason = "there is one for each scheduler")]
pub(crate) enum Line<J> {
    /// The jobs are ranked one by one.
    Jobs(JobLine<J>),
    /// The jobs of a flow stay in order.
    Flows(FlowLine<J>),
}

impl<J> Line<J> {
    /// Creates an empty line. If flows are kept in order, at most `most_flows` of them can have a job in service.
    pub(crate) fn new(policy: Policy, most_flows: Option<usize>, limits: Limits) -> Self {
        match most_flows {
            None => Self::Jobs(JobLine::new(policy, limits)),
            Some(most) => Self::Flows(FlowLine::new(policy, most, limits)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Jobs(line) => line.len(),
            Self::Flows(line) => line.len(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Jobs(line) => line.bytes(),
            Self::Flows(line) => line.bytes(),
        }
    }

    /// Returns whether a job may start.
    pub(crate) fn may_start(&self) -> bool {
        match self {
            Self::Jobs(line) => line.len() > 0,
            Self::Flows(line) => line.may_start(),
        }
    }

    /// Admits a job. The arriving job counts as admitted, as the last of its rank; the worst jobs are dropped until the rest fits.
    pub(crate) fn admit(&mut self, waiting: Waiting<J>) -> Admission<J> {
        match self {
            Self::Jobs(line) => line.admit(waiting),
            Self::Flows(line) => line.admit(waiting),
        }
    }

    /// Queues a job again that was in service.
    pub(crate) fn put_back(&mut self, waiting: Waiting<J>) -> Admission<J> {
        match self {
            Self::Jobs(line) => line.admit(waiting),
            Self::Flows(line) => line.put_back(waiting),
        }
    }

    /// Removes and returns the best job that may start.
    pub(crate) fn take(&mut self) -> Option<Waiting<J>> {
        match self {
            Self::Jobs(line) => line.take(),
            Self::Flows(line) => line.take(),
        }
    }

    /// Records that a job of the flow has left the service.
    pub(crate) fn release(&mut self, flow: u64) {
        match self {
            Self::Jobs(_) => {}
            Self::Flows(line) => line.release(flow),
        }
    }

    /// Removes and returns all jobs.
    pub(crate) fn drain(&mut self) -> Vec<Waiting<J>> {
        match self {
            Self::Jobs(line) => std::iter::from_fn(|| line.take()).collect(),
            Self::Flows(line) => line.drain(),
        }
    }
}
