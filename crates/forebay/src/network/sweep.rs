//! Sweeps: every list of values in a scenario is an axis, and every combination of values is a point.
//!
//! ```text
//! load = [0.4, 0.8], leaves = [2, 4]   ->   load = 0.4, leaves = 2;  load = 0.4, leaves = 4;  load = 0.8, leaves = 2; …
//! ```
//!
//! A value of an axis may hold lists of its own, which then are axes of its points alone.

use super::axis::value_of;
use super::run_result::AxisValue;
use crate::catalogue;
use crate::document::{Node, Value};
use crate::error::{Result, UserError};
use forebay_core::params::ParamKind;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Tables whose items are all there at once: `[[workload]]` and the like.
const LISTS_OF_TABLES: [&str; 4] = ["workload", "failure", "state", "policy"];

/// Lists that are one value: in which table (anywhere, if nothing is said) and their name.
const LISTS_BY_NATURE: [(&str, &str); 10] = [
    ("network", "size_classes"),
    ("network", "inversions"),
    // No list at all, which is then said.
    ("workload", "name"),
    ("policy", "name"),
    ("state", "name"),
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

/// All points of `node`, which is the table called `table` or, without a name, a whole document. The first list changes
/// slowest.
pub(super) fn points(table: &str, node: &Node) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    expand(table, Point { node: node.clone(), choices: Vec::new() }, &mut points)?;
    Ok(points)
}

/// Appends the points of `point`.
fn expand(table: &str, mut point: Point, points: &mut Vec<Point>) -> Result<()> {
    let Some((steps, path)) = first_list(table, &point.node) else {
        points.push(point);
        return Ok(());
    };
    // Taken out, so that it is not copied for each of its values.
    let taken = at(&mut point.node, &steps);
    let place = taken.place.clone();
    let Value::Array(items) = std::mem::replace(&mut taken.value, Value::Boolean(false)) else { return Ok(()) };
    let what = path.last().map_or("", String::as_str);
    if items.is_empty() {
        return Err(UserError::at_place(
            place,
            format!("`{what}` is an empty list; give a value, or several to compare"),
        )
        .in_field(what));
    }
    let mut before = BTreeSet::new();
    for item in items {
        let value = value_of(&item);
        if !before.insert(value.text.clone()) {
            let is_rank = ["distribution", "order"].iter().any(|field| item.text_at(field).is_some());
            let advice = if is_rank { "; give one a `name` of its own" } else { "" };
            return Err(item.error(format!("`{what}` has {} twice{advice}", value.text)));
        }
        let mut chosen = point.clone();
        *at(&mut chosen.node, &steps) = item;
        chosen.choices.push(Choice { path: path.clone(), value });
        expand(table, chosen, points)?;
    }
    Ok(())
}

/// How many points there are, without making them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count<'a> {
    /// At most [`usize::MAX`].
    pub(super) points: usize,
    /// The list with most values, if there is any: its name, the list, and how many it has.
    pub(super) longest: Option<(&'a str, &'a Node, usize)>,
}

impl<'a> Count<'a> {
    const ONE: Self = Self { points: 1, longest: None };

    /// Of the points of `node`, as [`points`] makes them.
    pub(super) fn of(table: &'a str, node: &'a Node) -> Self {
        let Value::Table(fields) = &node.value else { return Self::ONE };
        let counts = fields.iter().map(|(name, node)| match &node.value {
            Value::Array(items) if table.is_empty() && LISTS_OF_TABLES.contains(&name.as_str()) => {
                items.iter().map(|item| Self::of(name, item)).fold(Self::ONE, Self::times)
            }
            Value::Array(items) if is_one_value(table, name, items) => Self::ONE,
            Value::Array(items) if is_list(table, name) => {
                Self { points: items.len(), longest: Some((name, node, items.len())) }
            }
            _ => Self::of_field(name, node),
        });
        counts.fold(Self::ONE, Self::times)
    }

    /// Of a field, which may be a list of values.
    fn of_field(name: &'a str, node: &'a Node) -> Self {
        let Value::Array(items) = &node.value else { return Self::of(name, node) };
        let own = Self { points: 0, longest: Some((name, node, items.len())) };
        items.iter().map(|item| Self::of_field(name, item)).fold(own, Self::plus)
    }

    /// With all points of both combined.
    pub(super) fn times(self, other: Self) -> Self {
        Self { points: self.points.saturating_mul(other.points), longest: self.longer(other) }
    }

    /// With the points of both one after the other.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { points: self.points.saturating_add(other.points), longest: self.longer(other) }
    }

    fn longer(self, other: Self) -> Option<(&'a str, &'a Node, usize)> {
        let length = |longest: Option<(&str, &Node, usize)>| longest.map_or(0, |(.., length)| length);
        if length(other.longest) > length(self.longest) { other.longest } else { self.longest }
    }
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
            Value::Array(items) if is_one_value(table, name, items) => return None,
            Value::Array(_) => (Vec::new(), Vec::new()),
            _ => first_list(name, node)?,
        };
        Some(([vec![step], steps].concat(), [vec![name.clone()], path].concat()))
    })
}

/// Whether a list is one value, and no axis. Of a field that takes a list, a list of lists is an axis.
fn is_one_value(table: &str, name: &str, items: &[Node]) -> bool {
    is_list(table, name) && !items.iter().any(|item| matches!(item.value, Value::Array(_)))
}

/// Whether a field takes a list.
fn is_list(table: &str, name: &str) -> bool {
    let mut listed = LISTS_BY_NATURE.iter();
    listed.any(|(inside, list)| *list == name && (inside.is_empty() || *inside == table))
        || LIST_PARAMETERS.contains(name)
}

/// Parameters of algorithms that take a list.
static LIST_PARAMETERS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let params = catalogue::entries().into_iter().flat_map(|entry| entry.params);
    params.filter(|param| matches!(param.kind, ParamKind::List { .. })).map(|param| param.name).collect()
});

/// The node at the end of these steps.
fn at<'a>(node: &'a mut Node, steps: &[Step]) -> &'a mut Node {
    let Some((&step, rest)) = steps.split_first() else { return node };
    match &mut node.value {
        Value::Table(fields) => at(&mut fields[step].1, rest),
        Value::Array(items) => at(&mut items[step], rest),
        _ => unreachable!("steps lead through tables and lists"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_points_are_made_as_are_counted() {
        for (text, expected, longest) in [
            ("a = 1", 1, None),
            ("a = [1, 2]\n[network]\nb = [1, 2, 3]\nsize_classes = [1, 2, 3, 4]", 6, Some("b")),
            (
                "[[workload]]\nload = [1, 2]\n[[workload]]\nload = [1, 2, 3]\nsizes = [{ m = [1, 2] }, { m = 3 }]",
                18,
                Some("load"),
            ),
            ("a = [[1, 2], [3, { b = [4, 5] }]]", 5, Some("a")),
            ("[network.series]\nlinks = [1, 2]\nevery = [1, 2]", 2, Some("every")),
            ("rank = { name = \"strict\", order = [46, 34] }", 1, None),
            ("rank = { name = \"strict\", order = [[46, 34], [34, 46], [8]] }", 3, Some("order")),
        ] {
            let node = Node::parse("s.toml", text).unwrap();
            let count = Count::of("", &node);
            assert_eq!(count.points, points("", &node).unwrap().len(), "{text}");
            assert_eq!((count.points, count.longest.map(|(name, ..)| name)), (expected, longest), "{text}");
        }
    }

    #[test]
    fn what_nobody_could_wait_for_is_counted_at_once() {
        let list: Vec<String> = (0..1_000).map(|value| value.to_string()).collect();
        let fields: String = ('a'..='z').map(|name| format!("{name} = [{}]\n", list.join(", "))).collect();
        assert_eq!(Count::of("", &Node::parse("s.toml", &fields).unwrap()).points, usize::MAX);
    }
}
