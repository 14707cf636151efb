//! Packets that have come and wait behind others before they ask for their states.

use super::SeerCache;
use crate::Lookup;
use crate::seer::fpm::Fpm;
use forebay_core::{Duration, Time};

impl SeerCache {
    /// A packet has come that may be expected on a port, and is held up by others before it comes to ask for its entry. It is
    /// expected until it does.
    pub fn hold(&mut self, now: Time, port: usize, key: u64) {
        self.catch_up(now);
        self.arrived(now, port, key);
        let queue = self.arrivals.queue_of(port);
        let change = self.arrivals.tell(now, now, queue, &Fpm { id: key, size_bytes: 0, delay: Duration::ZERO });
        self.held += usize::from(change.entered);
        self.may_be_offered(now, change);
    }

    /// A packet that was held up asks for its entry.
    pub fn access_held(&mut self, now: Time, port: usize, key: u64) -> Lookup {
        self.catch_up(now);
        let queue = self.arrivals.queue_of(port);
        self.held -= usize::from(self.forget(now, queue, key).is_some());
        self.look_up(now, key)
    }

    /// Packets that were announced and have not come.
    pub(super) fn announced(&self) -> usize {
        self.arrivals.len() - self.held
    }
}
