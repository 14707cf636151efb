//! The ranks of packets in a scenario: drawn, as `{ distribution = "uniform", ... }`,
//! or in an order, as `{ order = "ramps", ... }` and `{ order = "list", file = "..." }`.

use super::Files;
use super::distribution::drawn;
use super::policy::{label, param_error};
use super::traffic::trace_error;
use crate::document::{Node, Table, Value};
use crate::error::Result;
use forebay_core::convert::index;
use forebay_core::registry::suggest;
use forebay_traces::distribution::Range;
use forebay_traces::rank_csv::read_rank_csv;
use forebay_traces::{Distribution, RankOrder, RankPattern};

const ORDERS: [&str; 2] = ["ramps", "list"];

/// Reads a number, or a table as [`pattern`] reads it.
pub(super) fn rank(node: &Node, files: &dyn Files) -> Result<RankPattern> {
    match node.value {
        Value::Integer(_) => Ok(RankPattern::Drawn(Distribution::constant(node.integer("rank", 0, u64::MAX)?))),
        Value::Table(_) => Ok(pattern(node, &node.table("rank")?, files)?.1),
        _ => Err(node.error(
            "`rank` must be a number, or like { distribution = \"uniform\", min = 1, max = 100 } or { order = \"list\", \
             file = \"ranks.csv\" }",
        )),
    }
}

/// Reads a rank as `rank` does, but a table may have a `name`, which sweeps use.
pub fn named_rank(node: &Node, files: &dyn Files) -> Result<RankPattern> {
    let Value::Table(_) = node.value else { return rank(node, files) };
    let table = node.table("rank")?;
    table.get("name").map(label).transpose()?;
    Ok(pattern(node, &table, files)?.1)
}

/// The pattern in the fields of `table` that were not read yet, and what the scenario calls it. `node` is the table's place.
pub(super) fn pattern<'a>(node: &Node, table: &Table<'a>, files: &dyn Files) -> Result<(&'a str, RankPattern)> {
    let Some(order) = table.get("order") else {
        let (name, distribution) = drawn(node, table, 0, u64::MAX)?;
        return Ok((name, RankPattern::Drawn(distribution)));
    };
    if table.get("distribution").is_some() {
        return Err(order.error("give either a `distribution` or an `order`, not both"));
    }
    let name = order.text("order")?;
    let ranks = match name {
        "ramps" => ramps(node, table)?,
        "list" => list(table, files)?,
        other => return Err(order.error(format!("unknown order `{other}`{}", suggest(other, ORDERS)))),
    };
    table.finish()?;
    Ok((name, RankPattern::Order(ranks)))
}

fn ramps(node: &Node, table: &Table<'_>) -> Result<RankOrder> {
    let length = table.require("length", "length = 50")?.integer("length", 1, RankOrder::MAX_RANKS as u64)?;
    let bound = |key, example| table.require(key, example)?.integer(key, 0, u64::MAX);
    let range = Range { min: bound("min", "min = 0")?, max: bound("max", "max = 100")? };
    RankOrder::ramps(index(length), range).map_err(|error| param_error(node, &error))
}

fn list(table: &Table<'_>, files: &dyn Files) -> Result<RankOrder> {
    let name = table.require("file", "file = \"ranks.csv\"")?;
    // Say where the name stands, then what is wrong with the file.
    let (file, input) = files.open(name.text("file")?).map_err(|error| name.error(error.to_string()))?;
    read_rank_csv(input).map_err(|error| trace_error(&file, error))
}
