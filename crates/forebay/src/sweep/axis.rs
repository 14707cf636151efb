//! Axes of a sweep: their names and their values.

use super::points::Choice;
use crate::document::{Node, Value};
use forebay_core::units::parse_bytes;
use forebay_core::{BufferSize, Duration, Rate};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeSet;

/// The value of an axis of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AxisValue {
    /// The value as the scenario writes it.
    pub text: String,
    /// The value as a number, if it is one, with or without a unit (in bits per second, nanoseconds, bytes, percent).
    pub number: Option<f64>,
}

/// An axis with its value.
#[derive(Serialize)]
struct NamedValue<'a> {
    name: &'a str,
    text: &'a str,
    number: Option<f64>,
}

/// Writes axes as a list of names and values.
pub(crate) fn as_list<S: Serializer>(axes: &[(String, AxisValue)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(axes.iter().map(|(name, value)| NamedValue {
        name,
        text: &value.text,
        number: value.number,
    }))
}

/// Returns the names of all axes of these cells, each once.
pub(crate) fn names<'a>(cells: impl IntoIterator<Item = &'a [(String, AxisValue)]>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in cells.into_iter().flatten() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Returns the value of an axis, if a cell has it.
pub(crate) fn value<'a>(axes: &'a [(String, AxisValue)], name: &str) -> Option<&'a AxisValue> {
    axes.iter().find(|(own, _)| own == name).map(|(_, value)| value)
}

/// Returns the title of a cell: `DCTCP, load 0.6`.
pub(crate) fn title(policy: &str, axes: &[(String, AxisValue)]) -> String {
    let values = axes.iter().map(|(name, value)| format!(", {name} {}", value.text));
    format!("{policy}{}", values.collect::<String>())
}

/// Returns the values of a list. Tables with the same name are distinguished by all their fields.
pub(super) fn values_of(items: &[Node]) -> Vec<AxisValue> {
    let mut values: Vec<AxisValue> = items.iter().map(value_of).collect();
    let names: Vec<String> = values.iter().map(|value| value.text.clone()).collect();
    for ((item, value), name) in items.iter().zip(&mut values).zip(&names) {
        // Of ranks `name` is a label that their author chose.
        let is_label = ["distribution", "order"].iter().any(|field| item.text_at(field).is_some());
        if !is_label && item.label() == Some(name) && names.iter().filter(|other| *other == name).count() > 1 {
            value.text = item.to_inline_toml();
        }
    }
    values
}

/// A value as tables and plots show it: a table by its name, or that of the distribution or order of ranks that it is.
fn value_of(node: &Node) -> AxisValue {
    let text = match &node.value {
        Value::Text(text) => text.clone(),
        Value::Table(_) => {
            let called = ["name", "distribution", "order"].into_iter().find_map(|field| node.text_at(field));
            called.map_or_else(|| node.to_inline_toml(), str::to_owned)
        }
        _ => node.to_inline_toml(),
    };
    let number = match &node.value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        Value::Text(text) => quantity(text),
        _ => None,
    };
    AxisValue { text, number }
}

/// Bits per second, nanoseconds, bytes, packets or percent.
fn quantity(text: &str) -> Option<f64> {
    let rate = || Some(Rate::parse(text).ok()?.bits_per_second() as f64);
    let duration = || Some(Duration::parse(text).ok()?.as_ps() as f64 / 1e3);
    let bytes = || Some(parse_bytes(text).ok()? as f64);
    let packets = || match BufferSize::parse(text).ok()? {
        BufferSize::Packets(packets) => Some(packets as f64),
        BufferSize::Bytes(bytes) => Some(bytes as f64),
    };
    let percent = || text.strip_suffix('%')?.trim_end().parse().ok();
    rate().or_else(duration).or_else(bytes).or_else(packets).or_else(percent)
}

/// The names of axes: the last words of each path, as many as distinguish it from all others.
#[derive(Debug, Default)]
pub(super) struct AxisNames {
    paths: BTreeSet<Vec<String>>,
}

impl AxisNames {
    /// Adds these axes.
    pub(super) fn add(&mut self, choices: &[Choice]) {
        self.paths.extend(choices.iter().map(|choice| choice.path.clone()));
    }

    /// Returns the name of the axis at `path`.
    pub(super) fn name(&self, path: &[String]) -> String {
        let is_unique = |words: &&[String]| self.paths.iter().filter(|other| other.ends_with(words)).count() <= 1;
        let suffixes = (0..path.len()).rev().map(|start| &path[start..]);
        suffixes.into_iter().find(is_unique).unwrap_or(path).join(".")
    }

    /// Returns all names.
    pub(super) fn all(&self) -> Vec<String> {
        self.paths.iter().map(|path| self.name(path)).collect()
    }

    /// Returns names and values.
    pub(super) fn named(&self, choices: &[Choice]) -> Vec<(String, AxisValue)> {
        choices.iter().map(|choice| (self.name(&choice.path), choice.value.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split('.').map(str::to_owned).collect()
    }

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let mut names = AxisNames::default();
        let all =
            ["workload.web.load", "workload.cache.load", "network.topology.leaves", "transport", "w.transport.gain"];
        names.paths.extend(all.map(path));
        for (full, short) in all.iter().zip(["web.load", "cache.load", "leaves", "transport", "gain"]) {
            assert_eq!(names.name(&path(full)), short);
        }
    }

    #[test]
    fn tables_are_called_by_what_they_are() {
        for (value, text) in [
            ("{ name = \"dctcp\", gain = 0.1 }", "dctcp"),
            ("{ distribution = \"uniform\", min = 0, max = 9 }", "uniform"),
            ("{ name = \"few\", distribution = \"uniform\", min = 0, max = 9 }", "few"),
            ("{ order = \"ramps\", length = 5, min = 0, max = 9 }", "ramps"),
            ("{ size = \"1 MB\" }", "{ size = \"1 MB\" }"),
        ] {
            let document = Node::parse("s.toml", &format!("value = {value}")).unwrap();
            let value = value_of(document.table("").unwrap().require("value", "").unwrap());
            assert_eq!((&value.text[..], value.number), (text, None));
        }
    }

    #[test]
    fn tables_of_one_name_are_told_apart() {
        let list = "value = [{ name = \"star\", hosts = 4 }, { name = \"line\" }, { name = \"star\", hosts = 8 }]";
        let document = Node::parse("s.toml", list).unwrap();
        let Value::Array(items) = &document.table("").unwrap().require("value", "").unwrap().value else {
            unreachable!()
        };
        let texts: Vec<String> = values_of(items).into_iter().map(|value| value.text).collect();
        assert_eq!(texts, ["{ hosts = 4, name = \"star\" }", "line", "{ hosts = 8, name = \"star\" }"]);
    }

    #[test]
    fn quantities_are_numbers() {
        for (text, number) in [
            ("10 Gbps", Some(1e10)),
            ("5 us", Some(5e3)),
            ("2 KB", Some(2e3)),
            ("80 packets", Some(80.0)),
            ("web-search", None),
        ] {
            assert_eq!(quantity(text), number, "{text}");
        }
    }
}
