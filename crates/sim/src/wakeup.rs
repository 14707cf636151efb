//! The time at which an element that let no packet leave is asked again.

use forebay_core::{Duration, Time};

/// The wake-up that an element requested at a link. A request for an earlier time replaces a later one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wakeup(Option<Time>);

impl Wakeup {
    /// Records the element's request at `now` to be asked again at `wanted`. Returns the time of the event to schedule, if one is needed.
    #[inline]
    pub fn set(&mut self, now: Time, wanted: Time) -> Option<Time> {
        // An element that asks for the present would stop the clock.
        let time = wanted.max(now + Duration::from_ps(1));
        if self.0.is_some_and(|earlier| time >= earlier) {
            return None;
        }
        self.0 = Some(time);
        self.0
    }

    /// Handles the event of a wake-up. Returns whether the wake-up is still due, and not replaced by an earlier one.
    #[inline]
    pub fn fires(&mut self, now: Time) -> bool {
        let is_due = self.0 == Some(now);
        if is_due {
            self.0 = None;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_wake_up_fires_once() {
        let time = Time::from_ps;
        let mut wakeup = Wakeup::default();
        assert_eq!(wakeup.set(time(10), time(50)), Some(time(50)));
        assert_eq!(wakeup.set(time(11), time(60)), None, "it is asked before that");
        assert_eq!(wakeup.set(time(12), time(30)), Some(time(30)));
        assert_eq!([30, 50].map(|now| wakeup.fires(time(now))), [true, false]);
        assert_eq!(wakeup.set(time(70), time(70)), Some(time(71)), "time goes on");
    }
}
