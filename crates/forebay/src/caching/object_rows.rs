//! A row for every object of a run, with the latency of its requests.

use super::outcome::ObjectNumbers;
use super::units::ticks_per_unit;
use crate::detail::{Column, DetailTable, Part, Rows, Value};
use crate::error::Result;
use forebay_core::Clock;

/// The table of objects under the policies that `attribute` names.
pub(crate) static OBJECTS: DetailTable = DetailTable {
    name: "objects",
    columns: &[
        Column::code("object"),
        Column::count("requests"),
        Column::number("burstiness"),
        Column::number("total_latency"),
    ],
};

/// Writes the rows of a run, if its objects were watched.
pub(super) fn write_objects(rows: &Rows<'_>, objects: Option<&[ObjectNumbers]>, clock: Clock) -> Result<Option<Part>> {
    let Some(objects) = objects else { return Ok(None) };
    let scale = ticks_per_unit(clock);
    let row = |&(key, requests, burstiness, latency): &ObjectNumbers| {
        let latency = Value::Number(latency as f64 / scale);
        [Value::Whole(key), Value::Whole(requests), Value::number(burstiness), latency]
    };
    rows.write(&OBJECTS, objects.iter().map(row))
}
