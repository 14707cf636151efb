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
    let beyond = Axis::logarithmic("share of flows with more").whole_powers().labelled(share);
    let groups = (0..point.cells[0].groups.len()).filter(|place| point.cells[0].groups[*place].workload.is_none());
    let is_tail = |curve: &Curve| curve.points.iter().filter(|(_, share)| *share > 0.0).count() > 1;
    let rows = groups.map(|place| {
        let groups = point.cells.iter().filter_map(|cell| Some((label(cell, &common), cell.groups.get(place)?)));
        let (whole, tails): (Vec<Curve>, Vec<Curve>) =
            groups.filter_map(|(label, group)| curves(&report.curve_shares, label, group, of)).unzip();
        // Where there is one flow of a class there is nothing to see.
        let tails = if tails.iter().any(is_tail) { tails } else { Vec::new() };
        let whole = if tails.is_empty() { Vec::new() } else { whole };
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
    // So small a share of the flows is none: the line ends with the one of them that is the greatest.
    let tail = beyond.map(|(value, share)| (value, if share < least_share * 0.999_999 { 0.0 } else { share }));
    let tail = steps(tail);
    Some((Curve { label: label.clone(), points: steps(whole.into_iter()) }, Curve { label, points: tail }))
}

/// Shares of values as a line of steps: a share holds from its value until the next.
fn steps(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = Vec::new();
    for (value, share) in points {
        if let Some(&(_, before)) = line.last() {
            line.push((value, before));
        }
        line.push((value, share));
    }
    line.dedup();
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::sample;

    #[test]
    fn a_tail_goes_on_to_the_greatest_value() {
        let report = sample::report(1, 1, vec![sample::cell("TCP", "0.5", 0, sample::run(10.0, 0))]);
        let group = &report.results[0].groups[0];
        let (whole, tail) =
            curves(&report.curve_shares, String::new(), group, |curves| &curves.slowdown).expect("there are flows");
        let greatest = group.quantities.mean("slowdown_max").expect("there are flows");
        assert_eq!(whole.points.last(), Some(&(greatest, 1.0)));
        let shown: Vec<&(f64, f64)> = tail.points.iter().filter(|(_, share)| *share > 0.0).collect();
        let last = shown.last().expect("a tail");
        assert!(last.0 == greatest && last.1 >= 1.0 / 119.0 && last.1 < 2.0 / 119.0, "{last:?}");
    }

    #[test]
    fn steps_are_level_and_upright() {
        let points = [(1.0, 0.0), (1.0, 0.5), (4.0, 1.0)];
        assert_eq!(steps(points.into_iter()), [(1.0, 0.0), (1.0, 0.5), (4.0, 0.5), (4.0, 1.0)]);
    }
}
