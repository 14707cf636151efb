//! All nodes of a network that have states.

use super::announcing::Announcing;
use super::counts::{StateNodeCounts, ToldCounts};
use super::node::{AtNode, StatefulNode};
use super::outcome::{StateOutcome, ToldOutcome};
use super::wiring::{Listener, Wiring};
use crate::net::graph::{Graph, NodeId};
use crate::net::hook::{Counted, Hooks};
use forebay_core::{Seed, Time};

/// All nodes that have states.
#[derive(Default)]
pub struct States {
    all: Vec<AtNode>,
    /// For each node its place in `all`; empty if no node has any.
    places: Vec<Option<u32>>,
    /// What tells them.
    pub(super) wiring: Wiring,
}

impl States {
    /// Of a network; `seed` is that of the run.
    ///
    /// # Panics
    /// If a node has two.
    pub(crate) fn new(specs: Vec<StatefulNode>, graph: &Graph, seed: Seed) -> Self {
        if specs.is_empty() {
            return Self::default();
        }
        let mut places = vec![None; graph.nodes().len()];
        let (mut all, mut listeners) = (Vec::new(), Vec::new());
        for (number, spec) in (0..).zip(specs) {
            let earlier = places[spec.node.index()].replace(number);
            assert!(earlier.is_none(), "a node has one set of states");
            let (node, tellers) = AtNode::new(spec, graph);
            let (place, asked) = (all.len(), node.asked);
            listeners.extend(tellers.map(|tellers| Listener { place, asked, tellers }));
            all.push(node);
        }
        let wiring = Wiring::new(graph.links().len(), all.len(), listeners, seed);
        Self { all, places, wiring }
    }

    /// What tells the node to which a link leads, and that node.
    pub(super) fn told_by(&mut self, link: usize) -> Option<(&mut Announcing, &mut AtNode)> {
        let announcing = self.wiring.announcing(link)?;
        let node = self.all.get_mut(announcing.place)?;
        Some((announcing, node))
    }

    #[inline]
    pub(super) fn place_of(&self, node: NodeId) -> Option<usize> {
        self.places.get(node.index()).copied().flatten().map(|place| place as usize)
    }

    pub(super) fn at_place(&mut self, place: usize) -> &mut AtNode {
        &mut self.all[place]
    }

    /// Packets that wait.
    pub(super) fn packets_waiting(&self) -> u64 {
        self.all.iter().map(|states| u64::from(states.waiting)).sum()
    }

    /// Managers have had all iterations before `now`.
    fn iterate_before(&mut self, now: Time) {
        self.all.iter_mut().filter_map(AtNode::told).for_each(|cache| cache.iterate_before(now));
    }
}

impl Hooks for States {
    type Counts = Vec<StateNodeCounts>;
    type Outcome = Vec<StateOutcome>;

    fn counts(&mut self, now: Time) -> Self::Counts {
        self.iterate_before(now);
        let counts = |(place, states): (usize, &AtNode)| {
            let told = states.told_counts().map(|cache| ToldCounts::of(&cache, self.wiring.telling(place), now));
            StateNodeCounts { told: told.unwrap_or_default(), ..states.counts() }
        };
        self.all.iter().enumerate().map(counts).collect()
    }

    fn ends(&mut self, end: Time) {
        self.iterate_before(end);
    }

    /// Checks that no notification was lost, and, if links are steady, that packets came when they were expected.
    fn into_outcome(self, counted: Counted<Self::Counts>, steady: bool) -> Self::Outcome {
        let wiring = self.wiring;
        let outcome = |(place, (states, (counts, uncounted))): (usize, (AtNode, _))| {
            let told = states.told_counts().map(|cache| ToldOutcome::new(cache, wiring.telling(place)));
            if let Some(told) = &told {
                assert!(told.is_conserved(), "every notification is accounted for: {told:?}");
                let is_exact = !steady || !told.is_complete() || told.cache.fpms.mistimed == 0;
                assert!(is_exact, "packets come when they are expected: {told:?}");
            }
            StateOutcome { node: states.node, counts, accesses: states.into_accesses(), uncounted, told }
        };
        self.all.into_iter().zip(with_accesses_before(counted)).enumerate().map(outcome).collect()
    }
}

/// What each node counted, and its accesses before.
fn with_accesses_before(counted: Counted<Vec<StateNodeCounts>>) -> Vec<(StateNodeCounts, u64)> {
    match counted {
        Counted::All(last) => last.into_iter().map(|last| (last, 0)).collect(),
        Counted::Nothing(last) => last.iter().map(|last| (StateNodeCounts::default(), last.cache.accesses())).collect(),
        Counted::Between(from, last) => {
            let both = last.iter().zip(&from);
            both.map(|(last, from)| (last.since(from), from.cache.accesses())).collect()
        }
    }
}
