//! The points of a sweep: every combination of values of its axes.

use super::axis::{AxisValue, values_of};
use super::shape::Shape;
use super::zip::Zip;
use crate::document::{Node, Value};
use crate::error::Result;
use std::collections::BTreeSet;

/// A part of a scenario without lists, and the values that were chosen.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    pub(crate) node: Node,
    pub(crate) choices: Vec<Choice>,
}

/// A value of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    /// The path of the list: `workload`, `web search`, `load`.
    pub(crate) path: Vec<String>,
    pub(crate) value: AxisValue,
    /// The group of axes that go together, the number of the chosen value, and the number of values.
    pub(super) zipped: Option<(usize, usize, usize)>,
}

/// A step into a document: the number of a field or of an item.
type Step = usize;

/// Returns all points of `node`, which has this shape. The first list changes slowest.
pub(super) fn points(shape: &Shape, node: &Node, zip: &Zip) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    expand(shape, zip, Point { node: node.clone(), choices: Vec::new() }, &mut points)?;
    Ok(points)
}

/// Appends the points of `point`.
fn expand(shape: &Shape, zip: &Zip, mut point: Point, points: &mut Vec<Point>) -> Result<()> {
    let Some((steps, path)) = first_list(shape, &point.node) else {
        points.push(point);
        return Ok(());
    };
    // Taken out, so that it is not copied for each of its values.
    let taken = at(&mut point.node, &steps);
    let Value::Array(items) = std::mem::replace(&mut taken.value, Value::Boolean(false)) else { return Ok(()) };
    let what = path.last().map_or("", String::as_str);
    let group = zip.group_of(&path);
    let (mut before, of) = (BTreeSet::new(), items.len());
    for (value, (number, item)) in values_of(&items).into_iter().zip(items.into_iter().enumerate()) {
        if !before.insert(value.text.clone()) && group.is_none() {
            let is_rank = ["distribution", "order"].iter().any(|field| item.text_at(field).is_some());
            let advice = if is_rank { "; give one a `name` of its own" } else { "" };
            return Err(item.error(format!("`{what}` has {} twice{advice}", value.text)));
        }
        let choice = Choice { path: path.clone(), value, zipped: group.map(|group| (group, number, of)) };
        match point.choices.iter().find(|chosen| !chosen.goes_with(&choice)) {
            Some(chosen) if !chosen.has_as_many(&choice) => {
                return Err(item.error(chosen.differ(&choice)));
            }
            Some(_) => {}
            None => {
                let mut chosen = point.clone();
                *at(&mut chosen.node, &steps) = item;
                chosen.choices.push(choice);
                expand(shape, zip, chosen, points)?;
            }
        }
    }
    Ok(())
}

impl Choice {
    /// Returns whether the two may be chosen together.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        match (self.zipped, other.zipped) {
            (Some((group, number, of)), Some((other_group, ..))) if group == other_group => {
                other.zipped == Some((group, number, of))
            }
            _ => true,
        }
    }

    /// Returns whether both axes have equally many values.
    pub(super) fn has_as_many(&self, other: &Self) -> bool {
        self.zipped.map(|(.., of)| of) == other.zipped.map(|(.., of)| of)
    }

    /// Returns the error that they have not.
    pub(super) fn differ(&self, other: &Self) -> String {
        let of = |choice: &Self| choice.zipped.map_or(0, |(.., of)| of);
        let (one, another) = (self.path.join("."), other.path.join("."));
        format!(
            "`{one}` has {} values and `{another}` has {}; lists that `zip` names must be equally long",
            of(self),
            of(other)
        )
    }
}

/// The way to the first list of values in a table of this shape, as steps and as names.
fn first_list(shape: &Shape, node: &Node) -> Option<(Vec<Step>, Vec<String>)> {
    let Value::Table(fields) = &node.value else { return None };
    fields.iter().enumerate().find_map(|(step, (name, node))| {
        let shape = shape.field(name);
        let (steps, path) = match &node.value {
            Value::Array(items) if shape.is_one_value(items) => {
                items.iter().enumerate().find_map(|(number, item)| {
                    let called = item.label().map_or_else(|| number.to_string(), str::to_owned);
                    let (steps, path) = first_list(&shape.item(), item)?;
                    Some(([vec![number], steps].concat(), [vec![called], path].concat()))
                })?
            }
            Value::Array(_) => (Vec::new(), Vec::new()),
            _ => first_list(&shape, node)?,
        };
        Some(([vec![step], steps].concat(), [vec![name.clone()], path].concat()))
    })
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
