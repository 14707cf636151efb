//! What time it is, and what a thread has cost: the only library of forebay that asks the system.
//!
//! In a simulation time is an argument. What is embedded in somebody's program has no caller that tells
//! it the time, and asks a [`Clock`]; a test gives it one that it moves by hand. Only crates that
//! `xtask tidy` allows to use this one can read a clock, so no simulation does.
//!
//! `wasm32-unknown-unknown` has no system to ask. There, [`MonotonicClock::start`] panics, and a program gives its own [`Clock`],
//! such as one that reads the browser's `performance.now()`. The CPU time of a thread is not counted there.

mod deadline;
mod manual;
mod monotonic;
#[cfg(feature = "thread-cpu")]
mod thread_cpu;

pub use deadline::Deadline;
pub use manual::ManualClock;
pub use monotonic::MonotonicClock;
#[cfg(all(feature = "thread-cpu", any(unix, windows)))]
pub use thread_cpu::thread_cpu;
#[cfg(feature = "thread-cpu")]
pub use thread_cpu::thread_cpu_if_counted;

use std::time::Duration;

/// Says what time it is.
pub trait Clock: Send + Sync + 'static {
    /// The time since some fixed moment. Should not go back; if it does, time is taken to stand
    /// still meanwhile.
    fn now(&self) -> Duration;

    /// The same in nanoseconds.
    fn nanoseconds(&self) -> u64 {
        nanoseconds(self.now())
    }
}

/// A duration in nanoseconds; more than 584 years count as that.
#[must_use]
pub fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
