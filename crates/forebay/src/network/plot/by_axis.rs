//! What an axis of a sweep changes: completion times by load, or by anything else that is a number, for each size class,
//! inversions where they were counted, and what packets wait for their states. Vertical lines are confidence intervals.

use super::super::report::{CellReport, NetworkReport};
use super::{Point, common_axes, in_units, label, points, time, value, words};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, mixed, svg};
use crate::statistics::Estimate;

/// A horizontal axis is logarithmic if its greatest value is so many times the least.
const WIDE: f64 = 30.0;

const COLUMNS: [(&str, &str); 2] = [("mean", "fct_ns_mean"), ("99th percentile", "fct_ns_p99")];

/// Of accesses to states.
const OF_STATES: [(&str, &str); 2] = [("misses", "miss_share"), ("mean wait of a packet", "mean_wait_ns")];

/// Pictures for each numeric axis, and each combination of values of the others.
pub(super) fn files(report: &NetworkReport) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for axis in common_axes(report).into_iter().filter(|axis| is_numeric(report, axis)) {
        for point in points(report, Some(axis)) {
            let title = |what| point.title(&report.scenario, &format!("{what} by {axis}"));
            let panels = completion_times(report, &point, axis);
            if !panels.is_empty() {
                let svg = mixed(&title("completion times"), COLUMNS.len(), &panels)?;
                files.push((point.file(&format!("fct-by-{axis}")), svg));
            }
            let panels = states(report, &point, axis);
            if !panels.is_empty() {
                let svg = mixed(&title("states in switches"), OF_STATES.len(), &panels)?;
                files.push((point.file(&format!("states-by-{axis}")), svg));
            }
            if let Some(svg) = inversions(report, &point, axis, &title("inversions"))? {
                files.push((point.file(&format!("inversions-by-{axis}")), svg));
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
fn completion_times<'a>(report: &NetworkReport, point: &Point<'a>, axis: &'a str) -> Vec<([Axis<'a>; 2], Panel)> {
    let common = common_axes(report);
    let x = horizontal(point, axis);
    let y = Axis::logarithmic("flow completion time").whole_powers().labelled(time);
    let groups = (0..point.cells[0].groups.len()).filter(|place| point.cells[0].groups[*place].workload.is_none());
    let panels = groups.flat_map(|place| {
        let common = &common;
        COLUMNS.map(|(statistic, quantity)| {
            let name = words(&point.cells[0].groups[place]);
            let of_group = |cell: &'a CellReport| cell.groups.get(place)?.quantities.get(quantity);
            (
                [x, y],
                Panel {
                    title: format!("{name}: {statistic}"),
                    curves: curves(point, axis, common, Scale::Logarithmic, of_group),
                },
            )
        })
    });
    panels.filter(|(_, panel)| !panel.curves.is_empty()).collect()
}

/// A row for each kind of states.
fn states<'a>(report: &NetworkReport, point: &Point<'a>, axis: &'a str) -> Vec<([Axis<'a>; 2], Panel)> {
    let common = common_axes(report);
    let x = horizontal(point, axis);
    let panels = (0..point.cells[0].states.len()).flat_map(|place| {
        let common = &common;
        OF_STATES.map(|(what, quantity)| {
            let of_state = |cell: &'a CellReport| cell.states.get(place)?.quantities.get(quantity);
            let curves = curves(point, axis, common, Scale::Linear, of_state);
            let labels = if quantity == "mean_wait_ns" { time } else { percent };
            let y = Axis::linear(what).labelled(labels);
            ([x, y], Panel { title: point.cells[0].states[place].name.clone(), curves })
        })
    });
    panels.filter(|(_, panel)| !panel.curves.is_empty()).collect()
}

/// At all links where they were counted; [`None`] if there are none.
fn inversions<'a>(report: &NetworkReport, point: &Point<'a>, axis: &str, title: &str) -> Result<Option<String>> {
    let of_run = |cell: &'a CellReport| cell.quantities.get("inversions");
    let curves = curves(point, axis, &common_axes(report), Scale::Linear, of_run);
    let axes = [horizontal(point, axis), Axis::linear("inversions in a run")];
    Ok(if curves.is_empty() { None } else { Some(svg(title, axes, &curves)?) })
}

/// A share.
fn percent(share: f64) -> String {
    in_units(share * 100.0, &[(1.0, "%")])
}

/// The axis with the values of `axis`.
fn horizontal<'a>(point: &Point<'_>, axis: &'a str) -> Axis<'a> {
    let xs = || point.cells.iter().filter_map(|cell| value(cell, axis)?.number).filter(|x| *x > 0.0);
    let is_wide = xs().fold(0.0, f64::max) > WIDE * xs().fold(f64::INFINITY, f64::min);
    let is_positive = point.cells.iter().all(|cell| value(cell, axis).is_some_and(|value| value.number > Some(0.0)));
    let x = if is_wide && is_positive { Axis::logarithmic(axis).whole_powers() } else { Axis::linear(axis) };
    x.labelled(unit_of(point.cells.first().and_then(|cell| value(cell, axis)).map_or("", |value| &value.text)))
}

/// What the vertical axis is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    Linear,
    /// It has no zero.
    Logarithmic,
}

/// A line for each scheme, then the intervals in its colour.
fn curves<'a>(
    point: &Point<'a>,
    axis: &str,
    common: &[&str],
    scale: Scale,
    of: impl Fn(&'a CellReport) -> Option<&'a Estimate>,
) -> Vec<Curve> {
    let mut lines: Vec<Curve> = Vec::new();
    let mut intervals = Vec::new();
    for &cell in &point.cells {
        let Some((x, mean, ci95)) = point_of(cell, axis, of(cell)) else { continue };
        let label = label(cell, common);
        if let Some(ci95) = ci95 {
            let low = match scale {
                Scale::Linear => mean - ci95,
                Scale::Logarithmic => (mean - ci95).max(mean / 10.0),
            };
            intervals.push(Curve { label: label.clone(), points: vec![(x, low), (x, mean + ci95)] });
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

fn point_of(cell: &CellReport, axis: &str, estimate: Option<&Estimate>) -> Option<(f64, f64, Option<f64>)> {
    let estimate = estimate?;
    Some((value(cell, axis)?.number?, estimate.mean?, estimate.ci95))
}

/// How numbers are written that the scenario writes like `text`.
fn unit_of(text: &str) -> fn(f64) -> String {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || ". _".contains(c));
    match unit {
        "" | "packets" | "packet" => |number| in_units(number, &[(1.0, "")]),
        "%" => |number| in_units(number, &[(1.0, "%")]),
        "ps" | "ns" | "us" | "ms" | "s" => time,
        _ if unit.ends_with("bps") => super::rate,
        _ => super::bytes,
    }
}
