//! Ranges: `{ from = "10 Mbps", to = "10 Gbps", steps = 4, spacing = "log" }` is a list of values in short.
//!
//! ```text
//! { from = 1, to = 9, steps = 3 }                       ->   [1, 5, 9]
//! { from = "1 ms", to = "1 s", steps = 4, spacing = "log" }   ->   ["1 ms", "10 ms", "100 ms", "1 s"]
//! ```
//!
//! Whole numbers stay whole, and so do bits per second, picoseconds, bytes and packets: values in between are rounded.

use super::shape::Shape;
use crate::document::{Node, Value};
use crate::error::Result;
use forebay_core::registry::suggest;
use forebay_core::units::parse_bytes;
use forebay_core::{BufferSize, Duration, Rate};

/// The maximum number of values in a range.
pub(crate) const MAX_STEPS: u64 = 1_000;
/// The kinds of spacing between values. The first is the default.
pub(crate) const SPACINGS: [&str; 2] = ["linear", "log"];
/// Fields of tables that are no ranges.
const OF_OTHERS: [&str; 3] = ["name", "distribution", "order"];

/// Replaces each range in a table of this shape by its list of values.
pub(super) fn expand(shape: &Shape, node: &mut Node) -> Result<()> {
    let Value::Table(fields) = &mut node.value else { return Ok(()) };
    fields.iter_mut().try_for_each(|(name, node)| expand_field(&shape.field(name), name, node))
}

fn expand_field(shape: &Shape, name: &str, node: &mut Node) -> Result<()> {
    if is_range(shape, node) {
        let values = values(name, node)?;
        node.value = Value::Array(values);
        return Ok(());
    }
    match &mut node.value {
        Value::Array(items) if shape.is_one_value(items) => {
            items.iter_mut().try_for_each(|item| expand(&shape.item(), item))
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| expand_field(shape, name, item)),
        _ => expand(shape, node),
    }
}

/// Whether a value is a range, and no table that has fields of these names.
fn is_range(shape: &Shape, node: &Node) -> bool {
    let has_end = node.has("from") || node.has("to");
    let is_whole = node.has("from") && node.has("to") || node.has("steps");
    has_end && is_whole && !shape.has_field("from") && !OF_OTHERS.iter().any(|field| node.has(field))
}

fn values(name: &str, node: &Node) -> Result<Vec<Node>> {
    let table = node.table("a range")?;
    let from_node = table.require("from", "from = \"10 Mbps\"")?;
    let to_node = table.require("to", "to = \"10 Gbps\"")?;
    let steps = table.require("steps", "steps = 4")?.integer("steps", 2, MAX_STEPS)?;
    let spacing = table.get("spacing").map_or(Ok(SPACINGS[0]), |node| {
        let wanted = node.text("spacing")?;
        SPACINGS.into_iter().find(|known| *known == wanted).ok_or_else(|| {
            let known = suggest(wanted, SPACINGS);
            node.error(format!("`spacing` must be \"linear\" or \"log\", not `{wanted}`{known}"))
        })
    })?;
    table.finish()?;
    let unit = Unit::of(from_node).filter(|unit| unit.read(to_node).is_some());
    let Some(unit) = unit.or_else(|| Unit::of(to_node).filter(|unit| unit.read(from_node).is_some())) else {
        return Err(from_node.error(format!(
            "`from` and `to` of a range must be two numbers, or two quantities of the same kind, like \"10 Mbps\" and \"10 Gbps\"; \
             `{name}` has {} and {}",
            from_node.to_inline_toml(),
            to_node.to_inline_toml()
        )));
    };
    let ends = unit.read(from_node).zip(unit.read(to_node));
    let (from, to) = ends.ok_or_else(|| from_node.error("`from` and `to` of a range must be of the same kind"))?;
    if to <= from {
        return Err(to_node.error(format!("`to` must be more than `from`, which is {}", from_node.to_inline_toml())));
    }
    let is_log = spacing == SPACINGS[1];
    if is_log && from <= 0.0 {
        return Err(from_node.error("`from` must be above zero with spacing = \"log\""));
    }
    let between = |step: u64| {
        let share = step as f64 / (steps - 1) as f64;
        rounded(if is_log { from * (to / from).powf(share) } else { from + (to - from) * share })
    };
    let mut items: Vec<Node> = Vec::new();
    for step in 0..steps {
        let value = match step {
            0 => from_node.value.clone(),
            last if last + 1 == steps => to_node.value.clone(),
            _ => unit.written(between(step)),
        };
        let item = Node { value, ..node.clone() };
        // Numbers that are equal after rounding stand side by side.
        if items.last().is_some_and(|last| unit.read(last) == unit.read(&item)) {
            return Err(node.error(format!("`{name}` has more steps than values in its range; use fewer `steps`")));
        }
        items.push(item);
    }
    Ok(items)
}

/// A number to fifteen digits, so that 0.3 is no 0.30000000000000004.
fn rounded(number: f64) -> f64 {
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// The unit of the values of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Integer,
    Number,
    BitsPerSecond,
    Picoseconds,
    Bytes,
    Packets,
    Percent,
}

impl Unit {
    /// The first of all kinds that a value is of.
    fn of(node: &Node) -> Option<Self> {
        [Self::Integer, Self::Number, Self::BitsPerSecond, Self::Picoseconds, Self::Bytes, Self::Packets, Self::Percent]
            .into_iter()
            .find(|unit| unit.read(node).is_some())
    }

    /// The value as a number of these.
    fn read(self, node: &Node) -> Option<f64> {
        let text = |parse: fn(&str) -> Option<f64>| match &node.value {
            Value::Text(text) => parse(text),
            _ => None,
        };
        match self {
            Self::Integer => match node.value {
                Value::Integer(number) => Some(number as f64),
                _ => None,
            },
            Self::Number => match node.value {
                Value::Integer(number) => Some(number as f64),
                Value::Number(number) => Some(number),
                _ => None,
            },
            Self::BitsPerSecond => text(|text| Some(Rate::parse(text).ok()?.bits_per_second() as f64)),
            Self::Picoseconds => text(|text| Some(Duration::parse(text).ok()?.as_ps() as f64)),
            Self::Bytes => text(|text| Some(parse_bytes(text).ok()? as f64)),
            Self::Packets => text(|text| match BufferSize::parse(text).ok()? {
                BufferSize::Packets(packets) => Some(packets as f64),
                BufferSize::Bytes(_) => None,
            }),
            Self::Percent => text(|text| text.strip_suffix('%')?.trim_end().parse().ok()),
        }
    }

    /// A number of these as a scenario writes it.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two values that were read")]
    fn written(self, number: f64) -> Value {
        let whole = number.round() as u64;
        match self {
            Self::Integer => Value::Integer(number.round() as i64),
            Self::Number => Value::Number(number),
            Self::BitsPerSecond => {
                let rate = Rate::from_bits_per_second(whole);
                // The shorter text is written where it is the same rate.
                let short = rate.map(|rate| rate.to_string()).filter(|text| Rate::parse(text).ok() == rate);
                Value::Text(short.unwrap_or_else(|| format!("{whole} bps")))
            }
            Self::Picoseconds => {
                let units = [(1_000_000_000_000, "s"), (1_000_000_000, "ms"), (1_000_000, "us"), (1_000, "ns")];
                let unit = units.into_iter().find(|(ps, _)| whole > 0 && whole.is_multiple_of(*ps));
                let (ps, unit) = unit.unwrap_or((1, "ps"));
                Value::Text(format!("{} {unit}", whole / ps))
            }
            Self::Bytes => Value::Text(format!("{whole} B")),
            Self::Packets => Value::Text(format!("{whole} packets")),
            Self::Percent => Value::Text(format!("{number} %")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::SCENARIOS;

    /// The list that a value of a network is.
    fn expanded(field: &str, value: &str) -> Result<String> {
        let network = SCENARIOS.iter().find(|kind| kind.word == "network").unwrap();
        let mut node = Node::parse("s.toml", &format!("[network]\n{field} = {value}")).unwrap();
        expand(&Shape::of(network.top), &mut node)?;
        let network = node.table("").unwrap().require("network", "").unwrap();
        Ok(network.table("").unwrap().rest().next().unwrap().1.to_inline_toml())
    }

    #[test]
    fn a_range_is_the_list_of_its_values() {
        for (range, list) in [
            ("{ from = 1, to = 9, steps = 3 }", "[1, 5, 9]"),
            ("{ from = 1, to = 8, steps = 4, spacing = \"log\" }", "[1, 2, 4, 8]"),
            ("{ from = 0, to = 1.5, steps = 4 }", "[0, 0.5, 1.0, 1.5]"),
            ("{ from = 0.1, to = 0.9, steps = 5 }", "[0.1, 0.3, 0.5, 0.7, 0.9]"),
            (
                "{ from = \"10 Mbps\", to = \"1 Gbps\", steps = 3, spacing = \"log\" }",
                "[\"10 Mbps\", \"100 Mbps\", \"1 Gbps\"]",
            ),
            ("{ from = \"1 ms\", to = \"2 ms\", steps = 3 }", "[\"1 ms\", \"1500 us\", \"2 ms\"]"),
            ("{ from = \"2 KB\", to = \"4 KB\", steps = 3 }", "[\"2 KB\", \"3000 B\", \"4 KB\"]"),
            (
                "{ from = \"10 packets\", to = \"30 packets\", steps = 3 }",
                "[\"10 packets\", \"20 packets\", \"30 packets\"]",
            ),
            ("{ from = \"10 %\", to = \"20 %\", steps = 3 }", "[\"10 %\", \"15 %\", \"20 %\"]"),
            ("[1, { from = 2, to = 4, steps = 3 }]", "[1, [2, 3, 4]]"),
        ] {
            assert_eq!(expanded("duration", range).unwrap(), list, "{range}");
        }
    }

    #[test]
    fn tables_with_names_of_their_own_are_no_ranges() {
        for table in ["{ from = 1, name = \"x\", to = 2 }", "{ from = 1 }", "{ steps = 3 }"] {
            assert_eq!(expanded("topology", table).unwrap(), table);
        }
    }

    #[test]
    fn mistakes_name_the_end_that_is_wrong() {
        for (range, message) in [
            ("{ from = 1, to = 9 }", "has no `steps`"),
            ("{ to = 9, steps = 3 }", "has no `from`"),
            ("{ from = 9, to = 1, steps = 3 }", "`to` must be more than `from`, which is 9"),
            ("{ from = 1, to = 2, steps = 1 }", "`steps` must be a whole number from 2 to 1000"),
            ("{ from = 1, to = 3, steps = 4 }", "more steps than values in its range"),
            ("{ from = 0, to = 3, steps = 4, spacing = \"log\" }", "above zero"),
            ("{ from = 1, to = 3, steps = 3, spacing = \"lin\" }", "`spacing` must be \"linear\" or \"log\""),
            ("{ from = 1, to = 3, step = 3 }", "did you mean `steps`"),
            ("{ from = 1, to = \"3 ms\", steps = 3 }", "of the same kind"),
            ("{ from = \"1 KB\", to = \"3 ms\", steps = 3 }", "of the same kind"),
        ] {
            let error = expanded("duration", range).unwrap_err().to_string();
            assert!(error.starts_with("s.toml:2: ") && error.contains(message), "{range}: {error}");
        }
    }
}
