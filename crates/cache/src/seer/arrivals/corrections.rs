//! Corrections of earlier notifications, by ports that sort packets and may push them out.

use super::{ALL, Arrivals, Expected, NONE, SAME, number, signed};
use crate::seer::fpm::Fpm;
use forebay_core::{Duration, Time};

impl Arrivals {
    /// A packet that is not expected arrives: packets that were to begin at the same time or later arrive later by its
    /// length. Gives whether there are any.
    pub(crate) fn overtaken(&mut self, now: Time, port: usize, fpm: &Fpm) -> bool {
        let Self { ports, nodes, .. } = self;
        let of = &mut ports[port];
        let own = signed(of.transmission.of(fpm.size_bytes).as_ps());
        let arrival = signed((now + fpm.delay).as_ps()).saturating_sub(of.later);
        let start = arrival.saturating_sub(own);
        let mut place = of.ends.last;
        while place != NONE && nodes[place as usize].start >= start {
            let node = &mut nodes[place as usize];
            node.start = node.start.saturating_add(own);
            node.arrival = node.arrival.saturating_add(own);
            place = node.links[ALL].before;
        }
        place != of.ends.last
    }

    /// How long a packet takes of a port.
    pub(crate) fn lasts(&mut self, port: usize, size_bytes: u32) -> Duration {
        self.ports[port].transmission.of(size_bytes)
    }

    /// The latest packet of a port that wants `key` is no longer expected. Also returns whether it was the next of its port to be
    /// fetched.
    pub(crate) fn take_last(&mut self, port: usize, key: u64) -> Option<(Expected, bool)> {
        let ends = self.keys.of(key).find(|chain| chain.port == number(port))?.ends;
        if ends.first == ends.last {
            return self.take(port, key);
        }
        let before = self.nodes[ends.last as usize].links[SAME].before;
        if let Some(chain) = self.keys.chain(key, number(port)) {
            chain.ends.last = before;
        }
        Some(self.remove(ends.last))
    }
}
