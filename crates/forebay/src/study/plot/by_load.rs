//! What the load changes: inversions, drops and delay, a row of panels for each
//! distribution of ranks, as in SP-PIFO (NSDI'20), figure 5d. Bars are confidence
//! intervals.

use super::super::quantity::Quantity;
use super::super::report::{CellReport, StudyReport};
use super::{Axis, Panel};
use crate::error::Result;

pub(super) const FILE: &str = "loads.svg";

const COLUMNS: [(&str, Quantity, Axis); 3] = [
    ("inversions per packet sent", Quantity::InversionsPerPacket, Axis::Number),
    ("share of packets dropped", Quantity::DropShare, Axis::Share),
    ("mean delay", Quantity::DelayMean, Axis::Delay),
];

/// Draws the picture of a study with several loads.
pub(super) fn svg(report: &StudyReport) -> Result<String> {
    let of_ranks = report.results.chunk_by(|a, b| a.ranks == b.ranks);
    let panels: Vec<Panel> = of_ranks.flat_map(|cells| COLUMNS.map(|column| panel(report, cells, column))).collect();
    let shape = (panels.len(), COLUMNS.len());
    super::svg(report, "what the load changes", shape, |number, area| panels[number].draw(area))
}

/// `cells` are all of one distribution of ranks.
fn panel(report: &StudyReport, cells: &[CellReport], (what, quantity, axis): (&str, Quantity, Axis)) -> Panel {
    let mut loads = report.loads();
    loads.sort_by(f64::total_cmp);
    let line = |queue: &str| {
        let mut own: Vec<&CellReport> = cells.iter().filter(|cell| cell.queue == queue).collect();
        own.sort_by(|a, b| a.load.total_cmp(&b.load));
        let estimates = own.into_iter().map(|cell| (cell.load, cell.estimate(quantity)));
        estimates.filter_map(|(load, estimate)| Some((load, estimate.mean?, estimate.ci95))).collect()
    };
    let (first, last) = (loads[0], loads[loads.len() - 1]);
    let margin = (last - first) * 0.03;
    Panel {
        title: format!("{}: {what}", cells[0].ranks),
        x_title: "load".to_owned(),
        x_range: first - margin..last + margin,
        axis,
        lines: super::queues(report).map(line).collect(),
    }
}
