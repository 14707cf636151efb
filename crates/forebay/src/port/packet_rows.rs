//! A row for every packet of a run.

use crate::detail::{Column, DetailTable, Value};
use forebay_core::Time;
use forebay_sim::probes::{Fate, LoggedPacket};

/// The table of packets in the order in which they departed or were dropped, and then the packets that were still queued.
pub(crate) static PACKETS: DetailTable = DetailTable {
    name: "packets",
    columns: &[
        Column::count("packet"),
        Column::count("flow"),
        Column::count("class"),
        Column::code("rank"),
        Column::count("size"),
        Column::number("arrival"),
        Column::number("start"),
        Column::number("end"),
        Column::text("fate"),
        Column::flag("marked"),
        Column::text("queue"),
    ],
};

/// Returns the row of a packet; `queue` is the name of the queue that it entered, if a policy has several.
pub(super) fn packet_row<'n>(logged: &LoggedPacket, queue: Option<&'n str>) -> [Value<'n>; 11] {
    let LoggedPacket { packet, start, end, fate } = logged;
    [
        Value::Whole(packet.id),
        Value::Whole(packet.flow.0.into()),
        Value::Whole(packet.class.0.into()),
        Value::Whole(packet.rank),
        Value::Whole(packet.size_bytes.into()),
        Value::Number(packet.arrival.as_secs_f64()),
        Value::number(start.map(Time::as_secs_f64)),
        Value::number(end.map(Time::as_secs_f64)),
        Value::Text(match fate {
            Fate::Sent => "sent",
            Fate::Dropped => "dropped",
            Fate::PushedOut => "pushed-out",
            Fate::Waiting => "waiting",
        }),
        Value::Flag(packet.marks.congested()),
        queue.map_or(Value::Missing, Value::Text),
    ]
}
