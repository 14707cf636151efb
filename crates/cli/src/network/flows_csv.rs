//! Every flow of a run as a line of CSV. It can be replayed as a workload.

use super::measure::{completion_time, counts, slowdown};
use super::run_result::MeasureContext;
use crate::output::csv::lines;
use forebay_core::Time;
use forebay_sim::net::{FlowRecord, FlowSpec, Outcome};

const HEADER: [&str; 15] = [
    "flow",
    "workload",
    "start_ns",
    "src",
    "dst",
    "size_bytes",
    "received_ns",
    "acknowledged_ns",
    "fct_ns",
    "slowdown",
    "data_segments",
    "retransmissions",
    "timeouts",
    "fast_retransmits",
    "counted",
];

/// The whole table with its header. Times of unfinished flows are empty.
pub(crate) fn flows_csv<E>(outcome: &Outcome<E>, context: &MeasureContext) -> String {
    lines(&HEADER, (0_u64..).zip(&outcome.flows).map(|(number, record)| row(number, record, context)))
}

fn row(number: u64, record: &FlowRecord, context: &MeasureContext) -> Vec<String> {
    let FlowSpec { start, src, dst, bytes, workload } = record.flow;
    let took = completion_time(record, context);
    let relative = took.and_then(|(took, alone)| slowdown(took, alone));
    vec![
        number.to_string(),
        context.workloads[usize::from(workload)].name.clone(),
        ns(Some(start)),
        context.host_names[src.index()].clone(),
        context.host_names[dst.index()].clone(),
        if bytes == FlowSpec::ENDLESS { "endless".to_owned() } else { bytes.to_string() },
        ns(record.received),
        ns(record.acknowledged),
        took.map_or_else(String::new, |(took, _)| took.as_ns_f64().to_string()),
        relative.map_or_else(String::new, |relative| relative.to_string()),
        record.sender.data_segments.to_string(),
        record.sender.retransmissions.to_string(),
        record.sender.timeouts.to_string(),
        record.sender.fast_retransmits.to_string(),
        counts(record, context).to_string(),
    ]
}

fn ns(time: Option<Time>) -> String {
    time.map_or_else(String::new, |time| time.since(Time::ZERO).as_ns_f64().to_string())
}
