//! How slowdowns and completion times of each size class are spread, and their tails.

use super::super::report::{Curves, GroupReport, NetworkReport};
use super::{Point, common_axes, in_units, label, points, time, words};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, mixed};

/// Of the curves of a group those of one kind.
type Of = fn(&Curves) -> &Vec<f64>;

/// What is shown: the file, the words, how a value is written, and where it is.
type Kind = (&'static str, &'static str, fn(f64) -> String, Of);

const KINDS: [Kind; 2] = [
    ("slowdown", "slowdown", |factor| in_units(factor, &[(1.0, "")]), |curves| &curves.slowdown),
    ("fct", "flow completion time", time, |curves| &curves.fct_ns),
];

/// Two pictures for each combination of values of the axes.
pub(super) fn files(report: &NetworkReport) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for (file, what, format, of) in KINDS {
        for point in points(report, None) {
            let title = point.title(&report.scenario, what);
            let axis = Axis::logarithmic(what).whole_powers().labelled(format);
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
    let rows = groups.map(|place| {
        let groups = point.cells.iter().filter_map(|cell| Some((label(cell, &common), cell.groups.get(place)?)));
        let (whole, tails): (Vec<Curve>, Vec<Curve>) =
            groups.filter_map(|(label, group)| curves(&report.curve_shares, label, group, of)).unzip();
        let name = words(&point.cells[0].groups[place]);
        [
            ([axis, up_to], Panel { title: name.to_owned(), curves: whole }),
            ([axis, beyond], Panel { title: format!("{name}: the tail"), curves: tails }),
        ]
    });
    rows.flatten().filter(|(_, panel)| !panel.curves.is_empty()).collect()
}

/// The share of flows up to each value, and beyond it as far as there are flows.
fn curves(shares: &[f64], label: String, group: &GroupReport, of: Of) -> Option<(Curve, Curve)> {
    let values = of(group.curves.as_ref()?);
    let least_share = 1.0 / group.quantities.mean("completed").filter(|&count| count >= 1.0)?;
    if values.is_empty() {
        return None;
    }
    let whole: Vec<(f64, f64)> = values.iter().copied().zip(shares.iter().copied()).collect();
    let beyond = whole.iter().map(|&(value, share)| (value, 1.0 - share));
    let tail = beyond.filter(|(_, share)| *share >= least_share * 0.999_999).collect();
    Some((Curve { label: label.clone(), points: whole }, Curve { label, points: tail }))
}
