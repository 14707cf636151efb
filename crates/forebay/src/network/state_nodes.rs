//! The caches of a run: the size of each, and its counts.

use super::cell::Cell;
use super::state_policy::StatePolicy;
use super::state_result::{NodeResult, StateResult};
use super::states::{Capacity, StatePlan};
use crate::error::{Result, UserError, WrongValue};
use forebay_cache::seer::SeerCache;
use forebay_cache::{BackingStore, StateCache, StateCacheSpec};
use forebay_core::convert::index;
use forebay_core::{ParamError, Rate, Seed};
use forebay_sim::net::{
    AskedOf, Census, FlowRecord, Foreseen, LinkSpec, NodeId, Notifier, Objects, RemoteStore, Routes, StateKey,
    StateOutcome, StateStore, StatefulNode, StatesOfFlows, Told, belady_counts,
};

/// A cache in a run.
pub(super) struct StateNode<'a> {
    cell: &'a Cell,
    plan: &'a StatePlan,
    policy: &'a StatePolicy,
    asked: AskedOf,
    node: NodeId,
    /// The number of states that pass the cache.
    states: u64,
    cache: StateCacheSpec,
    /// The seed of the node's random numbers.
    node_seed: Seed,
    /// Where it fetches from, if that is another store than one whose fetches all take the same time.
    store: Option<BackingStore>,
    remote: Option<RemoteStore>,
}

impl StateNode<'_> {
    fn built(&self, policy: &StatePolicy, foreseen: Option<Foreseen>, recorded: bool) -> Result<StatefulNode> {
        let cache = || StateCache::new(&self.cache, &policy.choice).map(|cache| Box::new(self.in_front(cache)));
        let store = match (self.told(policy), foreseen) {
            (Some(told), _) => told.map(|told| StateStore::Told(Box::new(told))),
            (None, Some(foreseen)) => cache().map(|cache| StateStore::Foreseen(cache, foreseen)),
            (None, None) => cache().map(StateStore::OnDemand),
        };
        Ok(StatefulNode {
            node: self.node,
            asked: self.asked,
            store: store.map_err(|error| wrong(&error))?,
            remote: self.remote.clone(),
            waits: self.plan.waits,
            waiting_packets: self.plan.waiting_packets,
            lookahead: self.cell.policy.looks_ahead(self.plan),
            recorded,
        })
    }

    fn in_front(&self, cache: StateCache) -> StateCache {
        match &self.store {
            None => cache,
            Some(store) => cache.in_front_of(store.clone()),
        }
    }

    /// The cache and the ports that notify it, if there are packets and notifications.
    fn told(&self, policy: &StatePolicy) -> Option<std::result::Result<Told, ParamError>> {
        let Cell { policy: plan, common, .. } = self.cell;
        let graph = &common.settings.topology.graph;
        let seer = plan.seer(self.plan).filter(|_| graph.links().iter().any(|link| link.to == self.node))?;
        let cache = |rates: Vec<Rate>| {
            let cache = SeerCache::new(&seer.cache(self.cache, rates, &common.changes), &policy.choice)?;
            Ok(match &self.store {
                None => cache,
                Some(store) => cache.in_front_of(store.clone()),
            })
        };
        let telling = seer.telling(graph, self.node, self.node_seed);
        let notifier = |link: &LinkSpec| {
            let notifier = plan.order(graph, link.from).ok().map(|order| {
                let announcer = order.announcer(seer.announcer(link.rate, order.queues))?;
                Ok(Notifier { announcer, order: order.order(), impairments: seer.impairments })
            });
            notifier.transpose()
        };
        let if_telling = |number, link: &LinkSpec| if telling.contains(&number) { notifier(link) } else { Ok(None) };
        let relayed = seer.telling_neighbours(graph, &telling);
        let relayed = relayed.into_iter().filter_map(|number| {
            let notifier = notifier(&graph.links()[number]).transpose()?;
            Some(notifier.map(|notifier| (number, notifier)))
        });
        let relayed = seer.relay.then(|| relayed.collect::<std::result::Result<_, _>>()).transpose();
        Some(relayed.and_then(|relayed| Told::at(graph, self.node, cache, if_telling, relayed)))
    }
}

impl Cell {
    /// Returns the states that packets need, for each kind.
    fn asked(&self, seed: Seed) -> Vec<AskedOf> {
        self.common.states.iter().map(|plan| drawn(plan.asked, seed)).collect()
    }

    /// Returns the states that are alive at once, for the flows of a run that has ended.
    pub(super) fn count_alive(&self, seed: Seed, flows: &[FlowRecord]) -> Result<Vec<StatesOfFlows>> {
        let answered = self.answered()?;
        let graph = &self.common.settings.topology.graph;
        let census = Census { graph, seed, answered: &answered, until: self.until() };
        Ok(census.count_alive(flows, &self.asked(seed)))
    }

    /// Returns all caches of a run with this seed. To count states, flows are drawn once. `alive` has the states that are alive at once, if
    /// the size of a cache depends on them.
    pub(super) fn state_nodes(&self, seed: Seed, alive: &[StatesOfFlows]) -> Result<Vec<StateNode<'_>>> {
        let plans = &self.common.states;
        if plans.is_empty() {
            return Ok(Vec::new());
        }
        let graph = &self.common.settings.topology.graph;
        let answered = self.answered()?;
        let census = Census { graph, seed, answered: &answered, until: self.until() };
        let asked = self.asked(seed);
        let counted = census.count(&mut self.flows(seed)?, &asked);
        let mut nodes: Vec<StateNode<'_>> = Vec::new();
        let routes = plans.iter().any(|plan| plan.store.remote.is_some()).then(|| Routes::new(graph, |_| true));
        for (number, (plan, counted)) in plans.iter().zip(counted).enumerate() {
            for &node in &plan.nodes {
                let states = counted.at_node[node.index()];
                let entries = match plan.capacity {
                    Capacity::Entries(entries) => entries,
                    Capacity::OfNode(share) => part(share, states),
                    Capacity::OfNetwork(share) => part(share, counted.in_network),
                    Capacity::OfAlive(share) => part(share, alive[number].at_node[node.index()]),
                };
                let node_seed = seed.part(&format!("state/{}", graph.nodes()[node.index()].name));
                let is_first = !plans[..number].iter().any(|plan| plan.is_at(node));
                let own_seed = if is_first { node_seed } else { node_seed.part(&plan.name) };
                let given = self.policy.latency();
                let mut latency = given.unwrap_or(plan.store.latency);
                let service = |seed| plan.store.service(given, seed);
                let (mut store, mut remote) = (None, None);
                if let (Some(far), Some(routes)) = (&plan.store.remote, &routes) {
                    latency = latency + far.travel(graph, routes, node);
                    store = Some(BackingStore::reporting(latency.as_ps()));
                    remote = Some(far.store(number, service(seed.part(&format!("store/{}", plan.name)))));
                } else if plan.store.drawn.is_some() && given.is_none() {
                    store = Some(service(own_seed));
                }
                let cache = StateCacheSpec { latency: latency.as_ps(), ..plan.cache(entries, own_seed) };
                let policy = self.policy.of_states(plan);
                let asked = asked[number];
                nodes.push(StateNode {
                    cell: self,
                    plan,
                    policy,
                    asked,
                    node,
                    states,
                    cache,
                    node_seed,
                    store,
                    remote,
                });
            }
        }
        Ok(nodes)
    }

    /// Returns whether a cache uses notifications.
    pub(super) fn looks_ahead(&self) -> bool {
        self.common.states.iter().any(|plan| self.policy.of_states(plan).choice.offline())
    }
}

/// Returns the states that packets need in the run with this seed: all nodes draw the same objects for its flows.
fn drawn(asked: AskedOf, seed: Seed) -> AskedOf {
    match asked.key {
        StateKey::Object(objects) => {
            AskedOf { key: StateKey::Object(Objects { seed: seed.part("objects").0, ..objects }), ..asked }
        }
        _ => asked,
    }
}

/// This share of `states`, rounded down; rounding errors of the arithmetic do not count.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
fn part(share: f64, states: u64) -> u64 {
    (share * states as f64 + 1e-6) as u64
}

/// Returns the caches in the form that a network uses. Offline policies see the accesses that `earlier` has recorded.
pub(super) fn stateful(nodes: &[StateNode<'_>], earlier: Option<&[StateOutcome]>) -> Result<Vec<StatefulNode>> {
    let built = |(place, node): (usize, &StateNode<'_>)| {
        let earlier = earlier.and_then(|earlier| earlier.get(place)).filter(|_| node.policy.choice.offline());
        let foreseen = earlier.map(|earlier| Foreseen::new(&earlier.accesses, node.cache.latency));
        node.built(node.policy, foreseen, node.plan.optimum)
    };
    nodes.iter().enumerate().map(built).collect()
}

/// Returns the caches under LRU, which records the accesses that offline policies need.
pub(super) fn recorded(nodes: &[StateNode<'_>]) -> Result<Vec<StatefulNode>> {
    let lru: StatePolicy = "lru".parse().map_err(|wrong: WrongValue| UserError::new(wrong))?;
    let built = |node: &StateNode<'_>| {
        let is_offline = node.policy.choice.offline();
        node.built(if is_offline { &lru } else { node.policy }, None, is_offline)
    };
    nodes.iter().map(built).collect()
}

/// Returns the counts of each cache. Belady's algorithm is run here, cache by cache. `counted_ns` is the length of the counted window.
pub(super) fn node_results(
    cell: &Cell,
    nodes: &[StateNode<'_>],
    outcomes: &[StateOutcome],
    counted_ns: f64,
) -> Result<Vec<NodeResult>> {
    let graph = &cell.common.settings.topology.graph;
    let result = |(node, outcome): (&StateNode<'_>, &StateOutcome)| {
        let belady = || {
            let from = index(outcome.uncounted);
            let counted = index(outcome.counts.cache.accesses());
            belady_counts(&outcome.accesses, from..from + counted, &node.cache).map(|counts| counts.misses)
        };
        Ok(NodeResult {
            state: node.plan.name.clone(),
            key: node.plan.asked.key.name().to_owned(),
            policy: node.policy.to_string(),
            node: graph.nodes()[node.node.index()].name.clone(),
            states: node.states,
            entries: node.cache.entries,
            counts: outcome.counts,
            fetches: outcome.fetches,
            telling_ns: outcome.told.as_ref().map(|told| told.notifiers.len() as f64 * counted_ns),
            optimum_misses: node.plan.optimum.then(belady).transpose().map_err(|error| wrong(&error))?,
        })
    };
    nodes.iter().zip(outcomes).map(result).collect()
}

/// Sums the results of each kind of state, in the order of the scenario.
pub(super) fn state_results(nodes: &[NodeResult]) -> Vec<StateResult> {
    nodes.chunk_by(|one, other| one.state == other.state).map(StateResult::of).collect()
}

fn wrong(error: &ParamError) -> UserError {
    UserError::new(error.to_string())
}
