//! Pictures of a network scenario. A scheme has one colour in each; what the schemes are compared at, a value of each
//! axis, has a picture of its own.

mod by_axis;
mod by_rank;
mod over_time;
mod spreads;

use super::report::{CellReport, GroupReport, NetworkReport};
use crate::error::Result;
use crate::sweep::AxisValue;

/// Pictures of one kind at most: those of the first values.
const MAX_PICTURES: usize = 24;

/// Every picture as SVG, with the name of its file.
pub fn files(report: &NetworkReport) -> Result<Vec<(String, String)>> {
    let mut files = by_axis::files(report)?;
    files.extend(by_rank::files(report)?);
    files.extend(spreads::files(report)?);
    files.extend(over_time::files(report)?);
    Ok(files)
}

/// Cells that are compared with each other: they have the same values of the axes that all cells have, but for one.
struct Point<'a> {
    /// The values; of the axis that is left out there is none.
    values: Vec<(&'a str, &'a AxisValue)>,
    cells: Vec<&'a CellReport>,
}

impl Point<'_> {
    /// As `web search: load 0.6`.
    fn title(&self, scenario: &str, what: &str) -> String {
        let values: Vec<String> = self.values.iter().map(|(name, value)| format!("{name} {}", value.text)).collect();
        if values.is_empty() {
            format!("{scenario}: {what}")
        } else {
            format!("{scenario}: {what}, {}", values.join(", "))
        }
    }

    /// As `slowdown-load-0.6.svg`.
    fn file(&self, what: &str) -> String {
        let values = self.values.iter().map(|(name, value)| format!("-{name}-{}", value.text));
        let name = format!("{what}{}", values.collect::<String>());
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        let words: String = name.chars().map(safe).collect();
        let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
        format!("{}.svg", words.join("-"))
    }
}

/// Cells, put together, of the first points of which pictures are made; `axis` is left out.
fn points<'a>(report: &'a NetworkReport, axis: Option<&str>) -> Vec<Point<'a>> {
    let common = common_axes(report);
    let mut points: Vec<Point<'a>> = Vec::new();
    for cell in &report.results {
        let values: Vec<(&str, &AxisValue)> = common
            .iter()
            .filter(|name| Some(**name) != axis)
            .filter_map(|name| Some((*name, value(cell, name)?)))
            .collect();
        let known = points.iter().position(|point| point.values == values);
        match known {
            Some(place) => points[place].cells.push(cell),
            None if points.len() < MAX_PICTURES => points.push(Point { values, cells: vec![cell] }),
            None => {}
        }
    }
    points
}

/// Axes that every cell has; those of single schemes belong to the name of the scheme, and so do names within schemes, such as
/// of policies, which are there to be compared.
fn common_axes(report: &NetworkReport) -> Vec<&str> {
    let first = report.results.iter().take(1).flat_map(|cell| &cell.axes);
    let is_common = |name: &&str| report.results.iter().all(|cell| value(cell, name).is_some());
    let is_compared = |name: &&str| {
        let mut values = report.results.iter().filter_map(|cell| value(cell, name));
        report.network.scheme_axes.contains(*name) && values.all(|value| value.number.is_none())
    };
    first.map(|(name, _)| name.as_str()).filter(|name| is_common(name) && !is_compared(name)).collect()
}

fn value<'a>(cell: &'a CellReport, axis: &str) -> Option<&'a AxisValue> {
    cell.axes.iter().find(|(name, _)| name == axis).map(|(_, value)| value)
}

/// The scheme with the values of its own axes.
fn label(cell: &CellReport, common: &[&str]) -> String {
    let own = cell.axes.iter().filter(|(name, _)| !common.contains(&name.as_str()));
    let own: String = own.map(|(name, value)| format!(", {name} {}", value.text)).collect();
    format!("{}{own}", cell.policy)
}

/// Which flows a panel is about.
fn words(group: &GroupReport) -> &str {
    if group.sizes.is_none() { "all flows" } else { group.size_name() }
}

/// Nanoseconds as an axis shows them.
fn time(ns: f64) -> String {
    if ns == 0.0 {
        return "0".to_owned();
    }
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")];
    in_units(ns, &units)
}

/// Bytes as an axis shows them.
fn bytes(bytes: f64) -> String {
    in_units(bytes, &[(1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1.0, "B")])
}

/// Bits per second as an axis shows them.
fn rate(bps: f64) -> String {
    in_units(bps, &[(1e9, "Gbps"), (1e6, "Mbps"), (1e3, "kbps"), (1.0, "bps")])
}

/// A number without the digits that floats add, in the largest unit that it has one of.
fn in_units(number: f64, units: &[(f64, &str)]) -> String {
    if number.abs() < 1e-12 {
        return "0".to_owned();
    }
    let suits = units.iter().find(|(size, _)| number.abs() >= size * 0.999_999);
    let (size, unit) = suits.or(units.last()).copied().unwrap_or((1.0, ""));
    let rounded = format!("{:.6e}", number / size).parse::<f64>().unwrap_or(number);
    if unit.is_empty() { rounded.to_string() } else { format!("{rounded} {unit}") }
}

#[cfg(test)]
#[path = "../plot_tests.rs"]
mod tests;
