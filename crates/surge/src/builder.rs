//! The settings of a scheduler.

use crate::error::BuildError;
use crate::estimate::{Estimator, Told};
use crate::line::{Limits, Line};
use crate::measure::Measure;
use crate::policy::Policy;
use crate::scheduler::Scheduler;
use crate::surge::{Shared, Surge};
use forebay_clock::{Clock, MonotonicClock};
use std::sync::Arc;

/// The maximum number of jobs that may wait.
const MOST_JOBS: usize = 1 << 26;

/// The settings of a scheduler.
#[must_use = "a scheduler comes of it when `build` is called"]
pub struct Builder<J> {
    limits: Limits,
    policy: Policy,
    most_flows: Option<usize>,
    estimator: Box<dyn Estimator<J>>,
    clock: Option<Box<dyn Clock>>,
    measure: Measure,
}

impl<J> Builder<J> {
    pub(crate) fn new(jobs: usize) -> Self {
        Self {
            limits: Limits { jobs, bytes: u64::MAX },
            policy: Policy::default(),
            most_flows: None,
            estimator: Box::new(Told),
            clock: None,
            measure: Measure::default(),
        }
    }

    /// Limits the bytes that may wait, in addition to the number of jobs. Without this call, there is no such limit.
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.limits.bytes = bytes;
        self
    }

    /// Sets the order in which jobs leave; [`Policy::Wsjf`] by default.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Keeps the jobs of a flow in order: a job starts only after the previous one has finished. The policy ranks a flow by all its queued
    /// jobs (thesis 3.5.3): the sum of their work over the sum of their bytes, their mean work, or the first arrival. If there is no room,
    /// the last job of the worst flow is dropped.
    ///
    /// At most `most_in_service` jobs are in service at a time, and the scheduler remembers up to `most_in_service` flows without queued
    /// jobs: give at least the number of workers.
    pub fn in_order(mut self, most_in_service: usize) -> Self {
        self.most_flows = Some(most_in_service);
        self
    }

    /// Sets the estimator of a job's cost; [`Told`], the submitter's own estimate, by default.
    pub fn estimator(mut self, estimator: impl Estimator<J> + 'static) -> Self {
        self.estimator = Box::new(estimator);
        self
    }

    /// Sets how the cost of jobs is measured; [`Measure::ThreadCpu`] by default.
    pub fn measure(mut self, measure: Measure) -> Self {
        self.measure = measure;
        self
    }

    /// Sets the clock; the system's monotonic clock by default. Timeouts do not depend on it.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Some(Box::new(clock));
        self
    }

    /// Creates the scheduler. Allocates the memory for all jobs that may wait, and allocates none later.
    ///
    /// # Errors If no job or more than 67,108,864 jobs may wait, or if no job may be in service.
    pub fn build(self) -> Result<Surge<J>, BuildError> {
        let Limits { jobs, bytes } = self.limits;
        if jobs == 0 || bytes == 0 {
            return Err(BuildError("nothing may wait; give at least 1 job and 1 byte".into()));
        }
        if jobs > MOST_JOBS {
            return Err(BuildError(format!("{jobs} jobs are too many; take {MOST_JOBS} at most")));
        }
        if self.most_flows == Some(0) {
            return Err(BuildError("no job may be in service; give in_order at least 1".into()));
        }
        let shared = Shared {
            scheduler: Scheduler::new(Line::new(self.policy, self.most_flows, self.limits)),
            estimator: self.estimator,
            clock: self.clock.unwrap_or_else(|| Box::new(MonotonicClock::start())),
            measure: self.measure,
        };
        Ok(Surge { shared: Arc::new(shared) })
    }
}
