//! Queues, windows and received bytes of a run over time: a row for each number.

use super::run_result::SeriesResult;
use crate::detail::{Column, DetailTable, Value};

/// The table of bytes over time: `queue` of a link, `window` and `received` of a flow.
pub(crate) static SERIES: DetailTable = DetailTable {
    name: "series",
    columns: &[
        Column::text("metric"),
        Column::text("link"),
        Column::count("flow"),
        Column::number("time"),
        Column::count("value"),
    ],
};

const NS_PER_S: f64 = 1e9;

/// Returns the rows of a run, link by link and flow by flow. A time at which a flow has no window has no row.
pub(super) fn series_rows(series: &SeriesResult) -> impl Iterator<Item = [Value<'_>; 5]> {
    let times = || series.times_ns.iter().map(|ns| Value::Number(ns / NS_PER_S));
    let of_link = move |link, bytes: &'_ [u64]| {
        times().zip(bytes.to_vec()).map(move |(time, bytes)| {
            [Value::Text("queue"), Value::Text(link), Value::Missing, time, Value::Whole(bytes)]
        })
    };
    let of_flow = move |metric, flow: u32, bytes: Vec<Option<u64>>| {
        times().zip(bytes).filter_map(move |(time, bytes)| {
            Some([Value::Text(metric), Value::Missing, Value::Whole(flow.into()), time, Value::Whole(bytes?)])
        })
    };
    let queues = series.queues.iter().flat_map(move |queue| of_link(&queue.link, &queue.bytes));
    let windows = series.windows.iter().flat_map(move |own| of_flow("window", own.flow, own.bytes.clone()));
    let received = series.received.iter();
    let received =
        received.flat_map(move |own| of_flow("received", own.flow, own.bytes.iter().copied().map(Some).collect()));
    queues.chain(windows).chain(received)
}
