//! What time it is: the system's monotonic clock, or one that a test moves.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Says what time it is.
pub trait Clock: Send + Sync + 'static {
    /// The nanoseconds since some fixed moment. Should not go back; if it does, the
    /// cache takes the time to stand still.
    fn nanoseconds(&self) -> u64;
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
    fn nanoseconds(&self) -> u64 {
        nanoseconds(self.start.elapsed())
    }
}

/// A clock that stands still until it is moved. Clones show the same time.
#[derive(Clone, Default)]
pub struct ManualClock {
    now: Arc<AtomicU64>,
}

impl ManualClock {
    /// Moves it on.
    pub fn advance(&self, by: Duration) {
        self.now.fetch_add(nanoseconds(by), Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn nanoseconds(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ManualClock({} ns)", self.nanoseconds())
    }
}

/// A duration in nanoseconds; more than 584 years count as that.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
