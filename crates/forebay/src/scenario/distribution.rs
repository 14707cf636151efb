//! Distributions in a scenario: `{ distribution = "uniform", min = 0, max = 100 }`.

use super::policy::{param, param_error};
use crate::document::{Node, Table, Value};
use crate::error::Result;
use forebay_core::Params;
use forebay_core::registry::find;
use forebay_traces::distribution::Range;
use forebay_traces::{DISTRIBUTIONS, Distribution};

/// Reads a number, or a table with a distribution over numbers from `least` to `greatest`.
pub fn distribution(node: &Node, what: &str, least: u64, greatest: u64) -> Result<Distribution> {
    match node.value {
        Value::Integer(_) => Ok(Distribution::constant(node.integer(what, least, greatest)?)),
        Value::Table(_) => Ok(drawn(node, &node.table(what)?, least, greatest)?.1),
        _ => {
            let example = "{ distribution = \"uniform\", min = 1, max = 100 }";
            Err(node.error(format!("`{what}` must be a number or like {example}")))
        }
    }
}

/// Returns the distribution in the fields of `table` that were not read yet, and its name in the registry. `node` is the table's place.
pub(super) fn drawn<'a>(node: &Node, table: &Table<'a>, least: u64, greatest: u64) -> Result<(&'a str, Distribution)> {
    let name_node = table.require("distribution", "distribution = \"uniform\"")?;
    let name = name_node.text("distribution")?;
    let min = table.require("min", "min = 1")?.integer("min", least, greatest)?;
    let entry = find("distribution", DISTRIBUTIONS, name).map_err(|text| name_node.error(text))?;
    let max = match table.get("max") {
        None if entry.about.name == "constant" => min,
        _ => table.require("max", "max = 100")?.integer("max", least, greatest)?,
    };
    let given = table.rest().map(|(key, node)| (key.to_owned(), param(node))).collect();
    let params = Params::check(entry.about.params, given).map_err(|error| param_error(node, &error))?;
    let distribution =
        Distribution::new(entry, Range { min, max }, &params).map_err(|error| param_error(node, &error))?;
    Ok((name, distribution))
}
