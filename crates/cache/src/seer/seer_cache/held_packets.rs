//! Packets that have come and wait behind others before they ask for their states.

use super::SeerCache;
use crate::Lookup;
use crate::seer::fpm::Fpm;
use forebay_core::{Duration, Time};

impl SeerCache {
    /// A packet has come and is held up by others before it comes to ask for its entry. If it was announced, it is expected
    /// until it does; if `lookahead` is set, in any case. Says whether it is.
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

    /// A packet that was held up asks for its entry. `is_expected`: what [`hold`](Self::hold) has said of it.
    pub fn access_held(&mut self, now: Time, port: usize, key: u64, is_expected: bool) -> Lookup {
        self.catch_up(now);
        if is_expected {
            let queue = self.arrivals.queue_of(port);
            self.held -= usize::from(self.forget(now, queue, key).is_some());
        }
        self.look_up(now, key)
    }

    /// Packets that were announced and have not come.
    pub(super) fn announced(&self) -> usize {
        self.arrivals.len() - self.held
    }
}
