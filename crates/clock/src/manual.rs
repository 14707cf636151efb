//! A clock for tests and simulations.

use crate::{Clock, nanoseconds};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that stands still until it is moved. Clones show the same time.
#[derive(Clone, Default)]
pub struct ManualClock {
    nanoseconds: Arc<AtomicU64>,
}

impl ManualClock {
    /// Moves it on.
    pub fn advance(&self, by: Duration) {
        self.nanoseconds.fetch_add(nanoseconds(by), Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds())
    }

    fn nanoseconds(&self) -> u64 {
        self.nanoseconds.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ManualClock({:?})", self.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_show_the_same_time() {
        let clock = ManualClock::default();
        let other = clock.clone();
        assert_eq!(other.now(), Duration::ZERO);
        clock.advance(Duration::from_micros(3));
        clock.advance(Duration::from_nanos(4));
        assert_eq!((other.now(), other.nanoseconds()), (Duration::from_nanos(3_004), 3_004));
        assert_eq!(format!("{other:?}"), "ManualClock(3.004µs)");
    }
}
