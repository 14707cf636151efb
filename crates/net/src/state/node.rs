//! A node that has states, and the packets that wait there.

use super::counts::StateNodeCounts;
use super::foreseen::Foreseen;
use super::key::AskedOf;
use super::line::{Lines, Waits};
use super::notifier::{Announcing, Naming};
use super::told::{Told, ToldOutcome};
use crate::forwarding::to_u32;
use crate::graph::{Graph, NodeId};
use forebay_cache::{Future, Lookup, StateCache, StateCounts};
use forebay_core::{ClassId, Rate, Seed, Time};

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
    /// Whether accesses are kept: 16 bytes for each.
    pub recorded: bool,
}

/// What stands at a node and has its states.
pub enum StateStore {
    /// A cache that fetches what a packet needs when it comes.
    OnDemand(Box<StateCache>),
    /// The same under a policy that looks into the future: into that of an earlier run.
    Foreseen(Box<StateCache>, Foreseen),
    /// A cache that is told what comes.
    Told(Box<Told>),
}

impl StateStore {
    /// A packet needs the state of `key`; it came through this port of a node that is told.
    #[inline]
    fn access(&mut self, now: Time, port: Option<usize>, key: u64) -> Lookup {
        let ticks = now.as_ps();
        match self {
            Self::OnDemand(cache) => cache.access(ticks, key, Future::NONE),
            Self::Foreseen(cache, foreseen) => cache.access(ticks, key, foreseen.after(ticks, key)),
            Self::Told(told) => told.cache.access(now, port, key),
        }
    }

    /// A packet that was held up needs the state of `key` now.
    fn access_held(&mut self, now: Time, port: Option<usize>, key: u64) -> Lookup {
        match (self, port) {
            (Self::Told(told), Some(port)) => told.cache.access_held(now, port, key),
            (store, port) => store.access(now, port, key),
        }
    }

    fn counts(&self) -> StateCounts {
        match self {
            Self::OnDemand(cache) | Self::Foreseen(cache, _) => cache.counts(),
            Self::Told(told) => told.cache.counts().cache,
        }
    }
}

/// A packet came and needed a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateAccess {
    /// When, in picoseconds.
    pub time_ps: u64,
    /// Which one.
    pub key: u64,
}

/// What a node with states leaves behind.
#[derive(Debug, Clone)]
pub struct StateOutcome {
    /// Where it stood.
    pub node: NodeId,
    /// What was counted, while it was to be counted.
    pub counts: StateNodeCounts,
    /// All accesses of the run, if they were to be kept.
    pub accesses: Vec<StateAccess>,
    /// How many of them came before counting began.
    pub uncounted: u64,
    /// What notifications did, over the whole run, if the node was told what comes.
    pub told: Option<ToldOutcome>,
}

/// What happens to a packet that has come for a state.
pub(crate) enum Answer {
    GoOn,
    /// Until its state is there.
    Wait(Time),
    /// Behind others.
    Hold,
    Drop,
}

/// A [`StatefulNode`] in a run.
pub(crate) struct AtNode {
    pub(super) spec: StatefulNode,
    pub(super) waiting: u32,
    counts: StateNodeCounts,
    accesses: Vec<StateAccess>,
    /// If packets keep their order.
    lines: Option<Lines>,
    /// The links to neighbours that are told for this node alone.
    pub(super) relayed: Vec<usize>,
}

/// A packet that has come.
pub(super) struct Came {
    pub(super) link: usize,
    /// The port of that link at a node that is told.
    pub(super) port: Option<usize>,
    pub(super) packet: u32,
}

impl AtNode {
    /// A packet has come, and needs the state of `key`, if any.
    #[inline]
    pub(super) fn ask(&mut self, now: Time, came: &Came, key: Option<u64>) -> Answer {
        let Came { link, port, .. } = *came;
        if self.lines.as_mut().is_some_and(|lines| lines.is_stalled(link)) {
            return self.hold(now, came, key);
        }
        let Some(key) = key else { return Answer::GoOn };
        self.record(now, key);
        let until = match self.spec.store.access(now, port, key) {
            Lookup::Hit => return Answer::GoOn,
            Lookup::DelayedHit(until) | Lookup::Miss(until) => until,
        };
        // Its fetch goes on: the next packet may need it.
        if !self.takes_in() {
            return Answer::Drop;
        }
        self.counts.waited_ps += u128::from(until - now.as_ps());
        if let Some(lines) = &mut self.lines {
            lines.stall(link);
        }
        Answer::Wait(Time::from_ps(until))
    }

    /// A packet finds others before it that wait.
    fn hold(&mut self, now: Time, came: &Came, key: Option<u64>) -> Answer {
        let Came { link, port, packet } = *came;
        let has_room = self.takes_in();
        if let (StateStore::Told(told), Some(port), Some(key)) = (&mut self.spec.store, port, key) {
            if has_room {
                told.cache.hold(now, port, key);
            } else {
                told.cache.expire(now, port, key);
            }
        }
        match &mut self.lines {
            Some(lines) if has_room => {
                lines.join(now, link, packet);
                Answer::Hold
            }
            _ => Answer::Drop,
        }
    }

    /// The first packet of a link has gone on: the next one, since when it has been held up.
    pub(super) fn next_in_line(&mut self, link: usize) -> Option<(u32, Time)> {
        self.lines.as_mut()?.next(link)
    }

    /// It is the turn of a packet that was held up.
    pub(super) fn ask_held(&mut self, now: Time, port: Option<usize>, since: Time, key: Option<u64>) -> Answer {
        self.counts.waited_ps += u128::from(now.since(since).as_ps());
        let Some(key) = key else { return Answer::GoOn };
        self.record(now, key);
        match self.spec.store.access_held(now, port, key) {
            Lookup::Hit => Answer::GoOn,
            Lookup::DelayedHit(until) | Lookup::Miss(until) => {
                self.counts.waited_ps += u128::from(until - now.as_ps());
                Answer::Wait(Time::from_ps(until))
            }
        }
    }

    fn record(&mut self, now: Time, key: u64) {
        if self.spec.recorded {
            self.accesses.push(StateAccess { time_ps: now.as_ps(), key });
        }
    }

    /// Whether there is room for one more packet that waits.
    fn takes_in(&mut self) -> bool {
        if self.spec.waiting_packets.is_some_and(|most| self.waiting >= most) {
            self.counts.packets_dropped += 1;
            return false;
        }
        self.waiting += 1;
        self.counts.most_waiting = self.counts.most_waiting.max(self.waiting);
        true
    }

    fn counts(&self) -> StateNodeCounts {
        let prefetches = match &self.spec.store {
            StateStore::Told(told) => told.cache.counts().prefetches,
            StateStore::OnDemand(_) | StateStore::Foreseen(..) => 0,
        };
        StateNodeCounts { cache: self.spec.store.counts(), prefetches, ..self.counts }
    }
}

/// All nodes that have states.
#[derive(Default)]
pub(crate) struct States {
    all: Vec<AtNode>,
    /// For each node its place in `all`; empty if no node has any.
    places: Vec<Option<u32>>,
    /// For each directed link what tells the node to which it leads; empty if none does.
    announcing: Vec<Option<Announcing>>,
    /// For each directed link the port of the node that is told to which it leads; empty if none is.
    ports: Vec<Option<u32>>,
}

impl States {
    /// Of a network; `seed` is that of the run.
    ///
    /// # Panics
    /// If a node has two.
    pub(crate) fn new(specs: Vec<StatefulNode>, graph: &Graph, seed: Seed) -> Self {
        let mut states = Self::default();
        if !specs.is_empty() {
            states.places = vec![None; graph.nodes().len()];
        }
        for (number, mut spec) in (0..).zip(specs) {
            let earlier = states.places[spec.node.index()].replace(number);
            assert!(earlier.is_none(), "a node has one set of states");
            let (counts, accesses) = (StateNodeCounts::default(), Vec::new());
            if let StateStore::Told(told) = &mut spec.store {
                states.announcing.resize_with(graph.links().len(), || None);
                states.ports.resize(graph.links().len(), None);
                for (port, (link, notifier)) in told.ingress.iter_mut().enumerate() {
                    let announcing = notifier.take().map(|notifier| {
                        let to = (states.all.len(), port);
                        Announcing::new(notifier, *link, to, spec.asked, seed)
                    });
                    states.announcing[*link] = announcing;
                    states.ports[*link] = Some(to_u32(port));
                }
            }
            let lines = (spec.waits == Waits::Link).then(|| Lines::at(graph, spec.node));
            states.all.push(AtNode { spec, waiting: 0, counts, accesses, lines, relayed: Vec::new() });
        }
        states.relay(seed);
        states
    }

    /// Lets neighbours pass on what they are told, where they are to. Those that have a told cache themselves are told by whoever
    /// tells that, and nobody else.
    fn relay(&mut self, seed: Seed) {
        let Self { all, announcing, ports, .. } = self;
        for (place, states) in all.iter_mut().enumerate() {
            let StateStore::Told(told) = &mut states.spec.store else { continue };
            let Some(relayed) = told.relayed.take() else { continue };
            for (link, _) in &told.ingress {
                if let Some(announcing) = announcing[*link].as_mut() {
                    announcing.naming = Naming::Packets;
                    announcing.forecasts = true;
                }
            }
            for (link, notifier) in relayed {
                match announcing[link].as_mut() {
                    Some(announcing) if announcing.naming == Naming::States => announcing.naming = Naming::Packets,
                    Some(_) => {}
                    None if ports[link].is_some() => {}
                    None => {
                        let mut only = Announcing::new(notifier, link, (place, 0), states.spec.asked, seed);
                        only.naming = Naming::PacketsOnly;
                        announcing[link] = Some(only);
                        states.relayed.push(link);
                    }
                }
            }
        }
    }

    pub(crate) fn has(&self, node: NodeId) -> bool {
        self.places.get(node.index()).is_some_and(Option::is_some)
    }

    /// What tells the node to which a link leads.
    pub(super) fn announcing(&mut self, link: usize) -> Option<&mut Announcing> {
        self.announcing.get_mut(link)?.as_mut()
    }

    /// What tells the node to which a link leads, and that node.
    pub(super) fn told_by(&mut self, link: usize) -> Option<(&mut Announcing, &mut AtNode)> {
        let announcing = self.announcing.get_mut(link)?.as_mut()?;
        let node = self.all.get_mut(announcing.place)?;
        Some((announcing, node))
    }

    /// Whether something tells the node to which a link leads.
    pub(crate) fn announces(&self, link: usize) -> bool {
        self.announcing.get(link).is_some_and(Option::is_some)
    }

    /// Whether what tells the node to which a link leads tells ahead, too.
    pub(crate) fn relays(&self, link: usize) -> bool {
        self.announcing.get(link).and_then(Option::as_ref).is_some_and(|announcing| announcing.forecasts)
    }

    /// Whether forecasts wait for a link.
    #[cold]
    pub(crate) fn has_forecasts(&self, link: usize) -> bool {
        self.announcing.get(link).and_then(Option::as_ref).is_some_and(Announcing::has_forecasts)
    }

    /// A packet leaves a port that tells.
    #[inline(never)]
    pub(crate) fn announced_leaves(&mut self, link: usize, class: ClassId) {
        if let Some(announcing) = self.announcing(link) {
            announcing.left(class);
        }
    }

    /// A link fails.
    pub(crate) fn link_fails(&mut self, link: usize) {
        if let Some(announcing) = self.announcing(link) {
            announcing.fail();
        }
    }

    /// A link sends at another rate from now on. What has been told is not corrected.
    pub(crate) fn link_sends_at(&mut self, link: usize, rate: Rate) {
        let Some((announcing, node)) = self.told_by(link) else { return };
        announcing.set_rate(rate);
        if announcing.naming != Naming::PacketsOnly
            && let Some(cache) = node.told()
        {
            cache.set_rate(announcing.port, rate);
        }
    }

    /// The port at the end of a link, if the node there is told.
    #[inline]
    pub(super) fn port_of(&self, link: u32) -> Option<usize> {
        self.ports.get(link as usize).copied().flatten().map(|port| port as usize)
    }

    #[inline]
    pub(super) fn place_of(&self, node: NodeId) -> Option<usize> {
        self.places.get(node.index()).copied().flatten().map(|place| place as usize)
    }

    pub(super) fn at_place(&mut self, place: usize) -> &mut AtNode {
        &mut self.all[place]
    }

    /// Packets that wait.
    pub(crate) fn waiting(&self) -> u64 {
        self.all.iter().map(|states| u64::from(states.waiting)).sum()
    }

    /// Managers have had all iterations before `now`.
    pub(crate) fn iterate_before(&mut self, now: Time) {
        self.all.iter_mut().filter_map(AtNode::told).for_each(|cache| cache.iterate_before(now));
    }

    pub(crate) fn counts(&self, now: Time) -> Vec<StateNodeCounts> {
        let counts = |states: &AtNode| {
            let told = states.told_counts(now, &self.announcing);
            StateNodeCounts { told, ..states.counts() }
        };
        self.all.iter().map(counts).collect()
    }

    /// What is left, with what each had counted before counting began. Checks that no notification was lost, and, if
    /// links are `steady`, that packets came when they were expected.
    pub(crate) fn into_outcomes(self, counts: Vec<(StateNodeCounts, u64)>, steady: bool) -> Vec<StateOutcome> {
        let announcing = self.announcing;
        let outcome = |(states, (counts, uncounted)): (AtNode, _)| {
            let told = match &states.spec.store {
                StateStore::OnDemand(_) | StateStore::Foreseen(..) => None,
                StateStore::Told(told) => {
                    Some(ToldOutcome::new(told.cache.counts(), states.telling(told, &announcing)))
                }
            };
            if let Some(told) = &told {
                assert!(told.is_conserved(), "every notification is accounted for: {told:?}");
                let is_exact = !steady || !told.is_complete() || told.cache.fpms.mistimed == 0;
                assert!(is_exact, "packets come when they are expected: {told:?}");
            }
            StateOutcome { node: states.spec.node, counts, accesses: states.accesses, uncounted, told }
        };
        self.all.into_iter().zip(counts).map(outcome).collect()
    }
}
