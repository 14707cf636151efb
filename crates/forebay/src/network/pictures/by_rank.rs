//! Inversions that each rank causes, as in SP-PIFO (NSDI'20), figure 5a.

use super::super::by_rank::RanksOfLink;
use super::super::report::NetworkReport;
use super::{common_axes, label, title, titled};
use crate::figure::{Axis, Point, Unit};
use crate::picture::Picture;

/// Returns a panel for each link and each combination of values of the axes, if inversions were counted.
pub(super) fn picture(report: &NetworkReport) -> Option<Picture> {
    let axes = [&Axis::linear("rank", Unit::Plain), &Axis::linear("inversions by packets of this rank", Unit::Plain)];
    let common = common_axes(report);
    let mut figure = titled(report, "inversions by rank, mean of a run", "policy");
    for cell in &report.results {
        for link in &cell.inversions_by_rank {
            figure.panel(&title(&link.link, cell, &common), axes).add(&label(cell, &common), line(link));
        }
    }
    Picture::of_panels("inversions", "time-series", figure)
}

/// Returns the inversions of single ranks: those of a bin over its width, at its lowest rank.
fn line(link: &RanksOfLink) -> impl Iterator<Item = Point> {
    let of_a_rank = link.inversions.mean.iter().map(|count| count / link.bin_width as f64);
    link.lowest_rank.iter().zip(of_a_rank).map(|(rank, count)| Point::of(*rank as f64, count))
}
