//! Packets that are expected by forecasts: notifications of what has not come yet to the node that tells.
//!
//! A forecast says roughly when. So it pushes nobody back; control packets and what is known for sure push it back as they do
//! others.

use super::{ALL, Arrivals, EMPTY, Expected, Link, NONE, NOWHERE, Node, SAME, Told, signed};
use crate::fpm::Fpm;
use forebay_core::Time;

impl Arrivals {
    /// A forecast has come.
    pub(crate) fn forecast(&mut self, now: Time, port: usize, fpm: &Fpm) -> Told {
        let Self { ports, nodes, .. } = self;
        let of = &ports[port];
        let own = signed(of.rate.transmission_time(fpm.size_bytes).as_ps());
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
        let node =
            Node { fpm: *fpm, port, start, arrival, told: now, fetched: false, firm: false, links: [NOWHERE; 2] };
        self.enter(node, Link { before, after }, leads);
        Told { entered: true, leads, pushed: false }
    }

    /// Whether some packets are expected by forecasts.
    pub(crate) fn has_forecasts(&self) -> bool {
        self.forecasts > 0
    }

    /// The earliest packet of a port that wants `key` among those that are `firm`, or are forecast.
    pub(crate) fn earliest_of(&self, port: usize, key: u64, firm: bool) -> Option<Expected> {
        let chain = self.keys.get(&key)?.iter().find(|chain| chain.port == port);
        let mut place = chain.map_or(EMPTY, |chain| chain.ends).first;
        while place != NONE && self.nodes[place as usize].firm != firm {
            place = self.nodes[place as usize].links[SAME].after;
        }
        Some(place).filter(|&place| place != NONE).map(|place| self.expected(place))
    }
}
