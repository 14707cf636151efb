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

/// Most jobs that may wait.
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

    /// How many bytes may wait, as well as how many jobs. No limit if not given.
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.limits.bytes = bytes;
        self
    }

    /// In which order jobs leave; [`Policy::Wsjf`] if not given.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Keeps the jobs of a flow in order: the next one starts only after the one before has finished. Flows are ranked
    /// by all that they have queued: sum of work over sum of bytes, or mean work, or the arrival of the first (thesis
    /// 3.5.3). If there is no room, the last job of the worst flow is dropped.
    ///
    /// At most `most_in_service` jobs are in service at a time, and the scheduler remembers as many flows without
    /// queued jobs: give at least the number of workers.
    pub fn in_order(mut self, most_in_service: usize) -> Self {
        self.most_flows = Some(most_in_service);
        self
    }

    /// The estimator of a job's cost; [`Told`], the submitter's own estimate, by default.
    pub fn estimator(mut self, estimator: impl Estimator<J> + 'static) -> Self {
        self.estimator = Box::new(estimator);
        self
    }

    /// How the cost of jobs is measured; [`Measure::ThreadCpu`] if not given.
    pub fn measure(mut self, measure: Measure) -> Self {
        self.measure = measure;
        self
    }

    /// The clock; the system's monotonic clock if not given. Timeouts do not depend on it.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Some(Box::new(clock));
        self
    }

    /// The scheduler. Takes the memory for all jobs that may wait, here and never later.
    ///
    /// # Errors
    /// If nothing may wait, or more than 67,108,864 jobs, or if none may be in service.
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
