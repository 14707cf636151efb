//! A node that has states, and the packets that wait there.

use super::counts::StateNodeCounts;
use super::key::AskedOf;
use super::line::{Behind, Lines, Waits};
use super::outcome::StateAccess;
use super::store::{StateStore, Store};
use super::told::Tellers;
use crate::net::graph::{Graph, NodeId};
use crate::net::hook::{Arrival, Release};
use forebay_cache::Lookup;
use forebay_cache::seer::{Fpm, SeerCache, SeerCounts};
use forebay_core::{Duration, Time};

/// States at a node.
pub struct StatefulNode {
    /// A switch.
    pub node: NodeId,
    /// Which packets need a state, and whose.
    pub asked: AskedOf,
    /// Where states are.
    pub store: StateStore,
    /// Whom a packet that waits holds up.
    pub waits: Waits,
    /// Packets that may wait at a time; what comes then and would have to wait is dropped. [`None`]: any number.
    pub waiting_packets: Option<u32>,
    /// Whether a packet that is held up behind another one has its state fetched meanwhile. Not under a policy that looks into
    /// the future.
    pub lookahead: bool,
    /// Whether accesses are kept: 16 bytes for each.
    pub recorded: bool,
}

/// A [`StatefulNode`] in a run.
pub(crate) struct AtNode {
    pub(super) node: NodeId,
    pub(super) asked: AskedOf,
    store: Store,
    waiting_packets: Option<u32>,
    lookahead: bool,
    recorded: bool,
    pub(super) waiting: u32,
    counts: StateNodeCounts,
    accesses: Vec<StateAccess>,
    /// If packets keep their order.
    lines: Option<Lines>,
}

/// A packet that has come.
pub(super) struct Came {
    pub(super) link: usize,
    /// The port of that link at a node that is told.
    pub(super) port: Option<usize>,
    pub(super) packet: u32,
}

impl AtNode {
    /// With what is to tell it.
    pub(super) fn new(spec: StatefulNode, graph: &Graph) -> (Self, Option<Tellers>) {
        let StatefulNode { node, asked, store, waits, waiting_packets, lookahead, recorded } = spec;
        let (store, tellers) = Store::new(store);
        let (counts, accesses) = (StateNodeCounts::default(), Vec::new());
        let lines = (waits == Waits::Link).then(|| Lines::at(graph, node));
        (
            Self { node, asked, store, waiting_packets, lookahead, recorded, waiting: 0, counts, accesses, lines },
            tellers,
        )
    }

    /// A packet has come, and needs the state of `key`, if any.
    #[inline]
    pub(super) fn ask(&mut self, now: Time, came: &Came, key: Option<u64>) -> Arrival {
        let Came { link, port, .. } = *came;
        if self.lines.as_mut().is_some_and(|lines| lines.is_stalled(link)) {
            return self.hold(now, came, key);
        }
        let Some(key) = key else { return Arrival::GoOn };
        self.record(now, key);
        let until = match self.store.access(now, port, key) {
            Lookup::Hit => return Arrival::GoOn,
            Lookup::DelayedHit(until) | Lookup::Miss(until) => until,
        };
        // Its fetch goes on: the next packet may need it.
        if !self.takes_in() {
            return Arrival::Drop;
        }
        self.counts.waited_ps += u128::from(until - now.as_ps());
        if let Some(lines) = &mut self.lines {
            lines.stall(link);
        }
        Arrival::HoldUntil(Time::from_ps(until))
    }

    /// A packet finds others before it that wait.
    fn hold(&mut self, now: Time, came: &Came, key: Option<u64>) -> Arrival {
        let Came { link, port, packet } = *came;
        let has_room = self.takes_in();
        let mut is_expected = false;
        match (&mut self.store, port, key) {
            (Store::Told(cache), Some(port), Some(key)) if has_room => {
                is_expected = cache.hold(now, port, key, self.lookahead);
            }
            (Store::Told(cache), Some(port), Some(key)) => {
                cache.expire(now, port, key);
            }
            (Store::OnDemand(cache), _, Some(key)) if has_room && self.lookahead => {
                self.counts.prefetches += u64::from(cache.look_ahead(now.as_ps(), key));
            }
            _ => {}
        }
        match &mut self.lines {
            Some(lines) if has_room => {
                lines.join(link, Behind { packet, since: now, key, is_expected });
                Arrival::Hold
            }
            _ => Arrival::Drop,
        }
    }

    /// The first packet of a link has gone on: it is the turn of the next one, if any was held up.
    pub(super) fn next(&mut self, now: Time, port: Option<usize>, link: usize) -> Option<Release> {
        let Behind { packet, since, key, is_expected } = self.lines.as_mut()?.next(link)?;
        self.counts.waited_ps += u128::from(now.since(since).as_ps());
        if let Some(key) = key {
            self.record(now, key);
            if let Lookup::DelayedHit(until) | Lookup::Miss(until) = self.store.access_held(now, port, key, is_expected)
            {
                self.counts.waited_ps += u128::from(until - now.as_ps());
                return Some(Release::At(Time::from_ps(until), packet));
            }
        }
        self.waiting -= 1;
        Some(Release::Now(packet))
    }

    fn record(&mut self, now: Time, key: u64) {
        if self.recorded {
            self.accesses.push(StateAccess { time_ps: now.as_ps(), key });
        }
    }

    /// Whether there is room for one more packet that waits.
    fn takes_in(&mut self) -> bool {
        if self.waiting_packets.is_some_and(|most| self.waiting >= most) {
            self.counts.packets_dropped += 1;
            return false;
        }
        self.waiting += 1;
        self.counts.most_waiting = self.counts.most_waiting.max(self.waiting);
        true
    }

    pub(super) fn counts(&self) -> StateNodeCounts {
        let prefetches = self.told_counts().map_or(self.counts.prefetches, |counts| counts.prefetches);
        StateNodeCounts { cache: self.store.counts(), prefetches, ..self.counts }
    }

    /// What the cache has counted, if it is told.
    pub(super) fn told_counts(&self) -> Option<SeerCounts> {
        match &self.store {
            Store::Told(cache) => Some(cache.counts()),
            Store::OnDemand(_) | Store::Foreseen(..) => None,
        }
    }

    /// All accesses, if they were to be kept.
    pub(super) fn into_accesses(self) -> Vec<StateAccess> {
        self.accesses
    }

    /// The cache, if it is told.
    pub(super) fn told(&mut self) -> Option<&mut SeerCache> {
        match &mut self.store {
            Store::Told(cache) => Some(cache),
            Store::OnDemand(_) | Store::Foreseen(..) => None,
        }
    }

    /// Notifications have come in on a port; `control`: how long the packet that carried them took of the link.
    #[inline]
    pub(super) fn hear(
        &mut self,
        now: Time,
        port: usize,
        control: Option<Duration>,
        fpms: impl IntoIterator<Item = Fpm>,
    ) {
        let Some(cache) = self.told() else { return };
        if let Some(lasted) = control {
            cache.pushed_back(now, port, lasted);
        }
        cache.notify_all(now, port, fpms);
    }
}
