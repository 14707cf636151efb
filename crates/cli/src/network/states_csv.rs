//! Every cache of states of a run as a line of CSV.

use super::state_result::NodeResult;
use crate::output::csv::lines;

const HEADER: [&str; 16] = [
    "state",
    "node",
    "key",
    "policy",
    "states",
    "entries",
    "accesses",
    "hits",
    "delayed_hits",
    "misses",
    "evictions",
    "refused",
    "dropped",
    "waited_ns",
    "max_waiting",
    "optimum_misses",
];

/// The whole table with its header: what was counted in the counted window, but for the most packets that waited, which is
/// of the whole run.
pub(super) fn states_csv(nodes: &[NodeResult]) -> String {
    let rows = nodes.iter().map(|node| {
        let (counts, cache) = (&node.counts, &node.counts.cache);
        let words = [&node.state, &node.node, &node.key, &node.policy].map(String::clone);
        let numbers = [
            node.states,
            node.entries,
            cache.accesses(),
            cache.hits,
            cache.delayed_hits,
            cache.misses,
            cache.evictions,
            cache.refused,
            counts.packets_dropped,
        ];
        let waited_ns = counts.waited_ps as f64 / 1e3;
        let optimum = node.optimum_misses.map_or_else(String::new, |misses| misses.to_string());
        let last = [waited_ns.to_string(), counts.most_waiting.to_string(), optimum];
        words.into_iter().chain(numbers.map(|number| number.to_string())).chain(last).collect()
    });
    lines(&HEADER, rows)
}
