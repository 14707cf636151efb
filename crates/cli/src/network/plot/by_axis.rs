//! What an axis of a sweep changes: completion times by load, or by anything else that is a number, for each size class.
//! Vertical lines are confidence intervals.

use super::super::report::{CellReport, GroupReport, NetworkReport};
use super::{Point, common_axes, in_units, label, points, time, value, words};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, mixed};

/// A horizontal axis is logarithmic if its greatest value is so many times the least.
const WIDE: f64 = 30.0;

const COLUMNS: [(&str, &str); 2] = [("mean", "fct_ns_mean"), ("99th percentile", "fct_ns_p99")];

/// A picture for each numeric axis, and each combination of values of the others.
pub(super) fn files(report: &NetworkReport) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for axis in common_axes(report).into_iter().filter(|axis| is_numeric(report, axis)) {
        for point in points(report, Some(axis)) {
            let what = format!("completion times by {axis}");
            let panels = panels(report, &point, axis);
            if !panels.is_empty() {
                let svg = mixed(&point.title(&report.scenario, &what), COLUMNS.len(), &panels)?;
                files.push((point.file(&format!("fct-by-{axis}")), svg));
            }
        }
    }
    Ok(files)
}

/// Whether all of its values are numbers, and not all the same.
fn is_numeric(report: &NetworkReport, axis: &str) -> bool {
    let numbers: Option<Vec<f64>> = report.results.iter().map(|cell| value(cell, axis)?.number).collect();
    numbers.is_some_and(|numbers| numbers.iter().any(|number| *number != numbers[0]))
}

/// A row for each class of sizes of which flows were completed.
fn panels<'a>(report: &NetworkReport, point: &Point<'_>, axis: &'a str) -> Vec<([Axis<'a>; 2], Panel)> {
    let common = common_axes(report);
    let xs = || point.cells.iter().filter_map(|cell| value(cell, axis)?.number).filter(|x| *x > 0.0);
    let is_wide = xs().fold(0.0, f64::max) > WIDE * xs().fold(f64::INFINITY, f64::min);
    let is_positive = point.cells.iter().all(|cell| value(cell, axis).is_some_and(|value| value.number > Some(0.0)));
    let x = if is_wide && is_positive { Axis::logarithmic(axis).whole_powers() } else { Axis::linear(axis) };
    let x = x.labelled(unit_of(point.cells.first().and_then(|cell| value(cell, axis)).map_or("", |value| &value.text)));
    let y = Axis::logarithmic("flow completion time").whole_powers().labelled(time);
    let groups = (0..point.cells[0].groups.len()).filter(|place| point.cells[0].groups[*place].workload.is_none());
    let panels = groups.flat_map(|place| {
        let common = &common;
        COLUMNS.map(|(statistic, quantity)| {
            let name = words(&point.cells[0].groups[place]);
            let curves = curves(point, axis, common, place, quantity);
            ([x, y], Panel { title: format!("{name}: {statistic}"), curves })
        })
    });
    panels.filter(|(_, panel)| !panel.curves.is_empty()).collect()
}

/// A line for each scheme, then the intervals in its colour.
fn curves(point: &Point<'_>, axis: &str, common: &[&str], place: usize, quantity: &str) -> Vec<Curve> {
    let mut lines: Vec<Curve> = Vec::new();
    let mut intervals = Vec::new();
    for cell in &point.cells {
        let Some((x, mean, ci95)) = point_of(cell, axis, cell.groups.get(place), quantity) else { continue };
        let label = label(cell, common);
        if let Some(ci95) = ci95 {
            // A logarithmic axis has no zero.
            let ends = vec![(x, (mean - ci95).max(mean / 10.0)), (x, mean + ci95)];
            intervals.push(Curve { label: label.clone(), points: ends });
        }
        match lines.iter_mut().find(|line| line.label == label) {
            Some(line) => line.points.push((x, mean)),
            None => lines.push(Curve { label, points: vec![(x, mean)] }),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    lines.into_iter().chain(intervals).collect()
}

fn point_of(
    cell: &CellReport,
    axis: &str,
    group: Option<&GroupReport>,
    quantity: &str,
) -> Option<(f64, f64, Option<f64>)> {
    let estimate = group?.quantities.get(quantity)?;
    Some((value(cell, axis)?.number?, estimate.mean?, estimate.ci95))
}

/// How numbers are written that the scenario writes like `text`.
fn unit_of(text: &str) -> fn(f64) -> String {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || ". _".contains(c));
    match unit {
        "" | "packets" | "packet" => |number| in_units(number, &[(1.0, "")]),
        "ps" | "ns" | "us" | "ms" | "s" => time,
        _ if unit.ends_with("bps") => super::rate,
        _ => super::bytes,
    }
}
