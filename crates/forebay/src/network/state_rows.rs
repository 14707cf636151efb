//! A row for every cache of states of a run.

use super::notification_result::ToldResult;
use super::state_result::{NodeResult, StateResult};
use crate::detail::{Column, DetailTable, Value};

/// The table of caches of states. Rows of caches without notifications are empty from `prefetches` on.
pub(crate) static STATES: DetailTable = DetailTable {
    name: "states",
    columns: &[
        Column::text("state"),
        Column::text("node"),
        Column::text("key"),
        Column::text("state_policy"),
        Column::count("states"),
        Column::count("entries"),
        Column::count("accesses"),
        Column::count("hits"),
        Column::count("delayed_hits"),
        Column::count("misses"),
        Column::count("evictions"),
        Column::count("refused"),
        Column::count("dropped"),
        Column::number("waited"),
        Column::count("max_waiting"),
        Column::count("optimum_misses"),
        Column::count("prefetches"),
        Column::count("prefetches_late"),
        Column::count("prefetches_unused"),
        Column::count("fpms_made"),
        Column::count("fpms_sent"),
        Column::count("fpms_dropped"),
        Column::count("fpms_stale"),
        Column::count("fpms_lost"),
        Column::count("fpms_corrections"),
        Column::count("fpms_cancelled"),
        Column::count("fpms_used"),
        Column::count("fpms_expired"),
        Column::count("fpms_ended"),
        Column::count("forecasts"),
        Column::count("forecasts_replaced"),
        Column::number("mean_forecast_error"),
        Column::count("mistimed"),
        Column::number("mean_error"),
        Column::number("max_error"),
        Column::count("max_fpms_waiting"),
        Column::count("max_fpms_expected"),
        Column::count("control_packets"),
        Column::number("control_share"),
        Column::number("fpm_rate"),
        Column::number("mean_lead"),
        Column::number("mean_known"),
    ],
};

const NS_PER_S: f64 = 1e9;

/// Returns the rows of a run: the counts in the counted window, except for the largest number of waiting packets, which is that of the
/// whole run.
pub(super) fn state_rows(nodes: &[NodeResult]) -> impl Iterator<Item = [Value<'_>; 42]> {
    nodes.iter().map(|node| {
        let (result, told) = (StateResult::of_node(node), node.told());
        let whole = |of: fn(&ToldResult) -> u64| told.as_ref().map_or(Value::Missing, |told| Value::Whole(of(told)));
        let seconds = |ns: Option<f64>| Value::number(ns.map(|ns| ns / NS_PER_S));
        [
            Value::Text(&node.state),
            Value::Text(&node.node),
            Value::Text(&node.key),
            Value::Text(&node.policy),
            Value::Whole(result.states),
            Value::Whole(result.entries),
            Value::Whole(result.accesses()),
            Value::Whole(result.hits),
            Value::Whole(result.delayed_hits),
            Value::Whole(result.misses),
            Value::Whole(result.evictions),
            Value::Whole(result.refused),
            Value::Whole(result.dropped),
            seconds(Some(result.waited_ns)),
            Value::Whole(result.max_waiting),
            result.optimum_misses.map_or(Value::Missing, Value::Whole),
            whole(|told| told.prefetches),
            whole(|told| told.prefetches_late),
            whole(|told| told.prefetches_unused),
            whole(|told| told.fpms_made),
            whole(|told| told.fpms_sent),
            whole(|told| told.fpms_dropped),
            whole(|told| told.fpms_stale),
            whole(|told| told.fpms_lost),
            whole(|told| told.fpms_corrections),
            whole(|told| told.fpms_cancelled),
            whole(|told| told.fpms_used),
            whole(|told| told.fpms_expired),
            whole(|told| told.fpms_ended),
            whole(|told| told.forecasts),
            whole(|told| told.forecasts_replaced),
            seconds(told.and_then(|told| told.mean_forecast_error_ns())),
            whole(|told| told.mistimed),
            seconds(told.and_then(|told| told.mean_error_ns())),
            seconds(told.map(|told| told.greatest_error_ns)),
            whole(|told| told.max_fpms_waiting),
            whole(|told| told.max_fpms_expected),
            whole(|told| told.control_packets),
            Value::number(told.and_then(|told| told.control_share())),
            Value::number(told.and_then(|told| told.fpm_bps())),
            seconds(told.and_then(|told| told.per_used(told.lead_ns))),
            Value::number(told.and_then(|told| told.per_used(told.known))),
        ]
    })
}
