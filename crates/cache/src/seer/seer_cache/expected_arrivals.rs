//! Expected packets arrive, or are given up.

use super::SeerCache;
use crate::seer::arrivals::Expected;
use forebay_core::{Duration, Time};

impl SeerCache {
    /// A packet has arrived: it is no longer expected. Returns whether it was.
    pub(super) fn arrived(&mut self, now: Time, port: usize, key: u64) -> bool {
        let known = self.forget_surest(now, port, key);
        let was_expected = known.is_some();
        match known {
            None => self.counts.visibility.unannounced += 1,
            Some((expected, was_forecast)) => {
                let error = now.since(expected.arrival).max(expected.arrival.since(now));
                let fpms = &mut self.counts.fpms;
                fpms.used += 1;
                fpms.forecasts_used += u64::from(was_forecast);
                if error > Duration::ZERO {
                    fpms.mistimed += 1;
                    fpms.errors_ps += u128::from(error.as_ps());
                    fpms.greatest_error = fpms.greatest_error.max(error);
                }
                self.counts.visibility.count(now.since(expected.told), self.announced() + 1);
            }
        }
        self.first_changed(now, port);
        was_expected
    }

    /// Another packet may be the first of a port: it is given up in time.
    #[inline]
    pub(super) fn first_changed(&mut self, now: Time, port: usize) {
        let Some(patience) = self.patience else { return };
        let Some(first) = self.arrivals.first(port) else { return };
        let overdue = overdue(&first, patience);
        if overdue < self.overdue {
            self.overdue = overdue;
            if overdue <= now {
                self.give_up(now);
            } else {
                self.turns.wake(overdue);
            }
        }
    }

    /// Gives up the packets that are overdue at `now`, each if it is the first of its port.
    #[inline]
    pub(super) fn give_up_by(&mut self, now: Time) {
        if self.overdue <= now {
            self.give_up(now);
        }
    }

    /// As [`give_up_by`](Self::give_up_by), when there may be some.
    #[cold]
    fn give_up(&mut self, now: Time) {
        let Some(patience) = self.patience else { return };
        self.overdue = Time::MAX;
        for port in 0..self.arrivals.links() {
            while let Some(first) = self.arrivals.first(port) {
                let overdue = overdue(&first, patience);
                if overdue > now {
                    self.overdue = self.overdue.min(overdue);
                    break;
                }
                self.counts.fpms.expired += 1;
                self.forget(now, port, first.key);
            }
        }
        self.turns.wake_in_time(self.overdue);
    }

    /// The earliest packet of a port that wants `key` is no longer expected, if one was.
    #[inline]
    pub(super) fn forget(&mut self, now: Time, port: usize, key: u64) -> Option<Expected> {
        let taken = self.arrivals.take(port, key);
        self.is_forgotten(now, taken)
    }

    /// A packet is no longer expected; returns it.
    #[inline]
    pub(super) fn is_forgotten(&mut self, now: Time, taken: Option<(Expected, bool)>) -> Option<Expected> {
        let (expected, led) = taken?;
        self.set_changed(now, expected.key);
        if led {
            self.turns.wake(now);
        }
        Some(expected)
    }
}

/// When a packet is given up if it has not arrived.
fn overdue(packet: &Expected, patience: Duration) -> Time {
    packet.arrival + patience + Duration::from_ps(1)
}
