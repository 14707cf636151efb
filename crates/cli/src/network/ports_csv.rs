//! Every directed link of a run as a line of CSV.

use super::ports::Window;
use super::run_result::MeasureContext;
use crate::output::csv::lines;
use forebay_sim::net::Outcome;

const HEADER: [&str; 13] = [
    "link",
    "rate_bps",
    "packets_offered",
    "packets_sent",
    "bytes_sent",
    "utilisation",
    "dropped_discipline",
    "dropped_shared_buffer",
    "lost_link",
    "no_route",
    "marks",
    "max_queue_bytes",
    "mean_queue_bytes",
];

/// The whole table with its header: what ports counted in the counted window, but for the longest queue, which is that of
/// the whole run.
pub(crate) fn ports_csv<E>(outcome: &Outcome<E>, context: &MeasureContext) -> String {
    let window = Window::of(outcome, context);
    let or_empty = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let rows = window.ports(context).zip(&outcome.ports).map(|((link, port), whole)| {
        vec![
            link.name.clone(),
            link.rate.bits_per_second().to_string(),
            port.packets_offered.to_string(),
            port.packets_sent.to_string(),
            port.bytes_sent.to_string(),
            or_empty(window.utilisation(port)),
            port.packets_dropped.to_string(),
            port.packets_dropped_shared.to_string(),
            port.packets_lost.to_string(),
            port.packets_no_route.to_string(),
            port.packets_marked.to_string(),
            whole.max_queue_bytes.to_string(),
            or_empty(window.mean_queue_bytes(port)),
        ]
    });
    lines(&HEADER, rows)
}
