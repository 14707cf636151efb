//! A row for every request of a run.

use super::units::ticks_per_unit;
use crate::detail::{Column, DetailTable, PartWriter, Value};
use forebay_cache::{Observer, RequestOutcome};
use forebay_core::{Clock, Request};

/// The table of counted requests, in the order of the trace.
pub(crate) static REQUESTS: DetailTable = DetailTable {
    name: "requests",
    columns: &[
        Column::count("request"),
        Column::number("time"),
        Column::code("object"),
        Column::count("size"),
        Column::text("outcome"),
        Column::number("latency"),
    ],
};

/// Writes a row for each request that is reported to it.
pub(super) struct RequestRows {
    writer: PartWriter,
    /// Ticks of a second; 1 where ticks are slots.
    scale: f64,
    requests: u64,
}

impl RequestRows {
    pub(super) fn new(writer: PartWriter, clock: Clock) -> Self {
        Self { writer, scale: ticks_per_unit(clock), requests: 0 }
    }

    pub(super) fn into_writer(self) -> PartWriter {
        self.writer
    }
}

impl Observer for RequestRows {
    fn outcome(&mut self, request: &Request, outcome: RequestOutcome) {
        self.writer.row(&cells(self.requests, request, outcome, self.scale));
        self.requests += 1;
    }
}

/// Returns the cells of the columns of [`REQUESTS`], for the request of this number; `scale` is the number of ticks in a unit of time.
pub(super) fn cells(number: u64, request: &Request, outcome: RequestOutcome, scale: f64) -> [Value<'static>; 6] {
    let ticks = |ticks: u64| Value::Number(ticks as f64 / scale);
    [
        Value::Whole(number),
        ticks(request.time),
        Value::Whole(request.key),
        Value::Whole(request.size),
        Value::Text(outcome.word()),
        ticks(outcome.latency()),
    ]
}
