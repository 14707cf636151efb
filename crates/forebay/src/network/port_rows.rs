//! A row for every directed link of a run.

use super::ports::Window;
use super::run_result::MeasureContext;
use crate::detail::{Column, DetailTable, Value};
use forebay_sim::net::NetworkOutcome;

/// The table of directed links with the ports that send into them.
pub(crate) static PORTS: DetailTable = DetailTable {
    name: "ports",
    columns: &[
        Column::text("link"),
        Column::count("rate"),
        Column::count("packets_offered"),
        Column::count("packets_sent"),
        Column::count("bytes_sent"),
        Column::number("utilisation"),
        Column::count("dropped_discipline"),
        Column::count("dropped_shared_buffer"),
        Column::count("lost_link"),
        Column::count("no_route"),
        Column::count("marks"),
        Column::count("max_queue"),
        Column::number("mean_queue"),
    ],
};

/// Returns the rows of a run: the counts of ports in the counted window, except for the longest queue, which is that of the whole run.
pub(super) fn port_rows<'a, E>(
    window: &'a Window,
    outcome: &'a NetworkOutcome<E>,
    context: &'a MeasureContext,
) -> impl Iterator<Item = [Value<'a>; 13]> {
    window.ports(context).zip(&outcome.ports).map(|((link, port), whole)| {
        [
            Value::Text(&link.name),
            Value::Whole(link.rate.bits_per_second()),
            Value::Whole(port.packets_offered),
            Value::Whole(port.packets_sent),
            Value::Whole(port.bytes_sent),
            Value::number(window.utilisation(port)),
            Value::Whole(port.packets_dropped),
            Value::Whole(port.packets_dropped_shared),
            Value::Whole(port.packets_lost),
            Value::Whole(port.packets_no_route),
            Value::Whole(port.packets_marked),
            Value::Whole(whole.max_queue_bytes),
            Value::number(window.mean_queue_bytes(port)),
        ]
    })
}
