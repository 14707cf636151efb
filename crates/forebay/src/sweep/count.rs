//! The number of points of a sweep, before they are made: a few lists can have too many.

use super::shape::Shape;
use super::zip::Zip;
use crate::document::{Node, Value};

/// The number of points.
#[derive(Debug, Clone)]
pub(super) struct Count<'a> {
    /// The number of points, at most [`usize::MAX`]. If items of lists that go together have lists of their own, it may be too high.
    pub(super) points: usize,
    /// The list with most values, if there is any: its name, the list, and the number of its values.
    pub(super) longest: Option<(&'a str, &'a Node, usize)>,
    /// A list without values, which leaves the sweep without points.
    pub(super) empty: Option<(&'a str, &'a Node)>,
    /// Groups of lists that go together, and how many values each has.
    zipped: Vec<(usize, usize)>,
}

/// Counts the points of one sweep.
#[derive(Clone, Copy)]
pub(super) struct Counter<'z> {
    pub(super) zip: &'z Zip,
}

impl Counter<'_> {
    /// Returns the count of the points of `node`, which is at `path` and has this shape, as [`points`](super::points::points) makes them.
    pub(super) fn of<'a>(self, shape: &Shape, node: &'a Node, path: &mut Vec<&'a str>) -> Count<'a> {
        let Value::Table(fields) = &node.value else { return Count::one() };
        fields.iter().fold(Count::one(), |count, (name, node)| {
            path.push(name);
            let own = self.of_field(&shape.field(name), name, node, path);
            path.pop();
            count.times(&own)
        })
    }

    fn of_field<'a>(self, shape: &Shape, name: &'a str, node: &'a Node, path: &mut Vec<&'a str>) -> Count<'a> {
        let Value::Array(items) = &node.value else { return self.of(shape, node, path) };
        if shape.is_one_value(items) {
            let of_item = |item| self.of(&shape.item(), item, path);
            return items.iter().map(of_item).fold(Count::one(), |all, item| all.times(&item));
        }
        let group = self.zip.group_of(path);
        let of_item = |item| self.of_field(shape, name, item, path);
        let sum = items.iter().map(of_item).fold(Count::none(), |all, item| all.plus(&item));
        let longest = longer(sum.longest, Some((name, node, items.len())));
        let empty = if items.is_empty() { Some((name, node)) } else { sum.empty };
        Count { longest, empty, zipped: group.map(|group| (group, items.len())).into_iter().collect(), ..sum }
    }
}

impl<'a> Count<'a> {
    fn one() -> Self {
        Self { points: 1, longest: None, empty: None, zipped: Vec::new() }
    }

    /// Returns the count of a part without lists.
    pub(super) fn none() -> Self {
        Self { points: 0, ..Self::one() }
    }

    /// Returns the count of all combinations of points of both, except for lists that go together.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut zipped = self.zipped.clone();
        let mut points = self.points.saturating_mul(other.points);
        for (group, values) in &other.zipped {
            if zipped.iter().any(|(own, _)| own == group) {
                points = points.div_ceil((*values).max(1));
            } else {
                zipped.push((*group, *values));
            }
        }
        Self { points, longest: longer(self.longest, other.longest), empty: self.empty.or(other.empty), zipped }
    }

    /// Returns the count of the points of both in sequence.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let points = self.points.saturating_add(other.points);
        let longest = longer(self.longest, other.longest);
        Self { points, longest, empty: self.empty.or(other.empty), zipped: Vec::new() }
    }
}

type Longest<'a> = Option<(&'a str, &'a Node, usize)>;

fn longer<'a>(one: Longest<'a>, other: Longest<'a>) -> Longest<'a> {
    let length = |longest: Longest<'_>| longest.map_or(0, |(.., length)| length);
    if length(other) >= length(one) { other } else { one }
}
