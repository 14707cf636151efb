//! A job that a worker has pulled, and the ticket that ends it.

use crate::error::Refused;
use crate::estimate::MeasuredJob;
use crate::line::{Facts, Waiting};
use crate::measure::Stamp;
use crate::scheduler::{End, Turn};
use crate::surge::Shared;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// A job that a worker has pulled.
///
/// Destructure it (`let Task { job, ticket } = task;`), do the job, then call [`ticket.finish()`](Ticket::finish). If the ticket is dropped
/// instead, also by a panic, the job counts as done with its cost up to then.
pub struct Task<J> {
    /// The job.
    pub job: J,
    /// The ticket that ends the job.
    pub ticket: Ticket<J>,
}

/// The right to end a job in service.
#[must_use = "dropped, it ends the job"]
pub struct Ticket<J> {
    shared: Arc<Shared<J>>,
    facts: Facts,
    pulled: Stamp,
    ended: bool,
}

impl<J> Task<J> {
    pub(crate) fn begin(shared: &Arc<Shared<J>>, waiting: Waiting<J>) -> Self {
        let pulled = Stamp::take(&*shared.clock, shared.measure);
        let ticket = Ticket { shared: Arc::clone(shared), facts: waiting.facts, pulled, ended: false };
        Self { job: waiting.job, ticket }
    }
}

impl<J> Ticket<J> {
    /// Returns the job's flow.
    #[must_use]
    pub fn flow(&self) -> u64 {
        self.facts.flow
    }

    /// Returns the job's size in bytes, at least 1.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.facts.size_bytes
    }

    /// Returns the work by which the job was ranked.
    #[must_use]
    pub fn estimate(&self) -> Duration {
        self.facts.work
    }

    /// Returns the job's cost before this turn; zero unless the job was given back.
    #[must_use]
    pub fn spent_before(&self) -> Duration {
        self.facts.spent
    }

    /// Returns the cost of this turn, as measured until now: a worker compares it with its budget.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.pulled.spent(&*self.shared.clock)
    }

    /// Ends the job as done, with the measured cost of this turn.
    pub fn finish(mut self) {
        self.end(End::Done, None, &[]);
    }

    /// Ends the job as done; this turn has cost `spent`.
    pub fn finish_with(mut self, spent: Duration) {
        self.end(End::Done, Some(spent), &[]);
    }

    /// Ends the job as done, with the measured cost of this turn, and reports `parts`, the costs of single features. For estimators that
    /// learn by feature.
    pub fn finish_parts(mut self, parts: &[(u32, Duration)]) {
        self.end(End::Done, None, parts);
    }

    /// Ends the job before it was begun, since its result is no longer wanted. Estimators do not learn from it.
    pub fn cancel(self) {
        self.give_up(Duration::ZERO);
    }

    /// Gives up the job after this turn has cost `spent`: its result is no longer wanted or, if the thread panics, it failed. The job would
    /// have needed more time.
    pub fn give_up(mut self, spent: Duration) {
        self.end(if std::thread::panicking() { End::Panicked } else { End::Cancelled }, Some(spent), &[]);
    }

    /// Gives the job back unfinished, after the measured time; see [`requeue_with`](Self::requeue_with).
    ///
    /// # Errors If there is no room and the job is the worst.
    pub fn requeue(self, job: J) -> Result<Vec<J>, Refused<J>> {
        let spent = self.spent();
        self.requeue_with(job, spent)
    }

    /// Gives the job back unfinished, after this turn has cost `spent`. Returns the jobs that were dropped for it.
    ///
    /// The job is ranked again by the larger of its estimate and twice its cost so far. So an estimate that is too low gains a job one
    /// turn; after that, the job is ranked by more than its cost. Its rank at least doubles with its cost, so the job returns only a few
    /// times before all better jobs precede it (thesis 3.7, on preemption). A job can also return to a scheduler that was closed.
    ///
    /// # Errors If there is no room and the job is the worst.
    pub fn requeue_with(mut self, job: J, spent: Duration) -> Result<Vec<J>, Refused<J>> {
        let all = self.facts.spent.saturating_add(spent);
        // If this panics, the ticket is dropped and ends the job.
        self.shared.learn(&self.facts, all, &[], false);
        self.ended = true;
        let mut facts = Facts { spent: all, ..std::mem::take(&mut self.facts) };
        facts.work = facts.work.max(facts.spent.saturating_mul(2));
        crate::surge::given(self.shared.scheduler.requeue(Waiting { job, facts }, spent))
    }

    /// Begins to measure a part of the turn.
    #[cfg(feature = "tower")]
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp::take(&*self.shared.clock, self.shared.measure)
    }

    /// Returns the cost of a part of the turn.
    #[cfg(feature = "tower")]
    pub(crate) fn since(&self, stamp: &Stamp) -> Duration {
        stamp.spent(&*self.shared.clock)
    }

    /// Ends the job, after `spent` if given, otherwise after the measured time.
    fn end(&mut self, end: End, spent: Option<Duration>, parts: &[(u32, Duration)]) {
        self.ended = true;
        let now = self.shared.clock.now();
        let spent = spent.unwrap_or_else(|| self.pulled.spent_until(now));
        let since = self.facts.since;
        let waited = self.pulled.wall().saturating_sub(since);
        let turn = Turn { end, spent, waited, latency: now.saturating_sub(since) };
        // The next job of the flow need not wait for the estimator.
        self.shared.scheduler.finish(&self.facts, &turn);
        if end != End::Cancelled || !spent.is_zero() {
            let work = self.facts.spent.saturating_add(spent);
            let learn = || self.shared.learn(&self.facts, work, parts, end == End::Done);
            if std::thread::panicking() {
                // One panic is being handled already, and a second would end the program.
                let _second = catch_unwind(AssertUnwindSafe(learn));
            } else {
                learn();
            }
        }
    }
}

impl<J> Drop for Ticket<J> {
    fn drop(&mut self) {
        if !self.ended {
            let end = if std::thread::panicking() { End::Panicked } else { End::Done };
            self.end(end, None, &[]);
        }
    }
}

impl<J: fmt::Debug> fmt::Debug for Task<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("job", &self.job).field("ticket", &self.ticket).finish()
    }
}

impl<J> fmt::Debug for Ticket<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("facts", &self.facts).finish_non_exhaustive()
    }
}

impl<J> Shared<J> {
    fn learn(&self, facts: &Facts, work: Duration, parts: &[(u32, Duration)], complete: bool) {
        let Facts { features, size_bytes, .. } = facts;
        self.estimator.learn(&MeasuredJob { features, size_bytes: *size_bytes, work, parts, complete });
    }
}
