//! Failures and their times: `[[failure]]`.

use super::links;
use crate::document::{Node, Value};
use crate::error::Result;
use crate::scenario::quantity;
use forebay_core::{Duration, Rate, Time};
use forebay_sim::net::{Change, Graph};

/// The possible failures of a link.
const KINDS: &str = "`down = true`, `up = true`, `rate = \"1 Gbps\"` or `loss = 0.001`";

/// Reads all failures.
pub(super) fn read_all(list: Option<&Node>, graph: &Graph) -> Result<Vec<(Time, Change)>> {
    let Some(list) = list else { return Ok(Vec::new()) };
    let Value::Array(items) = &list.value else {
        return Err(list.error("failures are a list: write [[failure]] with two brackets"));
    };
    let mut changes = Vec::new();
    for node in items {
        changes.extend(read(node, graph)?);
    }
    Ok(changes)
}

fn read(node: &Node, graph: &Graph) -> Result<Vec<(Time, Change)>> {
    let table = node.table("[[failure]]")?;
    let links = links::either(table.require("link", "link = \"leaf0-spine1\"")?, "link", graph)?;
    let at = Time::ZERO + quantity(table.require("at", "at = \"10 ms\"")?, "at", Duration::parse)?;
    let kinds = ["down", "up", "rate", "loss"].map(|key| table.get(key).map(|node| (key, node)));
    table.finish()?;
    let mut given = kinds.into_iter().flatten();
    let Some((key, kind)) = given.next() else {
        return Err(table.error(format!("[[failure]] has no event; add {KINDS}")));
    };
    if let Some((_, second)) = given.next() {
        return Err(
            second.error(format!("a failure has only one of {KINDS}; write another [[failure]] for a second one"))
        );
    }
    let happens = |link| -> Result<Change> {
        Ok(match key {
            "down" | "up" if kind.value != Value::Boolean(true) => {
                return Err(kind.error(format!("`{key}` must be true, not {}", kind.shown())));
            }
            "down" => Change::Down(link),
            "up" => Change::Up(link),
            "rate" => Change::Rate(link, quantity(kind, "rate", Rate::parse)?),
            _ => Change::Loss(link, kind.number_from("loss", 0.0, 1.0)?),
        })
    };
    links.into_iter().map(|link| Ok((at, happens(link)?))).collect()
}
