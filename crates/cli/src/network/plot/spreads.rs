//! How slowdowns and completion times of each size class are spread, and their tails.

use super::super::report::{Curves, NetworkReport};
use super::{Point, common_axes, in_units, label, points, time, words};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, mixed};

/// Of the curves of a group those of one kind.
type Of = fn(&Curves) -> &Vec<f64>;

/// What is shown: the file, the words, the axis, how a value is written.
const KINDS: [(&str, &str, fn(f64) -> String, Of); 2] = [
    ("slowdown", "slowdown", |factor| in_units(factor, &[(1.0, "")]), |curves| &curves.slowdown),
    ("fct", "flow completion time", time, |curves| &curves.fct_ns),
];

/// Two pictures for each combination of values of the axes.
pub(super) fn files(report: &NetworkReport) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for (file, what, format, of) in KINDS {
        for point in points(report, None) {
            let title = point.title(&report.scenario, what);
            let axis = Axis::logarithmic(what).from_power().labelled(format);
            let panels = panels(report, &point, axis, of);
            if !panels.is_empty() {
                files.push((point.file(file), mixed(&title, 2, &panels)?));
            }
        }
    }
    Ok(files)
}

/// A row for each class that has flows: the share of flows up to a value, and beyond it.
fn panels<'a>(report: &NetworkReport, point: &Point<'_>, axis: Axis<'a>, of: Of) -> Vec<([Axis<'a>; 2], Panel)> {
    let common = common_axes(report);
    let share = |share: f64| format!("{} %", in_units(share * 100.0, &[(1.0, "")]));
    let up_to = Axis::linear("share of flows with this or less").labelled(share);
    let beyond = Axis::logarithmic("share of flows with more").labelled(share);
    let groups = (0..point.cells[0].groups.len()).filter(|place| point.cells[0].groups[*place].workload.is_none());
    let rows = groups.filter_map(|place| {
        let lines: Vec<(String, &Vec<f64>)> = point
            .cells
            .iter()
            .filter_map(|cell| {
                let values = of(cell.groups.get(place)?.curves.as_ref()?);
                (!values.is_empty()).then(|| (label(cell, &common), values))
            })
            .collect();
        let name = words(point.cells[0].groups.get(place)?);
        let panel = |title: String, share: fn(f64) -> f64| {
            let points = |values: &[f64]| {
                values.iter().zip(&report.curve_shares).map(|(&value, &at)| (value, share(at))).collect()
            };
            let curves = lines.iter().map(|(label, values)| Curve { label: label.clone(), points: points(values) });
            Panel { title, curves: curves.collect() }
        };
        let is_there = !lines.is_empty();
        is_there.then(|| {
            [
                ([axis, up_to], panel(name.to_owned(), |share| share)),
                ([axis, beyond], panel(format!("{name}: the tail"), |share| 1.0 - share)),
            ]
        })
    });
    rows.flatten().collect()
}
