//! Packets that are expected by forecasts: notifications of what has not come yet to the node that tells.
//!
//! A forecast says roughly when. So it pushes nobody back; control packets and what is known for sure push it back as they do
//! others.

use super::{Arrivals, Expected, Link, NONE, SAME, Told, number, unlink};
use crate::fpm::Fpm;
use forebay_core::Time;

impl Arrivals {
    /// A forecast has come.
    pub(crate) fn forecast(&mut self, now: Time, port: usize, fpm: &Fpm) -> Told {
        let told = self.expect::<false>(now, now, port, fpm);
        self.forecasts += usize::from(told.entered);
        told
    }

    /// Whether some packets are expected by forecasts.
    pub(crate) fn has_forecasts(&self) -> bool {
        self.forecasts > 0
    }

    /// The earliest packet of a port that wants `key` among those that are `firm`, or are forecast, is expected no longer.
    /// Says also whether it was the next of its port to be fetched.
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
        let expected = self.expected(place);
        let led = self.lead_on(place);
        let Self { ports, nodes, keys, free, forecasts, .. } = self;
        *forecasts -= usize::from(!firm);
        unlink(nodes, &mut ports[port].ends, place);
        let Link { before, after } = nodes[place as usize].links[SAME];
        nodes[before as usize].links[SAME].after = after;
        if let Some(after) = nodes.get_mut(after as usize) {
            after.links[SAME].before = before;
        } else if let Some(chain) = keys.chain(key, number(port)) {
            chain.ends.last = before;
        }
        ports[port].len -= 1;
        self.len -= 1;
        free.push(place);
        Some((expected, led))
    }
}
