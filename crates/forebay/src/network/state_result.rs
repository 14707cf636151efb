//! Counters of caches of states: of each, and of all of one kind.

use super::fetch_result::FetchResult;
use super::notification_result::ToldResult;
use super::states::ALL;
use forebay_sim::net::{FetchCounts, StateNodeCounts};
use serde::{Deserialize, Serialize};

/// One cache.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NodeResult {
    /// The name of its [[state]].
    pub(super) state: String,
    pub(super) key: String,
    pub(super) policy: String,
    /// Where it stands.
    pub(super) node: String,
    /// How many states pass it.
    pub(super) states: u64,
    pub(super) entries: u64,
    pub(super) counts: StateNodeCounts,
    /// What became of its fetches in the whole run, if they travelled over the network.
    pub(super) fetches: Option<FetchCounts>,
    /// For how long the links that notify it were counted, added up, if there are any.
    pub(super) telling_ns: Option<f64>,
    pub(super) optimum_misses: Option<u64>,
}

impl NodeResult {
    /// What became of notifications; [`None`] where no port may notify.
    pub(super) fn told(&self) -> Option<ToldResult> {
        self.telling_ns.map(|telling_ns| ToldResult::of(&self.counts, telling_ns))
    }
}

/// All caches of a `[[state]]`, or of all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateResult {
    pub name: String,
    pub key: String,
    pub policy: String,
    /// How many caches.
    pub nodes: u64,
    /// States that pass each, added up.
    pub states: u64,
    /// Those that each has room for, added up.
    pub entries: u64,
    pub hits: u64,
    pub delayed_hits: u64,
    pub misses: u64,
    pub evictions: u64,
    pub refused: u64,
    /// Packets that found no room to wait.
    pub dropped: u64,
    /// That packets waited.
    pub waited_ns: f64,
    /// Most packets that waited at a node at a time, in the whole run.
    pub max_waiting: u64,
    /// Misses of Belady's algorithm, if they were asked for.
    pub optimum_misses: Option<u64>,
    /// Notifications, by how they ended; [`None`] where there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub told: Option<ToldResult>,
    /// Fetches over the network; [`None`] where there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub travelled: Option<FetchResult>,
}

impl StateResult {
    /// Of the caches of one kind, of which there is at least one.
    pub(super) fn of(nodes: &[NodeResult]) -> Self {
        let each: Vec<Self> = nodes.iter().map(Self::of_node).collect();
        Self { name: nodes[0].state.clone(), ..Self::sum(&each) }
    }

    /// Of one cache; its node is its name.
    pub(super) fn of_node(node: &NodeResult) -> Self {
        let counts = &node.counts;
        Self {
            name: node.node.clone(),
            key: node.key.clone(),
            policy: node.policy.clone(),
            nodes: 1,
            states: node.states,
            entries: node.entries,
            hits: counts.cache.hits,
            delayed_hits: counts.cache.delayed_hits,
            misses: counts.cache.misses,
            evictions: counts.cache.evictions,
            refused: counts.cache.refused,
            dropped: counts.packets_dropped,
            waited_ns: counts.waited_ps as f64 / 1e3,
            max_waiting: u64::from(counts.most_waiting),
            optimum_misses: node.optimum_misses,
            told: node.told(),
            travelled: node.fetches.as_ref().map(FetchResult::of),
        }
    }

    /// Of several together, of which there is at least one; what they do not agree about is `-`.
    pub(super) fn sum(parts: &[Self]) -> Self {
        let agreed = |of: fn(&Self) -> &String| {
            let first = of(&parts[0]);
            if parts.iter().all(|part| of(part) == first) { first.clone() } else { "-".to_owned() }
        };
        let sum = |of: fn(&Self) -> u64| parts.iter().map(of).sum();
        Self {
            name: ALL.to_owned(),
            key: agreed(|part| &part.key),
            policy: agreed(|part| &part.policy),
            nodes: sum(|part| part.nodes),
            states: sum(|part| part.states),
            entries: sum(|part| part.entries),
            hits: sum(|part| part.hits),
            delayed_hits: sum(|part| part.delayed_hits),
            misses: sum(|part| part.misses),
            evictions: sum(|part| part.evictions),
            refused: sum(|part| part.refused),
            dropped: sum(|part| part.dropped),
            waited_ns: parts.iter().map(|part| part.waited_ns).sum(),
            max_waiting: parts.iter().map(|part| part.max_waiting).max().unwrap_or(0),
            optimum_misses: parts.iter().map(|part| part.optimum_misses).sum(),
            told: parts.iter().filter_map(|part| part.told).reduce(ToldResult::plus),
            travelled: parts.iter().filter_map(|part| part.travelled).reduce(FetchResult::plus),
        }
    }

    /// Reads of the backing store.
    pub(crate) fn fetches(&self) -> u64 {
        self.misses + self.told.map_or(0, |told| told.prefetches)
    }

    pub(crate) fn accesses(&self) -> u64 {
        self.hits + self.delayed_hits + self.misses
    }

    /// Over all accesses; [`None`] without any.
    pub(crate) fn per_access(&self, number: f64) -> Option<f64> {
        (self.accesses() > 0).then(|| number / self.accesses() as f64)
    }
}
