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
    /// At least 1.
    pub(crate) size_bytes: u64,
    /// By which it is ranked.
    pub(crate) work: Duration,
    /// The features to report to the estimator at the end.
    pub(crate) features: Features,
    /// Its cost in earlier turns.
    pub(crate) spent: Duration,
    /// When it was submitted.
    pub(crate) since: Duration,
}

/// How much may wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) jobs: usize,
    pub(crate) bytes: u64,
}

impl Limits {
    /// Whether so much may wait.
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
    /// Each by itself.
    Jobs(JobLine<J>),
    /// In order inside their flows.
    Flows(FlowLine<J>),
}

impl<J> Line<J> {
    /// An empty line; `most_flows` can have a job in service, if flows are kept in order.
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

    /// Whether there is a job that may start.
    pub(crate) fn may_start(&self) -> bool {
        match self {
            Self::Jobs(line) => line.len() > 0,
            Self::Flows(line) => line.may_start(),
        }
    }

    /// Takes a job in. The arriving job counts as if it were in, as the last of its rank; the worst
    /// leave until the rest fits.
    pub(crate) fn admit(&mut self, waiting: Waiting<J>) -> Admission<J> {
        match self {
            Self::Jobs(line) => line.admit(waiting),
            Self::Flows(line) => line.admit(waiting),
        }
    }

    /// Takes a job back that was in service.
    pub(crate) fn put_back(&mut self, waiting: Waiting<J>) -> Admission<J> {
        match self {
            Self::Jobs(line) => line.admit(waiting),
            Self::Flows(line) => line.put_back(waiting),
        }
    }

    /// Takes the best job that may start.
    pub(crate) fn take(&mut self) -> Option<Waiting<J>> {
        match self {
            Self::Jobs(line) => line.take(),
            Self::Flows(line) => line.take(),
        }
    }

    /// A job of the flow has left the service.
    pub(crate) fn release(&mut self, flow: u64) {
        match self {
            Self::Jobs(_) => {}
            Self::Flows(line) => line.release(flow),
        }
    }

    /// Takes all jobs out.
    pub(crate) fn drain(&mut self) -> Vec<Waiting<J>> {
        match self {
            Self::Jobs(line) => std::iter::from_fn(|| line.take()).collect(),
            Self::Flows(line) => line.drain(),
        }
    }
}
