//! A row for every flow of a run. The rows can be replayed as a workload.

use super::measure::{completion_time, counts, slowdown};
use super::run_result::MeasureContext;
use crate::detail::{Column, DetailTable, Value};
use forebay_core::Time;
use forebay_sim::net::{FlowRecord, FlowSpec, NetworkOutcome};

/// The table of flows, in order of their starts.
pub(crate) static FLOWS: DetailTable = DetailTable {
    name: "flows",
    columns: &[
        Column::count("flow"),
        Column::text("workload"),
        Column::number("start"),
        Column::text("src"),
        Column::text("dst"),
        Column::count("size"),
        Column::number("received"),
        Column::number("acknowledged"),
        Column::number("fct"),
        Column::number("slowdown"),
        Column::count("data_segments"),
        Column::count("retransmissions"),
        Column::count("timeouts"),
        Column::count("handshake_timeouts"),
        Column::count("fast_retransmits"),
        Column::flag("counted"),
    ],
};

/// Returns the rows of a run. An endless flow has no size, an unfinished one has no times.
pub(super) fn flow_rows<'a, E>(
    outcome: &'a NetworkOutcome<E>,
    context: &'a MeasureContext,
) -> impl Iterator<Item = [Value<'a>; 16]> {
    (0_u64..).zip(&outcome.flows).map(|(number, record)| row(number, record, context))
}

fn row<'a>(number: u64, record: &FlowRecord, context: &'a MeasureContext) -> [Value<'a>; 16] {
    let FlowSpec { start, src, dst, bytes, workload } = record.flow;
    let took = completion_time(record, context);
    let relative = took.and_then(|(took, alone)| slowdown(took, alone));
    [
        Value::Whole(number),
        Value::Text(&context.workloads[usize::from(workload)].name),
        Value::Number(start.as_secs_f64()),
        Value::Text(&context.host_names[src.index()]),
        Value::Text(&context.host_names[dst.index()]),
        if bytes == FlowSpec::ENDLESS { Value::Missing } else { Value::Whole(bytes) },
        Value::number(record.received.map(Time::as_secs_f64)),
        Value::number(record.acknowledged.map(Time::as_secs_f64)),
        Value::number(took.map(|(took, _)| took.as_secs_f64())),
        Value::number(relative),
        Value::Whole(record.sender.data_segments),
        Value::Whole(record.sender.retransmissions),
        Value::Whole(record.sender.timeouts),
        Value::Whole(record.sender.handshake_timeouts),
        Value::Whole(record.sender.fast_retransmits),
        Value::Flag(counts(record, context)),
    ]
}
