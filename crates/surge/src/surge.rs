//! The scheduler's interface.

use crate::builder::Builder;
use crate::error::{PullError, Refused};
use crate::estimate::Estimator;
use crate::line::{Admission, Facts, Waiting};
use crate::measure::Measure;
use crate::metrics::Metrics;
use crate::scheduler::Scheduler;
use crate::task::Task;
use forebay_clock::{Clock, Deadline};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A scheduler for jobs whose cost varies; `docs/surge-library.md` has the rules.
///
/// Cheap to clone; clones are the same scheduler. Any thread may submit and pull.
pub struct Surge<J> {
    pub(crate) shared: Arc<Shared<J>>,
}

/// The state that the handles and the tickets share.
pub(crate) struct Shared<J> {
    pub(crate) scheduler: Scheduler<J>,
    pub(crate) estimator: Box<dyn Estimator<J>>,
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) measure: Measure,
}

impl<J> Surge<J> {
    /// Creates a builder for a scheduler in which up to `jobs` jobs may wait.
    pub fn builder(jobs: usize) -> Builder<J> {
        Builder::new(jobs)
    }
}

impl<J> Surge<J> {
    /// Submits a job with its flow, its size in bytes (0 counts as 1) and the caller's estimate of its cost. The flow is any number, and is
    /// only used if jobs of a flow are kept in order. Never blocks for long.
    ///
    /// If there is no room, the worst jobs are dropped and returned; the arriving job counts as one of them. Other callers may have
    /// submitted these jobs. Usually there are none or one.
    ///
    /// # Errors If the arriving job is itself the worst, or has more bytes than may wait, or if the scheduler is closed. The error returns
    /// the job.
    pub fn submit(&self, job: J, flow: u64, size_bytes: u64, estimate: Duration) -> Result<Vec<J>, Refused<J>> {
        let size_bytes = size_bytes.max(1);
        let estimated = self.shared.estimator.estimate(&job, size_bytes, estimate);
        let facts = Facts {
            flow,
            size_bytes,
            work: estimated.work,
            features: estimated.features,
            spent: Duration::ZERO,
            since: self.shared.clock.now(),
        };
        given(self.shared.scheduler.submit(Waiting { job, facts }))
    }

    /// Removes and returns the best job; sleeps until there is one. Returns `None` if the scheduler is closed and no job waits.
    #[must_use]
    pub fn pull(&self) -> Option<Task<J>> {
        self.shared.scheduler.take().map(|waiting| Task::begin(&self.shared, waiting))
    }

    /// Removes and returns the best job; sleeps until there is one, but at most for `time`.
    ///
    /// # Errors If no job may start within this time, or if the scheduler is closed and no job waits.
    pub fn pull_timeout(&self, time: Duration) -> Result<Task<J>, PullError> {
        let end = Deadline::after(time);
        self.shared.scheduler.take_within(|| end.left()).map(|waiting| Task::begin(&self.shared, waiting))
    }

    /// Removes and returns the best job, if one may start now.
    ///
    /// # Errors If no job may start now, or if the scheduler is closed and no job waits.
    pub fn try_pull(&self) -> Result<Task<J>, PullError> {
        self.try_pull_below(usize::MAX)
    }

    /// Removes and returns the best job, if one may start now and fewer than `most` are in service: a limit of concurrency for programs
    /// without worker threads.
    ///
    /// # Errors If no job may start now, or if the scheduler is closed and no job waits.
    pub fn try_pull_below(&self, most: usize) -> Result<Task<J>, PullError> {
        self.shared.scheduler.try_take(most).map(|waiting| Task::begin(&self.shared, waiting))
    }

    /// Admits no more jobs. Waiting jobs can still be pulled; after the last, workers get `None`.
    pub fn close(&self) {
        self.shared.scheduler.close();
    }

    /// Returns whether the scheduler was closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shared.scheduler.is_closed()
    }

    /// Removes and returns all waiting jobs, in no guaranteed order.
    #[must_use = "the jobs are in it"]
    pub fn drain(&self) -> Vec<J> {
        self.shared.scheduler.drain().into_iter().map(|waiting| waiting.job).collect()
    }

    /// Sleeps until no job waits and none is in service.
    pub fn wait_idle(&self) {
        self.shared.scheduler.wait_idle();
    }

    /// Returns the number of waiting jobs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shared.scheduler.len()
    }

    /// Returns whether no job waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the counts, all at one moment.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.shared.scheduler.metrics()
    }
}

/// Returns the jobs without the scheduler's data about them.
pub(crate) fn given<J>(admission: Admission<J>) -> Result<Vec<J>, Refused<J>> {
    match admission {
        Ok(victims) => Ok(victims.into_iter().map(|victim| victim.job).collect()),
        Err((waiting, reason)) => Err(Refused { job: waiting.job, reason }),
    }
}

impl<J> Clone for Surge<J> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<J> fmt::Debug for Surge<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surge").field("queued", &self.len()).finish_non_exhaustive()
    }
}
