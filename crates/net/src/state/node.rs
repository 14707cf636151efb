//! A node that has states, and the packets that wait there.

use super::counts::StateNodeCounts;
use super::foreseen::Foreseen;
use super::key::StateKey;
use crate::graph::NodeId;
use forebay_cache::{Future, Lookup, StateCache, StateCounts};
use forebay_core::Time;

/// States at a node.
pub struct StatefulNode {
    /// A switch.
    pub node: NodeId,
    /// Whose state a packet needs.
    pub key: StateKey,
    /// Where states are.
    pub store: StateStore,
    /// Whether packets without data need it, too.
    pub acknowledgements: bool,
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
}

impl StateStore {
    fn access(&mut self, now: Time, key: u64) -> Lookup {
        let now = now.as_ps();
        match self {
            Self::OnDemand(cache) => cache.access(now, key, Future::NONE),
            Self::Foreseen(cache, foreseen) => cache.access(now, key, foreseen.after(now, key)),
        }
    }

    fn counts(&self) -> StateCounts {
        match self {
            Self::OnDemand(cache) | Self::Foreseen(cache, _) => cache.counts(),
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
}

/// What happens to a packet that has come for a state.
pub(crate) enum Answer {
    GoOn,
    Wait(Time),
    Drop,
}

/// A [`StatefulNode`] in a run.
pub(crate) struct AtNode {
    pub(super) spec: StatefulNode,
    pub(super) waiting: u32,
    counts: StateNodeCounts,
    accesses: Vec<StateAccess>,
}

impl AtNode {
    /// A packet needs the state of `key`.
    pub(super) fn ask(&mut self, now: Time, key: u64) -> Answer {
        if self.spec.recorded {
            self.accesses.push(StateAccess { time_ps: now.as_ps(), key });
        }
        let until = match self.spec.store.access(now, key) {
            Lookup::Hit => return Answer::GoOn,
            Lookup::DelayedHit(until) | Lookup::Miss(until) => until,
        };
        // Its fetch goes on: the next packet may need it.
        if self.spec.waiting_packets.is_some_and(|most| self.waiting >= most) {
            self.counts.packets_dropped += 1;
            return Answer::Drop;
        }
        self.waiting += 1;
        self.counts.most_waiting = self.counts.most_waiting.max(self.waiting);
        self.counts.waited_ps += u128::from(until - now.as_ps());
        Answer::Wait(Time::from_ps(until))
    }

    fn counts(&self) -> StateNodeCounts {
        StateNodeCounts { cache: self.spec.store.counts(), ..self.counts }
    }
}

/// All nodes that have states.
#[derive(Default)]
pub(crate) struct States {
    all: Vec<AtNode>,
    /// For each node its place in `all`; empty if no node has any.
    places: Vec<Option<u32>>,
}

impl States {
    /// Of a network of so many nodes.
    ///
    /// # Panics
    /// If a node has two.
    pub(crate) fn new(specs: Vec<StatefulNode>, nodes: usize) -> Self {
        let mut states = Self::default();
        if !specs.is_empty() {
            states.places = vec![None; nodes];
        }
        for (number, spec) in (0..).zip(specs) {
            let earlier = states.places[spec.node.index()].replace(number);
            assert!(earlier.is_none(), "a node has one set of states");
            let (counts, accesses) = (StateNodeCounts::default(), Vec::new());
            states.all.push(AtNode { spec, waiting: 0, counts, accesses });
        }
        states
    }

    pub(crate) fn has(&self, node: NodeId) -> bool {
        self.places.get(node.index()).is_some_and(Option::is_some)
    }

    pub(super) fn at(&mut self, node: NodeId) -> Option<&mut AtNode> {
        let place = self.places.get(node.index()).copied().flatten()?;
        self.all.get_mut(place as usize)
    }

    /// Packets that wait.
    pub(crate) fn waiting(&self) -> u64 {
        self.all.iter().map(|states| u64::from(states.waiting)).sum()
    }

    pub(crate) fn counts(&self) -> Vec<StateNodeCounts> {
        self.all.iter().map(AtNode::counts).collect()
    }

    /// What is left, with what each had counted before counting began.
    pub(crate) fn into_outcomes(self, counts: Vec<(StateNodeCounts, u64)>) -> Vec<StateOutcome> {
        let all = self.all.into_iter().zip(counts);
        all.map(|(states, (counts, uncounted))| StateOutcome {
            node: states.spec.node,
            counts,
            accesses: states.accesses,
            uncounted,
        })
        .collect()
    }
}
