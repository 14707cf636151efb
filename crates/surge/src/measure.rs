//! Measures the cost of a job.

use forebay_clock::{Clock, thread_cpu_if_counted};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The ways to measure the cost of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// The CPU time of the thread that pulled the job. For a job that another thread finishes, the clock's time counts instead. Costs two
    /// system calls for each job. On systems that count no CPU time of threads (WebAssembly), this equals `Wall`.
    #[default]
    ThreadCpu,
    /// The clock's time between pull and finish, waiting included.
    Wall,
}

/// The moment at which work began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stamp {
    wall: Duration,
    cpu: Option<(ThreadId, Duration)>,
}

impl Stamp {
    /// Returns a stamp of the current time.
    pub(crate) fn take(clock: &dyn Clock, measure: Measure) -> Self {
        let cpu = match measure {
            Measure::ThreadCpu => thread_cpu_if_counted().map(|cpu| (thread::current().id(), cpu)),
            Measure::Wall => None,
        };
        Self { wall: clock.now(), cpu }
    }

    /// Returns the clock's time at which the stamp was made.
    pub(crate) fn wall(&self) -> Duration {
        self.wall
    }

    /// Returns the time spent since the stamp was made.
    pub(crate) fn spent(&self, clock: &dyn Clock) -> Duration {
        self.cpu_spent().unwrap_or_else(|| clock.now().saturating_sub(self.wall))
    }

    /// Returns the time spent since the stamp was made, given that the clock's time is `now`.
    pub(crate) fn spent_until(&self, now: Duration) -> Duration {
        self.cpu_spent().unwrap_or_else(|| now.saturating_sub(self.wall))
    }

    fn cpu_spent(&self) -> Option<Duration> {
        let (_, then) = self.cpu.filter(|&(thread, _)| thread == thread::current().id())?;
        Some(thread_cpu_if_counted()?.saturating_sub(then))
    }
}
