//! What a numeric axis changes: inversions, drops and delay, a row of panels for each value of the other axes, as in SP-PIFO
//! (NSDI'20), figure 5d. Bars are confidence intervals.

use super::super::report::{CellReport, Report};
use super::{Axis, Panel, called, place, policies};
use crate::error::Result;
use crate::sweep::AxisValue;

const COLUMNS: [(&str, &str, Axis); 3] = [
    ("inversions per packet sent", "inversions_per_packet", Axis::Number),
    ("share of packets dropped", "drop_share", Axis::Share),
    ("mean delay", "delay_ns_mean", Axis::Delay),
];

/// The axes that all policies share and that are numbers.
pub(super) fn axes(report: &Report) -> Vec<String> {
    let of_policies = &report.port.policy_axes;
    let first = report.results[0].shared_axes(of_policies);
    let is_number =
        |name: &&str| report.results.iter().all(|cell| value(cell, name).is_some_and(|value| value.number.is_some()));
    first.into_iter().map(|(name, _)| name).filter(is_number).map(str::to_owned).collect()
}

fn value<'a>(cell: &'a CellReport, axis: &str) -> Option<&'a AxisValue> {
    cell.axes.iter().find(|(name, _)| name == axis).map(|(_, value)| value)
}

/// The name of its file.
pub(super) fn file(axis: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    format!("by-{}.svg", axis.chars().map(safe).collect::<String>())
}

/// Draws the picture of an axis.
pub(super) fn svg(report: &Report, axis: &str) -> Result<String> {
    let mut places: Vec<String> = Vec::new();
    for cell in &report.results {
        let place = place(report, cell, Some(axis));
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let rows = places.iter().flat_map(|place| COLUMNS.map(|column| panel(report, axis, place, column)));
    let panels: Vec<Panel> = rows.collect();
    let shape = (panels.len(), COLUMNS.len());
    super::svg(report, &format!("what `{axis}` changes"), shape, |number, area| panels[number].draw(area))
}

/// `wanted` are the values of the other axes.
fn panel(report: &Report, axis: &str, wanted: &str, (what, name, scale): (&str, &str, Axis)) -> Panel {
    let number = |cell: &CellReport| value(cell, axis).and_then(|value| value.number).unwrap_or(0.0);
    let cells: Vec<&CellReport> =
        report.results.iter().filter(|cell| place(report, cell, Some(axis)) == wanted).collect();
    let line = |policy: String| {
        let mut own: Vec<&CellReport> = cells.iter().copied().filter(|cell| called(report, cell) == policy).collect();
        own.sort_by(|a, b| number(a).total_cmp(&number(b)));
        let estimates = own.into_iter().filter_map(|cell| Some((number(cell), cell.quantities.get(name)?)));
        estimates.filter_map(|(x, estimate)| Some((x, estimate.mean?, estimate.ci95))).collect()
    };
    let first = cells.iter().map(|cell| number(cell)).fold(f64::INFINITY, f64::min);
    let last = cells.iter().map(|cell| number(cell)).fold(f64::NEG_INFINITY, f64::max);
    let margin = if last > first { (last - first) * 0.03 } else { 1.0 };
    Panel {
        title: if wanted.is_empty() { what.to_owned() } else { format!("{wanted}: {what}") },
        x_title: axis.to_owned(),
        x_range: first - margin..last + margin,
        axis: scale,
        lines: policies(report).into_iter().map(line).collect(),
    }
}
