//! Pictures of a network scenario: the effect of each numeric axis, inversions by rank, distributions of completion times, and samples over
//! time. Each combination of the axes' other values has a panel.

mod by_rank;
mod over_time;
mod spreads;

use super::report::{CellReport, GroupReport, NetworkReport};
use crate::error::Result;
use crate::figure::Figure;
use crate::frame::Frame;
use crate::picture::{Across, Picture, Recipe, Sweep, rows_of};
use crate::sweep::{AxisValue, value};

const RECIPES: [Recipe; 4] = [
    of_flows(Some("size_class")),
    of_flows(None),
    Recipe {
        name: "states",
        what: "states in switches and hosts",
        y: &[("miss_share", false), ("mean_wait", false)],
        across: Across::EachAxis,
        subject: Some("state"),
    },
    Recipe {
        name: "inversions",
        what: "inversions",
        y: &[("inversions", false)],
        across: Across::EachAxis,
        subject: None,
    },
];

const fn of_flows(subject: Option<&'static str>) -> Recipe {
    let name = if subject.is_some() { "fct-of-sizes" } else { "fct" };
    let y = &[("fct:mean", true), ("fct:p99", true)];
    Recipe { name, what: "completion times", y, across: Across::EachAxis, subject }
}

/// Returns all pictures of a result with this frame.
pub fn pictures(report: &NetworkReport, frame: &Frame) -> Result<Vec<Picture>> {
    let table = rows_of(frame, &RECIPES);
    let of_policies = &report.policy_axes;
    let sweep = Sweep { scenario: &report.scenario, frame, table: &table, of_policies };
    let mut pictures = sweep.pictures(&RECIPES)?;
    pictures.extend(by_rank::picture(report));
    pictures.extend(spreads::pictures(report));
    pictures.extend(over_time::pictures(report));
    Ok(pictures)
}

/// An empty figure of the scenario.
fn titled(report: &NetworkReport, what: &str, by: &str) -> Figure {
    Figure::titled(format!("{}: {what}", report.scenario), by)
}

/// Returns the axes that every cell has. Axes of single policies belong to the name of the policy, and so do names within policies, which
/// are meant to be compared.
fn common_axes(report: &NetworkReport) -> Vec<&str> {
    let first = report.results.iter().take(1).flat_map(|cell| &cell.axes);
    let is_common = |name: &&str| report.results.iter().all(|cell| value(&cell.axes, name).is_some());
    let is_compared = |name: &&str| {
        let mut values = report.results.iter().filter_map(|cell| value(&cell.axes, name));
        report.policy_axes.contains(*name) && values.all(|value| value.number.is_none())
    };
    first.map(|(name, _)| name.as_str()).filter(|name| is_common(name) && !is_compared(name)).collect()
}

/// The policy with the values of its own axes.
fn label(cell: &CellReport, common: &[&str]) -> String {
    let own = cell.axes.iter().filter(|(name, _)| !common.contains(&name.as_str()));
    std::iter::once(cell.policy.clone()).chain(own.map(as_words)).collect::<Vec<_>>().join(", ")
}

/// Returns the title of a panel, after the values of the axes that all policies have: `web search, load 0.6`.
fn title(what: &str, cell: &CellReport, common: &[&str]) -> String {
    let values = common.iter().filter_map(|axis| Some(((*axis).to_owned(), value(&cell.axes, axis)?.clone())));
    let words = std::iter::once(what.to_owned()).chain(values.map(|value| as_words(&value)));
    words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Returns a number with the name of its axis, or a name alone.
fn as_words((axis, value): &(String, AxisValue)) -> String {
    match value.number {
        Some(_) => format!("{} {}", axis.replace('_', " "), value.text),
        None => value.text.clone(),
    }
}

/// Which flows a panel is about.
fn words(group: &GroupReport) -> &str {
    if group.sizes.is_none() { "all flows" } else { group.size_name() }
}

#[cfg(test)]
#[path = "../pictures_tests.rs"]
mod tests;
