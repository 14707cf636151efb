//! Notifications in two steps, as hardware takes them: the packet enters, and then those behind it are pushed back.

use super::{ALL, Arrivals, Expected, Link, NONE, NOWHERE, Node, number, signed};
use crate::seer::fpm::Fpm;
use forebay_core::Time;

/// The packets that a notification pushes back, and by how much.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pushed {
    /// The first of them, if there is one.
    from: u32,
    by: i64,
}

impl Arrivals {
    /// A notification has arrived whose carrier was there at `since`. Its packet is expected from now on if there is
    /// room; [`push`](Self::push) has to follow before anything else changes.
    pub(crate) fn enter_only(&mut self, since: Time, port: usize, fpm: &Fpm) -> Pushed {
        let of = &mut self.ports[port];
        let own = signed(of.transmission.of(fpm.size_bytes).as_ps());
        let arrival = signed((since + fpm.delay).as_ps()).saturating_sub(of.later);
        let start = arrival.saturating_sub(own);
        let (mut before, mut from) = (of.ends.last, NONE);
        while before != NONE && self.nodes[before as usize].start >= start {
            from = before;
            before = self.nodes[before as usize].links[ALL].before;
        }
        let (head, has_room) = (of.head, of.len < self.capacity);
        if has_room {
            let leads = head == NONE || self.is_behind(head, from);
            let node = Node {
                key: fpm.id,
                port: number(port),
                fetched: false,
                firm: true,
                start,
                arrival,
                told: since,
                links: [NOWHERE; 2],
            };
            self.enter(node, Link { before, after: from }, leads);
        }
        Pushed { from, by: own }
    }

    /// Packets behind one that entered arrive later.
    pub(crate) fn push(&mut self, Pushed { from, by }: Pushed) {
        let mut place = from;
        while place != NONE {
            let node = &mut self.nodes[place as usize];
            node.start = node.start.saturating_add(by);
            node.arrival = node.arrival.saturating_add(by);
            place = node.links[ALL].after;
        }
    }

    /// Whether a packet is the one at `from`, or behind it.
    fn is_behind(&self, packet: u32, from: u32) -> bool {
        let mut place = from;
        while place != NONE && place != packet {
            place = self.nodes[place as usize].links[ALL].after;
        }
        place != NONE
    }

    /// The first packet of a port whose state is yet to be fetched.
    pub(crate) fn head(&self, port: usize) -> Option<Expected> {
        Some(self.ports[port].head).filter(|&place| place != NONE).map(|place| self.expected(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{Duration, Rate, Seed};
    use rand::RngExt as _;

    /// Two steps do the same as one, for short lists, so that some packets find no room, and packets that arrive at the
    /// same time.
    #[test]
    fn two_steps_are_one() {
        let mut rng = Seed(1).stream("steps");
        let rates = [Rate::from_bits_per_second(10_000_000_000).unwrap()];
        let (mut one, mut two) = (Arrivals::new(&rates, 12), Arrivals::new(&rates, 12));
        let mut pushed = 0;
        for step in 0..20_000 {
            let now = Time::from_ns(step * 50);
            let id = rng.random_range(0..8);
            if rng.random_range(0..3) == 0 {
                let (of_one, of_two) = (one.take(0, id), two.take(0, id));
                assert_eq!(
                    of_one.map(|(packet, led)| (packet.arrival, led)),
                    of_two.map(|(packet, led)| (packet.arrival, led))
                );
            } else {
                let (size_bytes, steps) = (100 * rng.random_range(1..4), rng.random_range(5..30));
                let fpm = Fpm::of(id, size_bytes, Duration::from_ns(80 * steps));
                one.tell(now, now, 0, &fpm);
                let first = two.enter_only(now, 0, &fpm);
                pushed += usize::from(first.from != NONE);
                two.push(first);
            }
            if let Some(head) = one.head(0).filter(|_| rng.random_range(0..4) == 0) {
                one.fetched(head.place);
                two.fetched(two.head(0).unwrap().place);
            }
            let seen = |arrivals: &Arrivals| {
                let head = arrivals.head(0).map(|head| (head.key, head.arrival));
                (arrivals.len(), head, (0..8).map(|id| arrivals.next(id)).collect::<Vec<_>>())
            };
            assert_eq!(seen(&one), seen(&two), "step {step}");
        }
        assert!(pushed > 1_000, "{pushed} pushed others back");
    }
}
