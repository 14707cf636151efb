//! Sweeps: every list of values in a scenario is an axis, and every combination of values is a point.
//!
//! ```text
//! load = [0.4, 0.8], leaves = [2, 4]   ->   load = 0.4, leaves = 2;  load = 0.4, leaves = 4;  load = 0.8, leaves = 2; …
//! ```
//!
//! A value of an axis may hold lists of its own, which then are axes of its points alone.

use super::axis::value_of;
use super::run_result::AxisValue;
use crate::document::{Node, Value};
use crate::error::Result;

/// Tables whose items are all there at once: `[[workload]]` and the like.
const LISTS_OF_TABLES: [&str; 3] = ["workload", "failure", "scheme"];

/// Lists that are one value: in which table (anywhere, if nothing is said) and their name.
const LISTS_BY_NATURE: [(&str, &str); 9] = [
    ("network", "size_classes"),
    ("network", "inversions"),
    // No list at all, which is then said.
    ("workload", "name"),
    ("scheme", "name"),
    ("series", "links"),
    ("series", "flows"),
    ("", "children"),
    ("", "classes"),
    ("", "changes"),
];

/// A part of a scenario without lists, and the values that were chosen.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) node: Node,
    pub(super) choices: Vec<Choice>,
}

/// A value of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    /// Where the list stands: `workload`, `web search`, `load`.
    pub(super) path: Vec<String>,
    pub(super) value: AxisValue,
}

/// A step into a document: the number of a field or of an item.
type Step = usize;

/// All points of `node`, which is the table called `table` or, without a name, a whole document; [`None`] if there are
/// more than `limit`. The first list changes slowest.
pub(super) fn points(table: &str, node: &Node, limit: usize) -> Result<Option<Vec<Point>>> {
    let mut points = Vec::new();
    let is_all = expand(table, Point { node: node.clone(), choices: Vec::new() }, limit, &mut points)?;
    Ok(is_all.then_some(points))
}

/// Appends the points of `point`; says whether the limit allowed it.
fn expand(table: &str, mut point: Point, limit: usize, points: &mut Vec<Point>) -> Result<bool> {
    let Some((steps, path)) = first_list(table, &point.node) else {
        points.push(point);
        return Ok(points.len() <= limit);
    };
    let list = at(&mut point.node, &steps).clone();
    let what = path.last().map_or("", String::as_str);
    let Value::Array(items) = &list.value else { return Ok(true) };
    if items.is_empty() {
        return Err(list.error(format!("`{what}` is an empty list; give a value, or several to compare")));
    }
    let mut before = Vec::new();
    for item in items {
        let value = value_of(item);
        if before.contains(&value.text) {
            let advice = if item.text_at("distribution").is_some() { "; give one a `name`" } else { "" };
            return Err(item.error(format!("`{what}` has {} twice{advice}", value.text)));
        }
        before.push(value.text.clone());
        let mut chosen = point.clone();
        *at(&mut chosen.node, &steps) = item.clone();
        chosen.choices.push(Choice { path: path.clone(), value });
        if !expand(table, chosen, limit, points)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The way to the first list of values in the table called `table`, as steps and as names; the document itself has no
/// name.
fn first_list(table: &str, node: &Node) -> Option<(Vec<Step>, Vec<String>)> {
    let Value::Table(fields) = &node.value else { return None };
    fields.iter().enumerate().find_map(|(step, (name, node))| {
        let (steps, path) = match &node.value {
            Value::Array(items) if table.is_empty() && LISTS_OF_TABLES.contains(&name.as_str()) => {
                items.iter().enumerate().find_map(|(number, item)| {
                    let called = item.label().map_or_else(|| number.to_string(), str::to_owned);
                    let (steps, path) = first_list(name, item)?;
                    Some(([vec![number], steps].concat(), [vec![called], path].concat()))
                })?
            }
            Value::Array(_) if is_one_value(table, name) => return None,
            Value::Array(_) => (Vec::new(), Vec::new()),
            _ => first_list(name, node)?,
        };
        Some(([vec![step], steps].concat(), [vec![name.clone()], path].concat()))
    })
}

fn is_one_value(table: &str, name: &str) -> bool {
    LISTS_BY_NATURE.iter().any(|(inside, list)| *list == name && (inside.is_empty() || *inside == table))
}

/// The node at the end of these steps.
fn at<'a>(node: &'a mut Node, steps: &[Step]) -> &'a mut Node {
    let Some((&step, rest)) = steps.split_first() else { return node };
    match &mut node.value {
        Value::Table(fields) => at(&mut fields[step].1, rest),
        Value::Array(items) => at(&mut items[step], rest),
        _ => unreachable!("steps lead through tables and lists"),
    }
}
