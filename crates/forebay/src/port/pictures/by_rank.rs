//! What happens to each rank: a panel for each value of the axes, a line
//! for each policy, as in SP-PIFO (NSDI'20), figures 5 and 6.

use super::super::by_rank::PerRankReport;
use super::super::report::{CellReport, Report};
use super::{Axis, Line, Panel, blocks, place};
use crate::error::Result;
use std::ops::Range;

/// Panels beside each other.
const MAX_COLUMNS: usize = 3;
/// Ranks of fewer packets, over all repetitions, have shares and delays that say little.
const MIN_PACKETS: f64 = 50.0;

/// One picture.
pub(super) struct Figure {
    pub(super) file: &'static str,
    title: &'static str,
    quantity: &'static str,
    axis: Axis,
}

/// All pictures of ranks.
pub(super) const FIGURES: [Figure; 4] = [
    Figure {
        file: "inversions.svg",
        title: "inversions that each rank causes, per repetition",
        quantity: "inversions",
        axis: Axis::Number,
    },
    Figure { file: "drops.svg", title: "share of packets dropped, by rank", quantity: "drop_share", axis: Axis::Share },
    Figure { file: "delay.svg", title: "mean delay, by rank", quantity: "delay_ns_mean", axis: Axis::Delay },
    Figure {
        file: "delay-p99.svg",
        title: "99th percentile of the delay, by rank",
        quantity: "delay_ns_p99",
        axis: Axis::Delay,
    },
];

impl Figure {
    pub(super) fn svg(&self, report: &Report) -> Result<String> {
        let panels: Vec<Panel> = blocks(report).into_iter().filter_map(|block| self.panel(report, block)).collect();
        let columns = panels.len().min(MAX_COLUMNS);
        super::svg(report, self.title, (panels.len(), columns), |number, area| panels[number].draw(area))
    }

    fn panel(&self, report: &Report, block: &[CellReport]) -> Option<Panel> {
        let first = block[0].per_rank.as_ref()?;
        let width = first.bin_width;
        let of_cell = |cell: &CellReport| Some(self.line(cell.per_rank.as_ref()?, cell.repetitions.len() as f64));
        Some(Panel {
            title: place(report, &block[0], None),
            x_title: if width > 1 { format!("rank (bins of {width})") } else { "rank".to_owned() },
            x_range: rank_range(&first.lowest_rank),
            axis: self.axis,
            lines: block.iter().filter_map(of_cell).collect(),
        })
    }

    /// Bins without a value are left out. So are bins with too few packets for a share
    /// or a delay, and where numbers of packets are shown, a last bin that is narrower
    /// than the others.
    fn line(&self, per_rank: &PerRankReport, repetitions: f64) -> Line {
        let (least_packets, bins) = match self.axis {
            Axis::Number => (0.0, per_rank.full_bins()),
            Axis::Share | Axis::Delay => (MIN_PACKETS, per_rank.lowest_rank.len()),
        };
        let column = |name| per_rank.column(name).into_iter().flat_map(|column| column.mean.iter().copied());
        let values = column(self.quantity).zip(column("packets_in"));
        let ranks = per_rank.lowest_rank.iter().take(bins);
        ranks
            .zip(values)
            .filter(|(_, (_, packets))| packets.is_some_and(|packets| packets * repetitions >= least_packets))
            .filter_map(|(&rank, (mean, _))| Some((rank as f64, mean?, None)))
            .collect()
    }
}

/// From the first rank to the last, however many there are.
fn rank_range(ranks: &[u64]) -> Range<f64> {
    let (first, last) = (ranks[0] as f64, ranks[ranks.len() - 1] as f64);
    if first < last { first..last } else { first - 1.0..last + 1.0 }
}
