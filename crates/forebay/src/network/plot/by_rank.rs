//! Inversions that each rank causes, as in SP-PIFO (NSDI'20), figure 5a.

use super::super::by_rank::RanksOfLink;
use super::super::report::NetworkReport;
use super::{Point, common_axes, label, points};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, panels};

/// A picture for each combination of values of the axes, where inversions were counted.
pub(super) fn files(report: &NetworkReport) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for point in points(report, None) {
        let links = links(report, &point);
        if !links.is_empty() {
            let axes = [Axis::linear("rank"), Axis::linear("inversions by packets of this rank")];
            let title = point.title(&report.scenario, "inversions by rank, mean of a run");
            files.push((point.file("inversions"), panels(&title, axes, &links)?));
        }
    }
    Ok(files)
}

/// A panel for each link, with a line for each scheme.
fn links(report: &NetworkReport, point: &Point<'_>) -> Vec<Panel> {
    let common = common_axes(report);
    let mut panels: Vec<Panel> = Vec::new();
    for cell in &point.cells {
        for link in &cell.inversions_by_rank {
            let curve = Curve { label: label(cell, &common), points: line(link) };
            match panels.iter_mut().find(|panel| panel.title == link.link) {
                Some(panel) => panel.curves.push(curve),
                None => panels.push(Panel { title: link.link.clone(), curves: vec![curve] }),
            }
        }
    }
    panels
}

/// Inversions of single ranks: those of a bin over its width, at its lowest rank.
fn line(link: &RanksOfLink) -> Vec<(f64, f64)> {
    let of_a_rank = link.inversions.mean.iter().map(|count| count / link.bin_width as f64);
    link.lowest_rank.iter().map(|rank| *rank as f64).zip(of_a_rank).collect()
}
