//! The packets that a node expects, by the notifications that it has received (section 3.2).
//!
//! Each ingress port has one list, in the order in which its packets begin to arrive. That is also the order of their
//! arrivals, since a link carries one after the other. Where notifications were lost and expectations overlap, the order of
//! the beginnings counts.
//!
//! The paper pushes back packets that arrive after the new packet's *arrival*, which is right for packets of one length
//! only. Here, a new packet that will begin at `s` pushes back, by its own transmission time, all packets of its port that
//! were to begin at `s` or later. If no notification was lost and ports serve strict priorities in order of arrival, every
//! packet then arrives when it is expected, to the picosecond.
//!
//! These take O(1): a notification at the end of its list, a packet's arrival, a control packet, and the question when a
//! key is wanted next (O(ports that expect it)). A notification of a higher class takes a step for each packet that it
//! pushes back. Among forecasts, an arrival takes a step for each packet before it of its port and its key, and so does a
//! notification.

mod corrections;
mod forecasts;
mod numbers;
mod rate;
mod steps;

pub(crate) use steps::Pushed;

use crate::seer::fpm::Fpm;
use crate::seer::keys::{Chain, Ends, Keys};
use crate::seer::port_set::PortSet;
use forebay_core::{Duration, Rate, Time, TransmissionTimes, convert};

/// The packets that are expected on all ingress ports of a node.
#[derive(Debug, Clone)]
pub struct Arrivals {
    ports: Vec<Port>,
    /// How many of them are links; the others hold the packets that are held up behind each, once there are any.
    links: usize,
    /// Those with a packet whose state is yet to be fetched.
    waiting: PortSet,
    capacity: usize,
    nodes: Vec<Node>,
    free: Vec<u32>,
    keys: Keys,
    len: usize,
    /// The most that one port had at a time.
    most: usize,
    /// How many are forecasts.
    forecasts: usize,
}

/// In one cache line, as a packet.
#[derive(Debug, Clone)]
#[repr(align(64))]
struct Port {
    transmission: TransmissionTimes,
    ends: Ends,
    /// The first packet whose state is yet to be fetched.
    head: u32,
    len: usize,
    /// How much control packets have pushed back so far: it is to be added to all times.
    later: i64,
}

impl Port {
    fn idle(transmission: TransmissionTimes) -> Self {
        Self { transmission, ends: Ends { first: NONE, last: NONE }, head: NONE, len: 0, later: 0 }
    }

    /// When it is, with what control packets add.
    #[inline]
    fn time(&self, without: i64) -> Time {
        Time::from_ps(u64::try_from(without.saturating_add(self.later)).unwrap_or(0))
    }
}

/// A packet, in one cache line: there are many, and those that are looked at one after the other lie apart.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Node {
    key: u64,
    port: u32,
    fetched: bool,
    /// It waits where its notification was made.
    firm: bool,
    /// When its first and its last bit arrive, without the delays of control packets.
    start: i64,
    arrival: i64,
    told: Time,
    /// Its neighbours among all of its port, and among those of the same key.
    links: [Link; 2],
}

#[derive(Debug, Clone, Copy)]
struct Link {
    before: u32,
    after: u32,
}

const NONE: u32 = u32::MAX;
const NOWHERE: Link = Link { before: NONE, after: NONE };

/// The lists in which a packet is.
const ALL: usize = 0;
const SAME: usize = 1;

/// A packet that is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// Which one: valid as long as it is expected.
    pub(crate) place: u32,
    /// Which state it will ask for.
    pub key: u64,
    /// Its ingress port.
    pub port: usize,
    /// When it will have arrived.
    pub arrival: Time,
    /// When its notification arrived.
    pub told: Time,
}

/// The changes that a notification made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Change {
    /// Whether there was room for it.
    pub(crate) entered: bool,
    /// Whether its packet is the next of its port whose state is to be fetched.
    pub(crate) leads: bool,
    /// Whether other packets will arrive later for it.
    pub(crate) pushed: bool,
}

impl Arrivals {
    /// Nothing is expected on ports of these rates; each list has room for this many.
    #[must_use]
    pub fn new(rates: &[Rate], capacity: usize) -> Self {
        Self {
            ports: rates.iter().map(|rate| Port::idle(TransmissionTimes::new(*rate))).collect(),
            links: rates.len(),
            waiting: PortSet::new(2 * rates.len()),
            capacity,
            nodes: Vec::new(),
            free: Vec::new(),
            keys: Keys::default(),
            len: 0,
            most: 0,
            forecasts: 0,
        }
    }

    /// The list of packets that have arrived through a port and are held up: a port of its own, whose packets arrive at
    /// once.
    pub(crate) fn queue_of(&mut self, port: usize) -> usize {
        if self.ports.len() == self.links {
            let queues: Vec<Port> = self.ports.iter().map(|port| Port::idle(port.transmission.clone())).collect();
            self.ports.extend(queues);
        }
        self.links + port
    }

    /// How many links there are; their lists are the first ones.
    pub(crate) fn links(&self) -> usize {
        self.links
    }

    /// The port through which the packets of a list arrive or have arrived.
    pub(crate) fn link_of(&self, list: usize) -> usize {
        list % self.links
    }

    /// A notification has arrived. `since`: when the first notification of the packet arrived.
    #[inline]
    pub(crate) fn tell(&mut self, now: Time, since: Time, port: usize, fpm: &Fpm) -> Change {
        self.expect::<true>(now, since, port, fpm)
    }

    /// A packet is expected from now on. It pushes others back if it is `FIRM`, and not a forecast.
    #[inline]
    fn expect<const FIRM: bool>(&mut self, now: Time, told: Time, port: usize, fpm: &Fpm) -> Change {
        let Self { ports, nodes, .. } = self;
        let of = &mut ports[port];
        let own = signed(of.transmission.of(fpm.size_bytes).as_ps());
        let arrival = signed((now + fpm.delay).as_ps()).saturating_sub(of.later);
        let start = arrival.saturating_sub(own);
        let (mut before, mut after, mut leads) = (of.ends.last, NONE, of.head == NONE);
        while before != NONE && nodes[before as usize].start >= start {
            let node = &mut nodes[before as usize];
            if FIRM {
                node.start = node.start.saturating_add(own);
                node.arrival = node.arrival.saturating_add(own);
            }
            leads |= before == of.head;
            after = before;
            before = node.links[ALL].before;
        }
        let pushed = FIRM && after != NONE;
        if of.len >= self.capacity {
            return Change { entered: false, leads: false, pushed };
        }
        let (key, port) = (fpm.id, number(port));
        let node = Node { key, port, fetched: false, firm: FIRM, start, arrival, told, links: [NOWHERE; 2] };
        self.enter(node, Link { before, after }, leads);
        Change { entered: true, leads, pushed }
    }

    /// Takes a packet in, for which there is room.
    #[inline]
    fn enter(&mut self, node: Node, between: Link, leads: bool) {
        let port = node.port as usize;
        let Self { ports, nodes, .. } = self;
        let of = &mut ports[port];
        let place = self.free.pop().unwrap_or_else(|| {
            nodes.push(node);
            u32::try_from(nodes.len() - 1).unwrap_or(NONE)
        });
        nodes[place as usize] = node;
        link::<ALL>(nodes, &mut of.ends, place, between);
        of.len += 1;
        self.most = self.most.max(of.len);
        self.len += 1;
        if leads {
            of.head = place;
            self.waiting.insert(port);
        }
        self.join_same(place);
    }

    /// Puts a packet among those of its port that want the same state.
    #[inline]
    fn join_same(&mut self, place: u32) {
        let Self { nodes, keys, .. } = self;
        let Node { key, port, start, .. } = nodes[place as usize];
        let Some(chain) = keys.join(key, port, place) else { return };
        let (mut before, mut after) = (chain.ends.last, NONE);
        while before != NONE && nodes[before as usize].start >= start {
            after = before;
            before = nodes[before as usize].links[SAME].before;
        }
        link::<SAME>(nodes, &mut chain.ends, place, Link { before, after });
    }

    /// A control packet took the link of a port: all packets expected there arrive later. Returns whether there are
    /// any.
    pub(crate) fn push_back(&mut self, port: usize, by: Duration) -> bool {
        let port = &mut self.ports[port];
        if port.len > 0 {
            port.later = port.later.saturating_add(signed(by.as_ps()));
        }
        port.len > 0
    }

    /// The packet of a port that is expected first.
    #[must_use]
    pub fn first(&self, port: usize) -> Option<Expected> {
        Some(self.ports[port].ends.first).filter(|&place| place != NONE).map(|place| self.expected(place))
    }

    /// The first packet whose state is yet to be fetched of the first port, from this one on, that has one.
    #[inline]
    pub(crate) fn head_from(&self, port: usize) -> Option<Expected> {
        self.waiting.first_from(port).map(|port| self.expected(self.ports[port].head))
    }

    /// The next packet of the same port whose state is yet to be fetched.
    pub(crate) fn waiting_after(&self, place: u32) -> Option<Expected> {
        Some(self.waiting_from(self.nodes[place as usize].links[ALL].after))
            .filter(|&place| place != NONE)
            .map(|place| self.expected(place))
    }

    fn waiting_from(&self, mut place: u32) -> u32 {
        while place != NONE && self.nodes[place as usize].fetched {
            place = self.nodes[place as usize].links[ALL].after;
        }
        place
    }

    fn expected(&self, place: u32) -> Expected {
        let Node { key, port, told, arrival, .. } = self.nodes[place as usize];
        let port = port as usize;
        Expected { place, key, port, arrival: self.ports[port].time(arrival), told }
    }

    /// When the state of `key` will be wanted next, if that is known.
    #[must_use]
    pub fn next(&self, key: u64) -> Option<Time> {
        let arrival =
            |chain: &Chain| self.ports[chain.port as usize].time(self.nodes[chain.ends.first as usize].arrival);
        self.keys.of(key).map(arrival).min()
    }

    /// Whether a packet is expected that wants `key`.
    #[must_use]
    pub fn knows(&self, key: u64) -> bool {
        self.keys.contains(key)
    }

    /// The state of a packet is cached or in flight. Returns whether the packet was the next of its port to be fetched
    /// for.
    pub(crate) fn fetched(&mut self, place: u32) -> bool {
        self.nodes[place as usize].fetched = true;
        self.lead_on(place)
    }

    /// The state of `key` is away again: it is yet to be fetched for the packets that want it. Gives whether any had it.
    pub(crate) fn lost(&mut self, key: u64) -> bool {
        let chains: Vec<Chain> = self.keys.of(key).copied().collect();
        let mut any = false;
        for Chain { port, ends } in chains {
            let (mut place, mut of_port, port) = (ends.first, false, port as usize);
            while place != NONE {
                let node = &mut self.nodes[place as usize];
                of_port |= std::mem::take(&mut node.fetched);
                place = node.links[SAME].after;
            }
            if of_port {
                self.ports[port].head = self.waiting_from(self.ports[port].ends.first);
                self.waiting.insert(port);
            }
            any |= of_port;
        }
        any
    }

    /// Another packet is the next to be fetched if this one was.
    #[inline]
    fn lead_on(&mut self, place: u32) -> bool {
        let Node { port, links, .. } = self.nodes[place as usize];
        let port = port as usize;
        let was = self.ports[port].head == place;
        if was {
            let head = self.waiting_from(links[ALL].after);
            self.ports[port].head = head;
            if head == NONE {
                self.waiting.remove(port);
            }
        }
        was
    }

    /// The earliest packet of a port that wants `key` is no longer expected. Also returns whether it was the next of its port
    /// to be fetched.
    #[inline]
    pub(crate) fn take(&mut self, port: usize, key: u64) -> Option<(Expected, bool)> {
        let nodes = &self.nodes;
        let after = |place: u32| Some(nodes[place as usize].links[SAME].after).filter(|&after| after != NONE);
        let place = self.keys.pop(key, number(port), after)?;
        Some(self.remove(place))
    }

    /// A packet that its key no longer leads to is no longer expected. Also returns whether it was the next of its port to be
    /// fetched.
    #[inline]
    fn remove(&mut self, place: u32) -> (Expected, bool) {
        let expected = self.expected(place);
        let led = self.lead_on(place);
        let Self { ports, nodes, free, .. } = self;
        let Node { firm, links, .. } = nodes[place as usize];
        let Link { before, after } = links[SAME];
        if let Some(before) = nodes.get_mut(before as usize) {
            before.links[SAME].after = after;
        }
        if let Some(after) = nodes.get_mut(after as usize) {
            after.links[SAME].before = before;
        }
        let of = &mut ports[expected.port];
        unlink(nodes, &mut of.ends, place);
        of.len -= 1;
        self.len -= 1;
        self.forecasts -= usize::from(!firm);
        free.push(place);
        (expected, led)
    }
}

fn link<const LIST: usize>(nodes: &mut [Node], ends: &mut Ends, place: u32, between: Link) {
    nodes[place as usize].links[LIST] = between;
    match between.before {
        NONE => ends.first = place,
        before => nodes[before as usize].links[LIST].after = place,
    }
    match between.after {
        NONE => ends.last = place,
        after => nodes[after as usize].links[LIST].before = place,
    }
}

/// Takes a packet out of the list of its port.
fn unlink(nodes: &mut [Node], ends: &mut Ends, place: u32) {
    let Link { before, after } = nodes[place as usize].links[ALL];
    match before {
        NONE => ends.first = after,
        before => nodes[before as usize].links[ALL].after = after,
    }
    match after {
        NONE => ends.last = before,
        after => nodes[after as usize].links[ALL].before = before,
    }
}

/// Of a port.
fn number(port: usize) -> u32 {
    u32::try_from(port).expect("fewer than 2^32 ports")
}

/// At most what 63 bits hold, 106 days.
fn signed(ps: u64) -> i64 {
    convert::saturate(ps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_and_a_packet_fit_a_cache_line_each() {
        assert_eq!((size_of::<Port>(), size_of::<Node>()), (64, 64));
    }
}
