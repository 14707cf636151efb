//! What is reported of runs and of groups of flows, with the names that results and tables have for it.

use super::run_result::{GroupResult, RunResult};
use super::state_result::StateResult;
use crate::statistics::{Quantity, quantities};

/// Of a run.
pub(super) const OF_RUNS: &[Quantity<RunResult>] = quantities![
    "flows": |run| Some(run.flows as f64),
    "completed": |run| Some(run.completed as f64),
    "unfinished": |run| Some(run.unfinished as f64),
    "endless": |run| Some(run.endless as f64),
    "offered_load": |run| run.offered_load,
    "goodput_bps": |run| run.goodput_bps,
    "delivered_bps": |run| run.delivered_bps,
    "drops": |run| Some(run.dropped() as f64),
    "drop_share": |run| {
        let injected = run.cards.packets_offered as f64;
        (injected > 0.0).then(|| run.dropped() as f64 / injected)
    },
    "switch_drops_discipline": |run| Some(run.switches.packets_dropped as f64),
    "switch_drops_shared_buffer": |run| Some(run.switches.packets_dropped_shared as f64),
    "switch_drops_link": |run| Some(run.switches.packets_lost as f64),
    "switch_drops_no_route": |run| Some(run.dropped_no_route() as f64),
    "switch_drops_state": |run| Some(run.dropped_state() as f64),
    "card_drops": |run| Some(run.cards.drops() as f64),
    "marks": |run| Some((run.switches.packets_marked + run.cards.packets_marked) as f64),
    "data_segments": |run| Some(run.senders.data_segments as f64),
    "retransmissions": |run| Some(run.senders.retransmissions as f64),
    "timeouts": |run| Some(run.senders.timeouts as f64),
    "fast_retransmits": |run| Some(run.senders.fast_retransmits as f64),
    "switch_utilisation": |run| run.switches.utilisation,
    "card_utilisation": |run| run.cards.utilisation,
    "busiest_utilisation": |run| run.busiest.as_ref().map(|busiest| busiest.utilisation),
    "mean_queue_bytes": |run| run.switches.mean_queue_bytes,
    "max_queue_bytes": |run| run.longest_queue.as_ref().map(|longest| longest.bytes as f64),
    "all_drops_discipline": |run| Some(run.drops.discipline as f64),
    "all_drops_shared_buffer": |run| Some(run.drops.shared_buffer as f64),
    "all_drops_on_link": |run| Some(run.drops.on_link as f64),
    "all_drops_link_down": |run| Some(run.drops.link_down as f64),
    "all_drops_no_route": |run| Some(run.drops.no_route as f64),
    "all_drops_state": |run| Some(run.drops.state as f64),
    "inversions": |run| {
        let counts = run.inversions.iter().map(|link| link.inversions as f64);
        (!run.inversions.is_empty()).then(|| counts.sum())
    },
    "packets_injected": |run| Some(run.packets_injected as f64),
    "packets_delivered": |run| Some(run.packets_delivered as f64),
    "packets_in_network": |run| Some(run.packets_in_network as f64),
    "packet_hops": |run| Some(run.packet_hops as f64),
    "events": |run| Some(run.events as f64),
    "end_ns": |run| Some(run.end_ns),
];

/// Of states in switches.
pub(super) const OF_STATES: &[Quantity<StateResult>] = quantities![
    "nodes": |state| Some(state.nodes as f64),
    "states": |state| Some(state.states as f64),
    "entries": |state| Some(state.entries as f64),
    "accesses": |state| Some(state.accesses() as f64),
    "hits": |state| Some(state.hits as f64),
    "delayed_hits": |state| Some(state.delayed_hits as f64),
    "misses": |state| Some(state.misses as f64),
    "delayed_hit_share": |state| state.per_access(state.delayed_hits as f64),
    "miss_share": |state| state.per_access(state.misses as f64),
    "fetches": |state| Some(state.fetches() as f64),
    "mean_wait_ns": |state| state.per_access(state.waited_ns),
    "max_waiting": |state| Some(state.max_waiting as f64),
    "evictions": |state| Some(state.evictions as f64),
    "refused": |state| Some(state.refused as f64),
    "dropped": |state| Some(state.dropped as f64),
    "optimum_misses": |state| Some(state.optimum_misses? as f64),
    "optimum_miss_share": |state| state.per_access(state.optimum_misses? as f64),
    "prefetches": |state| Some(state.told?.prefetches as f64),
    "prefetches_late": |state| Some(state.told?.prefetches_late as f64),
    "prefetches_unused": |state| Some(state.told?.prefetches_unused as f64),
    "fpms_made": |state| Some(state.told?.fpms_made as f64),
    "fpms_sent": |state| Some(state.told?.fpms_sent as f64),
    "fpms_dropped": |state| Some(state.told?.fpms_dropped as f64),
    "fpms_stale": |state| Some(state.told?.fpms_stale as f64),
    "fpms_lost": |state| Some(state.told?.fpms_lost as f64),
    "fpms_used": |state| Some(state.told?.fpms_used as f64),
    "fpms_expired": |state| Some(state.told?.fpms_expired as f64),
    "fpms_ended": |state| Some(state.told?.fpms_ended as f64),
    "forecasts": |state| Some(state.told?.forecasts as f64),
    "forecasts_replaced": |state| Some(state.told?.forecasts_replaced as f64),
    "mean_forecast_error_ns": |state| state.told?.mean_forecast_error_ns(),
    "mistimed": |state| Some(state.told?.mistimed as f64),
    "mean_error_ns": |state| state.told?.mean_error_ns(),
    "max_error_ns": |state| Some(state.told?.greatest_error_ns),
    "control_packets": |state| Some(state.told?.control_packets as f64),
    "control_share": |state| state.told?.control_share(),
    "fpm_bps": |state| state.told?.fpm_bps(),
    "mean_lead_ns": |state| state.told.and_then(|told| told.per_used(told.lead_ns)),
    "mean_known": |state| state.told.and_then(|told| told.per_used(told.known)),
];

/// Of a group of flows.
pub(super) const OF_GROUPS: &[Quantity<GroupResult>] = quantities![
    "flows": |group| Some(group.flows as f64),
    "completed": |group| Some(group.completed as f64),
    "unfinished": |group| Some(group.unfinished as f64),
    "endless": |group| Some(group.endless as f64),
    "bytes": |group| Some(group.bytes as f64),
    "bytes_completed": |group| Some(group.bytes_completed as f64),
    "fct_ns_mean": |group| group.fct_ns.mean,
    "fct_ns_p50": |group| group.fct_ns.p50,
    "fct_ns_p99": |group| group.fct_ns.p99,
    "fct_ns_p999": |group| group.fct_ns.p999,
    "fct_ns_max": |group| group.fct_ns.max,
    "fct_at_least_ns_mean": |group| group.fct_at_least_ns.mean,
    "fct_at_least_ns_p99": |group| group.fct_at_least_ns.p99,
    "slowdown_mean": |group| group.slowdown.mean,
    "slowdown_p50": |group| group.slowdown.p50,
    "slowdown_p99": |group| group.slowdown.p99,
    "slowdown_p999": |group| group.slowdown.p999,
    "slowdown_max": |group| group.slowdown.max,
];

/// The names of all numbers: of runs, of groups of flows, of states.
#[cfg(test)]
pub(crate) fn names() -> [Vec<&'static str>; 3] {
    fn of<T>(quantities: &[Quantity<T>]) -> Vec<&'static str> {
        quantities.iter().map(|quantity| quantity.name).collect()
    }
    [of(OF_RUNS), of(OF_GROUPS), of(OF_STATES)]
}
