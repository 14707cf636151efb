//! The deadline of a waiting thread.

use std::time::{Duration, Instant};

/// The end of a wait, always by the system's clock, by which threads sleep.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// A deadline this long from now; for ever, if the clock does not reach so far.
    #[must_use]
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// The time until the deadline; `None` if it has passed.
    #[must_use]
    pub fn left(self) -> Option<Duration> {
        let Some(end) = self.0 else { return Some(Duration::MAX) };
        end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_unless_it_is_out_of_reach() {
        assert_eq!(Deadline::after(Duration::ZERO).left(), None);
        assert_eq!(Deadline::after(Duration::MAX).left(), Some(Duration::MAX));
        let hour = Duration::from_secs(3_600);
        assert!(Deadline::after(hour).left().is_some_and(|left| left <= hour));
    }
}
