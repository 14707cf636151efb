//! The clock of the system that is never set back.

use crate::Clock;
use std::time::{Duration, Instant};

/// The system's monotonic clock.
#[derive(Debug, Clone, Copy)]
pub struct MonotonicClock {
    start: Instant,
}

impl MonotonicClock {
    /// A clock that starts at zero.
    ///
    /// # Panics
    /// On `wasm32-unknown-unknown`, which has no clock. Give a [`Clock`] of your own there.
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
