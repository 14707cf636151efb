//! Counts the states of a run and the states that pass each node, to choose the size of a cache.

use super::key::{AskedOf, Ends, StateKey};
use crate::net::flow::{FlowSource, FlowSpec};
use crate::net::graph::Graph;
use crate::net::hosts::{flow_seed, path_hash};
use crate::net::routing::Routes;
use forebay_core::{Seed, Time};
use rustc_hash::FxHashSet;

/// A run whose states are counted before it begins.
pub struct Census<'a> {
    /// The network, in which nothing has failed.
    pub graph: &'a Graph,
    /// The seed of the run, which determines the paths of flows.
    pub seed: Seed,
    /// For each workload, whether receivers send answers.
    pub answered: &'a [bool],
    /// The time after which no flows start.
    pub until: Time,
}

/// The numbers of states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatesOfFlows {
    /// The number of states in the whole network.
    pub in_network: u64,
    /// For each node, the number of states of packets that pass it.
    pub at_node: Vec<u64>,
}

impl Census<'_> {
    /// Counts the states of all flows of `source`, for each of `asked`.
    pub fn count(&self, source: &mut dyn FlowSource, asked: &[AskedOf]) -> Vec<StatesOfFlows> {
        let routes = Routes::new(self.graph, |_| true);
        let nodes = self.graph.nodes().len();
        let mut seen: Vec<Vec<Seen>> = asked.iter().map(|_| vec![Seen::default(); nodes + 1]).collect();
        let mut number = 0;
        while let Some(flow) = source.next_flow().filter(|flow| flow.start <= self.until) {
            self.each_state(&routes, number, &flow, asked, |place, node, key| {
                seen[place][node].see(asked[place].key, key);
            });
            number += 1;
        }
        let states = |mut seen: Vec<Seen>| {
            let in_network = seen.pop().map_or(0, |seen| seen.count);
            StatesOfFlows { in_network, at_node: seen.iter().map(|seen| seen.count).collect() }
        };
        seen.into_iter().map(states).collect()
    }

    /// Calls `see` for each state that packets of a flow need: which of `asked` it is, the node, and the key. The whole network is
    /// one node more, the last.
    pub(super) fn each_state(
        &self,
        routes: &Routes,
        number: u32,
        flow: &FlowSpec,
        asked: &[AskedOf],
        mut see: impl FnMut(usize, usize, u64),
    ) {
        let hash = path_hash(flow_seed(self.seed, number));
        let network = self.graph.nodes().len();
        for to_receiver in [true, false] {
            if !to_receiver && !self.answered[usize::from(flow.workload)] {
                continue;
            }
            let (from, to, hash) = if to_receiver { (flow.src, flow.dst, hash) } else { (flow.dst, flow.src, !hash) };
            let path = routes.path(self.graph, from, to, hash).unwrap_or_default();
            for (place, asked) in asked.iter().enumerate() {
                if !to_receiver && !asked.acknowledgements {
                    continue;
                }
                let key = asked.key.of(number, to_receiver, || Ends::of_flow(flow));
                let heads = path.iter().map(|&link| self.graph.links()[link].to.index());
                heads.chain([network]).for_each(|node| see(place, node, key));
            }
        }
    }
}

/// States at one place.
#[derive(Debug, Clone, Default)]
struct Seen {
    count: u64,
    /// Of flows one comes after the other; the last is enough.
    last: Option<u64>,
    keys: FxHashSet<u64>,
}

impl Seen {
    fn see(&mut self, of: StateKey, key: u64) {
        let is_new = if of.is_of_one_flow() { self.last.replace(key) != Some(key) } else { self.keys.insert(key) };
        self.count += u64::from(is_new);
    }
}
