//! Counters of caches of states: of each cache, and of all caches of one kind.

use super::fetch_result::FetchResult;
use super::notification_result::ToldResult;
use super::states::ALL;
use forebay_sim::net::{FetchCounts, StateNodeCounts};
use serde::{Deserialize, Serialize};

/// The result of one cache.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NodeResult {
    /// The name of the cache's `[[state]]`.
    pub(super) state: String,
    pub(super) key: String,
    pub(super) policy: String,
    /// The name of the cache's node.
    pub(super) node: String,
    /// The number of states that pass the cache.
    pub(super) states: u64,
    pub(super) entries: u64,
    pub(super) counts: StateNodeCounts,
    /// The counts of its fetches in the whole run, if they travelled over the network.
    pub(super) fetches: Option<FetchCounts>,
    /// The sum of the times for which the links that notify it were counted, if there are any.
    pub(super) telling_ns: Option<f64>,
    pub(super) optimum_misses: Option<u64>,
}

impl NodeResult {
    /// Returns the counts of notifications; [`None`] if no port may notify.
    pub(super) fn told(&self) -> Option<ToldResult> {
        self.telling_ns.map(|telling_ns| ToldResult::of(&self.counts, telling_ns))
    }
}

/// The result of all caches of a `[[state]]`, or of all caches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateResult {
    pub name: String,
    pub key: String,
    pub policy: String,
    /// The number of caches.
    pub nodes: u64,
    /// The sum of the numbers of states that pass each cache.
    pub states: u64,
    /// The sum of the caches' capacities.
    pub entries: u64,
    pub hits: u64,
    pub delayed_hits: u64,
    pub misses: u64,
    pub evictions: u64,
    pub refused: u64,
    /// The number of packets that found no room to wait.
    pub dropped: u64,
    /// The sum of the times for which packets waited.
    pub waited_ns: f64,
    /// The largest number of packets that waited at a node at a time, in the whole run.
    pub max_waiting: u64,
    /// The misses of Belady's algorithm, if they were asked for.
    pub optimum_misses: Option<u64>,
    /// Notifications, by how they ended; [`None`] if there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub told: Option<ToldResult>,
    /// Fetches over the network; [`None`] if there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub travelled: Option<FetchResult>,
}

impl StateResult {
    /// Sums the caches of one kind, of which there is at least one.
    pub(super) fn of(nodes: &[NodeResult]) -> Self {
        let each: Vec<Self> = nodes.iter().map(Self::of_node).collect();
        Self { name: nodes[0].state.clone(), ..Self::sum(&each) }
    }

    /// Returns the result of one cache, named after its node.
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

    /// Sums several results, at least one; a field in which they differ becomes `-`.
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

    /// Returns the number of reads of the backing store.
    pub(crate) fn fetches(&self) -> u64 {
        self.misses + self.told.map_or(0, |told| told.prefetches)
    }

    pub(crate) fn accesses(&self) -> u64 {
        self.hits + self.delayed_hits + self.misses
    }

    /// Returns `number` per access; [`None`] without accesses.
    pub(crate) fn per_access(&self, number: f64) -> Option<f64> {
        (self.accesses() > 0).then(|| number / self.accesses() as f64)
    }
}
