//! Distributions of completion times and slowdowns over flows, and their tails up to the largest value.

use super::super::report::{GroupReport, NetworkReport};
use super::{common_axes, label, title, titled, words};
use crate::figure::{Axis, Point, Unit};
use crate::picture::Picture;

/// Returns the curve of one kind of a group, in the unit of the axis.
type Of = fn(&GroupReport) -> Option<Vec<f64>>;

const KINDS: [(&str, &str, Unit, Of); 2] = [
    ("slowdown", "slowdown", Unit::Plain, |group| Some(group.curves.as_ref()?.slowdown.clone())),
    ("fct", "flow completion time", Unit::Seconds, |group| {
        Some(group.curves.as_ref()?.fct_ns.iter().map(|ns| ns / 1e9).collect())
    }),
];

/// Returns a row of panels for each class of sizes and each combination of values of the axes: the share of flows up to a value, and
/// beyond.
pub(super) fn pictures(report: &NetworkReport) -> Vec<Picture> {
    let common = common_axes(report);
    let draw = |(name, what, unit, of): (&str, &str, Unit, Of)| {
        let x = Axis::logarithmic(what, unit);
        let up_to = Axis::linear("share of flows up to this", Unit::Share);
        let beyond = Axis::logarithmic("share of flows with more", Unit::Share);
        let mut figure = titled(report, what, "policy");
        for cell in &report.results {
            for group in cell.groups.iter().filter(|group| group.workload.is_none()) {
                let Some((whole, tail)) = of(group).and_then(|values| spread(&report.curve_shares, &values, group))
                else {
                    continue;
                };
                let (title, label) = (title(words(group), cell, &common), label(cell, &common));
                figure.panel(&title, [&x, &up_to]).add(&label, whole);
                figure.panel(&title, [&x, &beyond]).add(&label, tail);
            }
        }
        figure.across = Some(2);
        Picture::of_panels(name, "distribution", figure)
    };
    KINDS.into_iter().filter_map(draw).collect()
}

/// The share of flows up to each value, and beyond it as far as there are flows; nothing of a single flow.
fn spread(shares: &[f64], values: &[f64], group: &GroupReport) -> Option<(Vec<Point>, Vec<Point>)> {
    let completed = group.quantities.mean("completed").filter(|&count| count > 1.0)?;
    if values.is_empty() {
        return None;
    }
    let whole: Vec<Point> = values.iter().zip(shares).map(|(&value, &share)| Point::of(value, share)).collect();
    // So small a share of the flows is none: the line ends with the greatest of them.
    let beyond = |share: f64| if 1.0 - share < 0.999_999 / completed { 0.0 } else { 1.0 - share };
    let tail = whole.iter().map(|point| Point { y: beyond(point.y), ..*point }).collect();
    Some((whole, tail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::sample;

    #[test]
    fn a_tail_goes_on_to_the_greatest_value() {
        let report = sample::report(1, 1, vec![sample::cell("TCP", "0.5", 0, sample::run(10.0, 0))]);
        let group = &report.results[0].groups[0];
        let values = KINDS[0].3(group).expect("there are flows");
        let (whole, tail) = spread(&report.curve_shares, &values, group).expect("there are flows");
        let greatest = group.quantities.mean("slowdown_max").expect("there are flows");
        assert_eq!(whole.last(), Some(&Point::of(greatest, 1.0)));
        assert_eq!(tail.last(), Some(&Point::of(greatest, 0.0)));
        let last = tail.iter().rev().find(|point| point.y > 0.0).expect("a tail");
        assert!(last.y >= 1.0 / 119.0 && last.y < 2.0 / 119.0, "{last:?}");
    }
}
