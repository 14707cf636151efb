//! Packets that have arrived and wait behind others before they look up their states.

use super::SeerCache;
use crate::Lookup;
use crate::seer::fpm::Fpm;
use forebay_core::{Duration, Time};

impl SeerCache {
    /// A packet has arrived and is held up by others before it looks up its entry. If it was announced, it is expected
    /// until then; if `lookahead` is set, in any case. Returns whether it is expected.
    pub fn hold(&mut self, now: Time, port: usize, key: u64, lookahead: bool) -> bool {
        self.catch_up(now);
        let was_announced = self.arrived(now, port, key);
        if !was_announced && !lookahead {
            return false;
        }
        let queue = self.arrivals.queue_of(port);
        let change = self.arrivals.tell(now, now, queue, &Fpm::of(key, 0, Duration::ZERO));
        self.held += usize::from(change.entered);
        self.may_be_offered(now, change);
        change.entered
    }

    /// A packet that was held up looks up its entry. `is_expected`: the result of [`hold`](Self::hold) for it.
    pub fn access_held(&mut self, now: Time, port: usize, key: u64, is_expected: bool) -> Lookup {
        self.catch_up(now);
        if is_expected {
            let queue = self.arrivals.queue_of(port);
            self.held -= usize::from(self.forget(now, queue, key).is_some());
        }
        self.look_up(now, key)
    }

    /// Packets that were announced and have not arrived.
    pub(super) fn announced(&self) -> usize {
        self.arrivals.len() - self.held
    }
}
