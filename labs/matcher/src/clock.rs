//! The source of the cost of a piece of work.

use forebay_core::Duration;

/// Says how much work the calling thread has done so far: its CPU time in a measurement,
/// anything that grows in a test. Below the command line nothing reads a clock of the system.
pub trait WorkClock {
    /// The work done so far. Never less than before.
    fn work(&mut self) -> Duration;
}

impl<F: FnMut() -> Duration> WorkClock for F {
    fn work(&mut self) -> Duration {
        self()
    }
}

/// Work that costs nothing, for callers who want verdicts only.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unmeasured;

impl WorkClock for Unmeasured {
    fn work(&mut self) -> Duration {
        Duration::ZERO
    }
}
