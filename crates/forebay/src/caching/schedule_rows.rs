//! A schedule as rows: for each request whether its object stays, and the request's outcome.

use super::request_rows::cells;
use super::units::ticks_per_unit;
use crate::detail::{Column, DetailTable, PartWriter, Value};
use forebay_cache::RequestOutcome;
use forebay_core::{Clock, Request};

/// The table of the best schedule that a search for bounds has found.
pub(crate) static SCHEDULE: DetailTable = DetailTable {
    name: "schedule",
    columns: &[
        Column::count("request"),
        Column::number("time"),
        Column::code("object"),
        Column::count("size"),
        Column::text("outcome"),
        Column::number("latency"),
        Column::flag("stays"),
    ],
};

/// Writes a row for each request.
pub(super) struct ScheduleRows<'a> {
    writer: PartWriter,
    stays: std::slice::Iter<'a, bool>,
    /// Ticks of a second; 1 where ticks are slots.
    scale: f64,
    requests: u64,
}

impl<'a> ScheduleRows<'a> {
    pub(super) fn new(writer: PartWriter, stays: &'a [bool], clock: Clock) -> Self {
        Self { writer, stays: stays.iter(), scale: ticks_per_unit(clock), requests: 0 }
    }

    pub(super) fn row(&mut self, request: &Request, outcome: RequestOutcome) {
        let [number, time, object, size, word, latency] = cells(self.requests, request, outcome, self.scale);
        let stays = Value::Flag(self.stays.next().copied().unwrap_or(false));
        self.writer.row(&[number, time, object, size, word, latency, stays]);
        self.requests += 1;
    }

    pub(super) fn into_writer(self) -> PartWriter {
        self.writer
    }
}
