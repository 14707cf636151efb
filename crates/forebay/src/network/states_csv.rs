//! Every cache of states of a run as a line of CSV.

use super::state_result::{NodeResult, StateResult};
use crate::metric::{Measured as _, find};
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

/// Metrics of states that are told what comes.
const TOLD: [&str; 22] = [
    "prefetches",
    "prefetches_late",
    "prefetches_unused",
    "fpms_made",
    "fpms_sent",
    "fpms_dropped",
    "fpms_stale",
    "fpms_lost",
    "fpms_used",
    "fpms_expired",
    "fpms_ended",
    "forecasts",
    "forecasts_replaced",
    "mean_forecast_error_ns",
    "mistimed",
    "mean_error_ns",
    "max_error_ns",
    "control_packets",
    "control_share",
    "fpm_bps",
    "mean_lead_ns",
    "mean_known",
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
        let result = StateResult::of_node(node);
        let told = TOLD.iter().filter_map(|name| StateResult::how(find(name)?)).map(|how| how(&result));
        let told = told.map(|number| number.map_or_else(String::new, |number| number.to_string()));
        words.into_iter().chain(numbers.map(|number| number.to_string())).chain(last).chain(told).collect()
    });
    lines(&[&HEADER[..], &TOLD].concat(), rows)
}
