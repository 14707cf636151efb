//! Packets that are expected by forecasts: notifications of what has not come yet to the node that tells.
//!
//! A forecast says roughly when. So it pushes nobody back; control packets and what is known for sure push it back as they do
//! others.

use super::{ALL, Arrivals, Expected, Link, NONE, NOWHERE, Node, SAME, Told, number, signed, unlink};
use crate::fpm::Fpm;
use forebay_core::Time;

impl Arrivals {
    /// A forecast has come.
    pub(crate) fn forecast(&mut self, now: Time, port: usize, fpm: &Fpm) -> Told {
        let Self { ports, nodes, .. } = self;
        let of = &mut ports[port];
        let own = signed(of.transmission.of(fpm.size_bytes).as_ps());
        let arrival = signed((now + fpm.delay).as_ps()).saturating_sub(of.later);
        let start = arrival.saturating_sub(own);
        let (mut before, mut after, mut leads) = (of.ends.last, NONE, of.head == NONE);
        while before != NONE && nodes[before as usize].start >= start {
            leads |= before == of.head;
            after = before;
            before = nodes[before as usize].links[ALL].before;
        }
        if of.len >= self.capacity {
            return Told { entered: false, leads: false, pushed: false };
        }
        self.forecasts += 1;
        let key = fpm.id;
        let node = Node {
            key,
            port: number(port),
            fetched: false,
            firm: false,
            start,
            arrival,
            told: now,
            links: [NOWHERE; 2],
        };
        self.enter(node, Link { before, after }, leads);
        Told { entered: true, leads, pushed: false }
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
