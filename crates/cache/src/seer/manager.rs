//! The manager's loop: when it can do something.
//!
//! The loop of Algorithm 1 never rests: its iterations end at the multiples of their duration, and each acts on what is
//! known by then. Most of them change nothing, and are left out: the manager has to be called only when something has
//! changed since the last iteration that could make a difference.

use forebay_core::{Duration, Time};
use rustc_hash::FxHashMap;

/// No entry could leave a set.
#[derive(Debug, Clone, Copy)]
struct Failure {
    /// For a packet with this arrival: no later packet need be tried…
    arrival: Time,
    /// …until this time, or until the set changes.
    until: Time,
}

/// When the next iteration is due, and what need not be tried again.
#[derive(Debug, Clone)]
pub(crate) struct Loop {
    iteration: Duration,
    /// Since when there is something to do, and when the iteration ends that does it.
    since: Option<Time>,
    due: Time,
    /// The end of the latest iteration.
    last: Option<Time>,
    /// Sets that no entry could leave.
    failed: FxHashMap<usize, Failure>,
}

impl Loop {
    pub(crate) fn new(iteration: Duration) -> Self {
        Self { iteration, since: None, due: Time::MAX, last: None, failed: FxHashMap::default() }
    }

    /// Something is different since `at`.
    #[inline]
    pub(crate) fn wake(&mut self, at: Time) {
        if self.since.is_none_or(|since| at < since) {
            self.since = Some(at);
            self.due = self.end_of_next(at);
        }
    }

    /// A set is different since `at`: what could not be done may be possible now.
    pub(crate) fn set_changed(&mut self, at: Time, set: usize) {
        if self.failed.remove(&set).is_some() {
            self.wake(at);
        }
    }

    /// Many arrivals are different since `at`.
    pub(crate) fn arrivals_changed(&mut self, at: Time) {
        self.failed.clear();
        self.wake(at);
    }

    /// For a packet that arrives at `arrival`, no entry could leave the set, nor can before `until`.
    pub(crate) fn failed(&mut self, set: usize, arrival: Time, until: Time) {
        self.failed.insert(set, Failure { arrival, until });
        self.wake_in_time(until);
    }

    /// Whether it is known that no entry can leave the set for a packet that arrives at `arrival`. If that is known only
    /// until some time, it is tried again then.
    pub(crate) fn in_vain(&mut self, now: Time, set: usize, arrival: Time) -> bool {
        let Some(&Failure { arrival: failed, until }) = self.failed.get(&set) else { return false };
        let in_vain = failed <= arrival && now < until;
        if in_vain {
            self.wake_in_time(until);
        }
        in_vain
    }

    /// Something will be different at `time`, if that is ever reached.
    #[inline]
    pub(crate) fn wake_in_time(&mut self, time: Time) {
        if time < Time::MAX {
            self.wake(time);
        }
    }

    /// Whether a set is known that no entry can leave. The end of a fetch may change that.
    pub(crate) fn has_failed(&self) -> bool {
        !self.failed.is_empty()
    }

    /// When the next iteration ends in which something can change; at `landing` something may.
    #[inline]
    pub(crate) fn next(&self, landing: Option<Time>) -> Option<Time> {
        let due = self.since.map(|_| self.due);
        match landing.filter(|landing| self.since.is_none_or(|since| *landing < since)) {
            Some(landing) => Some(self.end_of_next(landing)),
            None => due,
        }
    }

    /// The end of the first iteration that takes account of changes since `at`.
    fn end_of_next(&self, at: Time) -> Time {
        let after = self.last.map_or(Time::ZERO, |last| last + self.iteration);
        self.on_beat(at.max(after))
    }

    fn on_beat(&self, at: Time) -> Time {
        match self.iteration.as_ps() {
            0 => at,
            beat => Time::from_ps(at.as_ps().div_ceil(beat).saturating_mul(beat)),
        }
    }

    /// An iteration ends; returns whether it can change anything.
    pub(crate) fn begin(&mut self, now: Time) -> bool {
        let begins = self.next(None).is_some_and(|next| next <= now);
        if begins {
            self.since = None;
            self.last = Some(now);
        }
        begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_end_on_the_beat_and_each_once() {
        let at = Time::from_ps;
        let mut turns = Loop::new(Duration::from_ps(10));
        assert_eq!(turns.next(None), None);
        turns.wake(at(13));
        turns.wake(at(15));
        assert_eq!(turns.next(None), Some(at(20)));
        assert!(!turns.begin(at(19)));
        assert!(turns.begin(at(20)));
        assert_eq!(turns.next(None), None);
        turns.wake(at(20));
        assert_eq!(turns.next(None), Some(at(30)));
        assert!(turns.begin(at(30)));
        turns.failed(3, at(100), Time::MAX);
        let mut in_vain = |set, arrival| turns.in_vain(at(30), set, at(arrival));
        assert!(in_vain(3, 100) && !in_vain(3, 99) && !in_vain(4, 100));
        assert_eq!(turns.next(Some(at(31))), Some(at(40)));
        turns.set_changed(at(42), 4);
        assert_eq!(turns.next(None), None);
        turns.set_changed(at(42), 3);
        assert_eq!(turns.next(None), Some(at(50)));
    }

    #[test]
    fn what_is_in_vain_until_some_time_is_tried_again_then() {
        let at = Time::from_ps;
        let mut turns = Loop::new(Duration::from_ps(10));
        turns.failed(3, at(100), at(57));
        turns.wake(at(20));
        assert!(turns.begin(at(20)) && turns.next(None).is_none());
        assert!(turns.in_vain(at(20), 3, at(110)));
        assert_eq!(turns.next(None), Some(at(60)));
        assert!(!turns.in_vain(at(57), 3, at(110)));
    }
}
