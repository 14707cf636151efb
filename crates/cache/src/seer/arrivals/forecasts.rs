//! Packets that are expected by forecasts: notifications of packets that have not yet arrived at the notifying node.
//!
//! A forecast gives an approximate time. So it pushes no other packet back. Control packets and firm notifications push
//! it back as they do others.

use super::{Arrivals, Change, Expected, Link, NONE, SAME, number};
use crate::seer::fpm::Fpm;
use forebay_core::Time;

impl Arrivals {
    /// A forecast has arrived.
    pub(crate) fn forecast(&mut self, now: Time, port: usize, fpm: &Fpm) -> Change {
        let change = self.expect::<false>(now, now, port, fpm);
        self.forecasts += usize::from(change.entered);
        change
    }

    /// Whether some packets are expected by forecasts.
    pub(crate) fn has_forecasts(&self) -> bool {
        self.forecasts > 0
    }

    /// The earliest packet of a port that wants `key`, among those that are `firm` or among forecasts, is no longer
    /// expected. Also returns whether it was the next of its port to be fetched.
    pub(crate) fn take_of(&mut self, port: usize, key: u64, firm: bool) -> Option<(Expected, bool)> {
        let first = self.keys.of(key).find(|chain| chain.port == number(port))?.ends.first;
        let mut place = first;
        while self.nodes[place as usize].firm != firm {
            place = self.nodes[place as usize].links[SAME].after;
            if place == NONE {
                return None;
            }
        }
        if place == first {
            return self.take(port, key);
        }
        let Link { before, after } = self.nodes[place as usize].links[SAME];
        if after == NONE
            && let Some(chain) = self.keys.chain(key, number(port))
        {
            chain.ends.last = before;
        }
        Some(self.remove(place))
    }
}
