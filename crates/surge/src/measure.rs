//! How the cost of a job is measured, and since when.

use forebay_clock::{Clock, thread_cpu_if_counted};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// How the cost of a job is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// The CPU time of the thread that pulled the job. For a job that another thread finishes, the clock's time counts
    /// instead. Costs two system calls for each job. Where the system counts no CPU time of threads (WebAssembly), the
    /// same as `Wall`.
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
    /// Now.
    pub(crate) fn take(clock: &dyn Clock, measure: Measure) -> Self {
        let cpu = match measure {
            Measure::ThreadCpu => thread_cpu_if_counted().map(|cpu| (thread::current().id(), cpu)),
            Measure::Wall => None,
        };
        Self { wall: clock.now(), cpu }
    }

    /// The clock's time then.
    pub(crate) fn wall(&self) -> Duration {
        self.wall
    }

    /// The time spent since.
    pub(crate) fn spent(&self, clock: &dyn Clock) -> Duration {
        self.cpu_spent().unwrap_or_else(|| clock.now().saturating_sub(self.wall))
    }

    /// The same, if it is `now` by the clock.
    pub(crate) fn spent_until(&self, now: Duration) -> Duration {
        self.cpu_spent().unwrap_or_else(|| now.saturating_sub(self.wall))
    }

    fn cpu_spent(&self) -> Option<Duration> {
        let (_, then) = self.cpu.filter(|&(thread, _)| thread == thread::current().id())?;
        Some(thread_cpu_if_counted()?.saturating_sub(then))
    }
}
