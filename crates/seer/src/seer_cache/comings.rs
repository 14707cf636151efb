//! What was expected comes, or is given up.

use super::SeerCache;
use crate::arrivals::Expected;
use forebay_core::{Duration, Time};

impl SeerCache {
    /// A packet has come: it is expected no longer.
    pub(super) fn arrived(&mut self, now: Time, port: usize, key: u64) {
        let has_forecasts = self.arrivals.has_forecasts();
        let expected = if has_forecasts { self.forget_surest(now, port, key) } else { self.forget(now, port, key) };
        match expected {
            None => self.counts.visibility.unannounced += 1,
            Some(expected) => {
                let error = now.since(expected.arrival).max(expected.arrival.since(now));
                let fpms = &mut self.counts.fpms;
                fpms.used += 1;
                if error > Duration::ZERO {
                    fpms.mistimed += 1;
                    fpms.errors_ps += u128::from(error.as_ps());
                    fpms.greatest_error = fpms.greatest_error.max(error);
                }
                self.counts.visibility.count(now.since(expected.told), self.announced() + 1);
            }
        }
        self.lose_patience(now, port);
    }

    /// Gives up packets that are overdue.
    #[inline]
    pub(super) fn lose_patience(&mut self, now: Time, port: usize) {
        let Some(patience) = self.patience else { return };
        while let Some(first) = self.arrivals.first(port)
            && first.arrival + patience < now
        {
            self.counts.fpms.expired += 1;
            self.forget(now, port, first.key);
        }
    }

    /// The earliest packet of a port that wants `key` is expected no longer, if one was.
    #[inline]
    pub(super) fn forget(&mut self, now: Time, port: usize, key: u64) -> Option<Expected> {
        let taken = self.arrivals.take(port, key);
        self.is_forgotten(now, taken)
    }

    /// A packet is expected no longer; says which.
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
