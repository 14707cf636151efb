//! The time, and the CPU time of a thread. This is the only library of forebay that asks the system for them.
//!
//! In a simulation, time is an argument. A library that is embedded in a program gets no time from its caller, and
//! reads a [`Clock`]. A test gives it a clock that the test moves by hand. Only crates that `xtask tidy` allows to use
//! this one can read a clock, so no simulation does.
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

/// A source of the time.
pub trait Clock: Send + Sync + 'static {
    /// The time since some fixed moment. It should not go back; if it does, callers take time to stand still meanwhile.
    fn now(&self) -> Duration;

    /// The time in nanoseconds.
    fn nanoseconds(&self) -> u64 {
        nanoseconds(self.now())
    }
}

/// A duration in nanoseconds, at most 584 years.
#[must_use]
pub fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
