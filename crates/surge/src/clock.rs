//! What time it is, and what a thread has cost: the only file that asks the system.

use cpu_time::ThreadTime;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Says what time it is.
pub trait Clock: Send + Sync + 'static {
    /// The time since some fixed moment. Should not go back; if it does, what is measured
    /// meanwhile counts as zero.
    fn now(&self) -> Duration;
}

/// The system's monotonic clock.
#[derive(Debug, Clone, Copy)]
pub struct MonotonicClock {
    start: Instant,
}

impl MonotonicClock {
    /// A clock that starts at zero.
    #[must_use]
    pub fn start() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for MonotonicClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

/// A clock that stands still until it is moved. Clones show the same time.
#[derive(Clone, Default)]
pub struct ManualClock {
    nanoseconds: Arc<AtomicU64>,
}

impl ManualClock {
    /// Moves it on.
    pub fn advance(&self, by: Duration) {
        self.nanoseconds.fetch_add(u64::try_from(by.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ManualClock({:?})", self.now())
    }
}

/// How the cost of a job is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// The CPU time of the thread that pulled the job. Who finishes it on another thread
    /// is taken at the clock's time instead. Costs two system calls for each job.
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
        let cpu = (measure == Measure::ThreadCpu).then(|| (thread::current().id(), ThreadTime::now().as_duration()));
        Self { wall: clock.now(), cpu }
    }

    /// The clock's time then.
    pub(crate) fn wall(&self) -> Duration {
        self.wall
    }

    /// What was spent since.
    pub(crate) fn spent(&self, clock: &dyn Clock) -> Duration {
        self.cpu_spent().unwrap_or_else(|| clock.now().saturating_sub(self.wall))
    }

    /// The same, if it is `now` by the clock.
    pub(crate) fn spent_until(&self, now: Duration) -> Duration {
        self.cpu_spent().unwrap_or_else(|| now.saturating_sub(self.wall))
    }

    fn cpu_spent(&self) -> Option<Duration> {
        let (_, then) = self.cpu.filter(|&(thread, _)| thread == thread::current().id())?;
        Some(ThreadTime::now().as_duration().saturating_sub(then))
    }
}

/// The end of a wait. Always by the system's clock, since that is what a thread sleeps by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// So far from now; for ever, if the clock does not go so far.
    pub(crate) fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// How long it is until then; `None` if it has passed.
    pub(crate) fn left(self) -> Option<Duration> {
        let Some(end) = self.0 else { return Some(Duration::MAX) };
        end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }
}
