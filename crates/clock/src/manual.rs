//! A clock for tests and simulations.

use crate::{Clock, nanoseconds};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that stands still until a test moves it. Clones show the same time.
#[derive(Clone, Default)]
pub struct ManualClock {
    nanoseconds: Arc<AtomicU64>,
}

impl ManualClock {
    /// Moves it on, up to what 64 bits of nanoseconds hold.
    pub fn advance(&self, by: Duration) {
        let later = |now: u64| Some(now.saturating_add(nanoseconds(by)));
        // An update whose function always returns a value never fails.
        let _ = self.nanoseconds.fetch_update(Ordering::Relaxed, Ordering::Relaxed, later);
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
