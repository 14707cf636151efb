//! A node with states, with all of its applications, and the packets that wait there.

use super::head_of_line::{Behind, Held, Lines, Waits};
use super::node::{Application, StatefulNode};
use crate::net::flow_table::FlowTable;
use crate::net::graph::{Graph, NodeId};
use crate::net::hook::{Arrival, Release};
use crate::net::packets::InFlight;
use forebay_cache::{BackingStore, Lookup};
use forebay_core::Time;
use rustc_hash::FxHashMap;

/// A node that has states.
pub(super) struct Site {
    pub(super) node: NodeId,
    /// The indices of its applications.
    pub(super) places: Vec<usize>,
    waiting_packets: Option<u32>,
    pub(super) waiting: u32,
    most_waiting: u32,
    /// If packets keep their order.
    lines: Option<Lines>,
    waits: Waits,
    /// Packets some of whose fetches report their ends.
    unknown: FxHashMap<u32, Unknown>,
    /// The states that a packet lacks, while it asks.
    lacks: Vec<Lack>,
}

/// A packet that has arrived.
pub(super) struct Came {
    pub(super) link: usize,
    /// The port of that link at a notified node.
    pub(super) port: Option<usize>,
    pub(super) packet: u32,
}

/// A state that a packet lacks.
#[derive(Debug, Clone, Copy)]
struct Lack {
    place: usize,
    key: u64,
    end: u64,
}

/// A packet waits until nobody knows when.
#[derive(Debug, Clone, Copy)]
struct Unknown {
    /// The number of fetches that report their ends.
    fetches: u32,
    /// The others have ended by then.
    until: Time,
}

impl Site {
    pub(super) fn new(spec: &StatefulNode, graph: &Graph) -> Self {
        let StatefulNode { node, waits, waiting_packets, .. } = *spec;
        Self {
            node,
            places: Vec::new(),
            waiting_packets,
            waiting: 0,
            most_waiting: 0,
            lines: (waits == Waits::Link).then(|| Lines::at(graph, node)),
            waits,
            unknown: FxHashMap::default(),
            lacks: Vec::new(),
        }
    }

    /// One more application, at this place.
    ///
    /// # Panics
    /// If the node's states do not agree on how packets wait.
    pub(super) fn add(&mut self, spec: &StatefulNode, place: usize) {
        let agrees = self.waits == spec.waits && self.waiting_packets == spec.waiting_packets;
        assert!(agrees, "all states of a node say the same of how packets wait");
        self.places.push(place);
    }

    /// A packet has arrived: it looks up its state in every application that it needs.
    #[inline]
    pub(super) fn ask(
        &mut self,
        now: Time,
        came: &Came,
        packet: &InFlight,
        flows: &FlowTable,
        applications: &mut [Application],
    ) -> Arrival {
        let Came { link, port, packet: index } = *came;
        if self.lines.as_mut().is_some_and(|lines| lines.is_stalled(link)) {
            return self.hold(now, came, packet, flows, applications);
        }
        self.lacks.clear();
        for &place in &self.places {
            let application = &mut applications[place];
            let Some(key) = application.asked.state(packet, flows) else { continue };
            if let Lookup::DelayedHit(end) | Lookup::Miss(end) = application.access(now, port, key) {
                self.lacks.push(Lack { place, key, end });
            }
        }
        let Some(first) = self.lacks.first() else { return Arrival::GoOn };
        // Its fetches go on: the next packet may need them.
        let first = first.place;
        if !self.takes_in() {
            applications[first].counts.packets_dropped += 1;
            return Arrival::Drop;
        }
        if let Some(lines) = &mut self.lines {
            lines.stall(link);
        }
        self.wait(now, index, applications).map_or(Arrival::Hold, Arrival::HoldUntil)
    }

    /// A packet waits for the states that it lacks; says until when, if that is known.
    fn wait(&mut self, now: Time, packet: u32, applications: &mut [Application]) -> Option<Time> {
        let mut unknown = Unknown { fetches: 0, until: now };
        for &Lack { place, key, end } in &self.lacks {
            applications[place].waits(now, packet, key, end);
            if end == BackingStore::UNKNOWN {
                unknown.fetches += 1;
            } else {
                unknown.until = unknown.until.max(Time::from_ps(end));
            }
        }
        if unknown.fetches == 0 {
            return Some(unknown.until);
        }
        self.unknown.insert(packet, unknown);
        None
    }

    /// A fetch for which a packet has waited has ended now; says when the packet goes on, if that is known.
    pub(super) fn answered(&mut self, now: Time, packet: u32) -> Option<Time> {
        let unknown = self.unknown.get_mut(&packet)?;
        unknown.fetches -= 1;
        unknown.until = unknown.until.max(now);
        let Unknown { fetches, until } = *unknown;
        if fetches > 0 {
            return None;
        }
        self.unknown.remove(&packet);
        Some(until)
    }

    /// A packet finds others before it that wait.
    fn hold(
        &mut self,
        now: Time,
        came: &Came,
        packet: &InFlight,
        flows: &FlowTable,
        applications: &mut [Application],
    ) -> Arrival {
        let Came { link, port, packet: index } = *came;
        let has_room = self.takes_in();
        let mut asks = Vec::new();
        for &place in &self.places {
            let application = &mut applications[place];
            let Some(key) = application.asked.state(packet, flows) else { continue };
            if has_room {
                asks.push(Held { place, key, is_expected: application.hold(now, port, key) });
            } else {
                application.dropped(now, port, key);
            }
        }
        match &mut self.lines {
            Some(lines) if has_room => {
                lines.join(link, Behind { packet: index, since: now, asks });
                Arrival::Hold
            }
            _ => {
                applications[self.places[0]].counts.packets_dropped += 1;
                Arrival::Drop
            }
        }
    }

    /// The first packet of a link has gone on: it is the turn of the next one, if any was held up.
    pub(super) fn next(
        &mut self,
        now: Time,
        port: Option<usize>,
        link: usize,
        applications: &mut [Application],
    ) -> Option<Release> {
        let Behind { packet, since, asks } = self.lines.as_mut()?.next(link)?;
        applications[self.places[0]].counts.waited_ps += u128::from(now.since(since).as_ps());
        self.lacks.clear();
        for Held { place, key, is_expected } in asks {
            let lookup = applications[place].access_held(now, port, key, is_expected);
            if let Lookup::DelayedHit(end) | Lookup::Miss(end) = lookup {
                self.lacks.push(Lack { place, key, end });
            }
        }
        if self.lacks.is_empty() {
            self.waiting -= 1;
            return Some(Release::Now(packet));
        }
        self.wait(now, packet, applications).map(|until| Release::At(until, packet))
    }

    /// Whether the node has room for one more waiting packet.
    fn takes_in(&mut self) -> bool {
        if self.waiting_packets.is_some_and(|most| self.waiting >= most) {
            return false;
        }
        self.waiting += 1;
        self.most_waiting = self.most_waiting.max(self.waiting);
        true
    }

    /// The most packets that waited at a time.
    pub(super) fn most_waiting(&self) -> u32 {
        self.most_waiting
    }
}
