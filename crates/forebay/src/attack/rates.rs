//! Rates of a study: one, a list, or a range in equal ratios.

use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::scenario::quantity;
use forebay_core::Rate;

const MAX_RATES: u64 = 1_000;
const EXAMPLE: &str = "rate = { from = \"10 Mbps\", to = \"10 Gbps\", steps = 13 }";

/// `rate`, which may be several, in bits per second.
pub(super) fn rates(table: &Table<'_>) -> Result<Vec<u64>> {
    let node = table.require("rate", EXAMPLE)?;
    let rates = match &node.value {
        Value::Array(items) if items.is_empty() => return Err(node.error("`rate` is an empty list")),
        Value::Array(items) => items.iter().map(rate).collect::<Result<Vec<u64>>>()?,
        Value::Table(_) => range(node)?,
        _ => vec![rate(node)?],
    };
    let mut sorted = rates.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(_) if matches!(node.value, Value::Table(_)) => {
            Err(node.error("`rate` has more steps than there are whole numbers of bps between; use fewer `steps`"))
        }
        Some(twice) => Err(node.error(format!("`rate` has {} bps twice", twice[0]))),
        None => Ok(rates),
    }
}

fn rate(node: &Node) -> Result<u64> {
    Ok(quantity(node, "rate", Rate::parse)?.bits_per_second())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two rates")]
fn range(node: &Node) -> Result<Vec<u64>> {
    let table = node.table("`rate`")?;
    let from = rate(table.require("from", "from = \"10 Mbps\"")?)?;
    let to_node = table.require("to", "to = \"10 Gbps\"")?;
    let to = rate(to_node)?;
    let steps = table.require("steps", "steps = 13")?.integer("steps", 2, MAX_RATES)?;
    table.finish()?;
    if to <= from {
        return Err(to_node.error("`to` must be a higher rate than `from`"));
    }
    let ratio = to as f64 / from as f64;
    let between = |step: u64| (from as f64 * ratio.powf(step as f64 / (steps - 1) as f64)).round() as u64;
    Ok((0..steps).map(|step| if step + 1 == steps { to } else { between(step) }).collect())
}
