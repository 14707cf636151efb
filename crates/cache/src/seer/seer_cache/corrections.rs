//! A cache whose neighbours correct their notifications.

use super::SeerCache;
use crate::seer::fpm::{Fpm, Says};
use forebay_core::Time;

impl SeerCache {
    /// A correction has arrived.
    #[cold]
    pub(super) fn is_corrected(&mut self, now: Time, port: usize, fpm: &Fpm) {
        self.counts.fpms.received += 1;
        self.counts.fpms.corrections += 1;
        let is_pushed = match fpm.says {
            Says::Overtakes => self.arrivals.overtaken(now, port, fpm),
            Says::Later => {
                let lasts = self.arrivals.lasts(port, fpm.size_bytes);
                self.arrivals.push_back(port, lasts)
            }
            Says::Cancelled => {
                let taken = self.arrivals.take_last(port, fpm.id);
                let was_expected = self.is_forgotten(now, taken).is_some();
                self.counts.fpms.cancelled += u64::from(was_expected);
                false
            }
            Says::Comes => false,
        };
        if is_pushed {
            self.turns.arrivals_changed(now);
        }
    }
}
