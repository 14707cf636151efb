//! What happens to each rank: a panel for each distribution of ranks and load, a line
//! for each queue, as in SP-PIFO (NSDI'20), figures 5 and 6.

use super::super::quantity::RankQuantity;
use super::super::report::{CellReport, StudyReport};
use super::{Axis, Line, Panel};
use crate::error::Result;
use std::ops::Range;

/// Panels beside each other: the loads, if there are several, but not more than this.
const MAX_COLUMNS: usize = 6;
const COLUMNS_OF_ONE_LOAD: usize = 3;
/// Ranks of fewer packets, over all seeds, have shares and delays that say little.
const MIN_PACKETS: f64 = 50.0;

/// One picture.
pub(super) struct Figure {
    pub(super) file: &'static str,
    title: &'static str,
    quantity: RankQuantity,
    axis: Axis,
}

/// All pictures of ranks.
pub(super) const FIGURES: [Figure; 4] = [
    Figure {
        file: "inversions.svg",
        title: "inversions that each rank causes, per seed",
        quantity: RankQuantity::Inversions,
        axis: Axis::Number,
    },
    Figure {
        file: "drops.svg",
        title: "share of packets dropped, by rank",
        quantity: RankQuantity::DropShare,
        axis: Axis::Share,
    },
    Figure { file: "delay.svg", title: "mean delay, by rank", quantity: RankQuantity::DelayMean, axis: Axis::Delay },
    Figure {
        file: "delay-p99.svg",
        title: "99th percentile of the delay, by rank",
        quantity: RankQuantity::DelayP99,
        axis: Axis::Delay,
    },
];

impl Figure {
    pub(super) fn svg(&self, report: &StudyReport) -> Result<String> {
        let panels: Vec<Panel> = report.blocks().map(|block| self.panel(block)).collect();
        let columns = match report.loads().len() {
            1 => panels.len().min(COLUMNS_OF_ONE_LOAD),
            loads => loads.min(MAX_COLUMNS),
        };
        super::svg(report, self.title, (panels.len(), columns), |number, area| panels[number].draw(area))
    }

    fn panel(&self, block: &[CellReport]) -> Panel {
        let width = block[0].per_rank.bin_width;
        Panel {
            title: format!("{}, load {}", block[0].ranks, block[0].load),
            x_title: if width > 1 { format!("rank (bins of {width})") } else { "rank".to_owned() },
            x_range: rank_range(&block[0].per_rank.lowest_rank),
            axis: self.axis,
            lines: block.iter().map(|cell| self.line(cell)).collect(),
        }
    }

    /// Bins without a value are left out. So are bins with too few packets for a share
    /// or a delay, and where numbers of packets are shown, a last bin that is narrower
    /// than the others.
    fn line(&self, cell: &CellReport) -> Line {
        let seeds = cell.repetitions.len() as f64;
        let per_rank = &cell.per_rank;
        let (least_packets, bins) = match self.axis {
            Axis::Number => (0.0, per_rank.full_bins()),
            Axis::Share | Axis::Delay => (MIN_PACKETS, per_rank.lowest_rank.len()),
        };
        let column = |quantity| per_rank.column(quantity).mean.iter().copied();
        let values = column(self.quantity).zip(column(RankQuantity::PacketsIn));
        let ranks = per_rank.lowest_rank.iter().take(bins);
        ranks
            .zip(values)
            .filter(|(_, (_, packets))| packets.is_some_and(|packets| packets * seeds >= least_packets))
            .filter_map(|(&rank, (mean, _))| Some((rank as f64, mean?, None)))
            .collect()
    }
}

/// From the first rank to the last, however many there are.
fn rank_range(ranks: &[u64]) -> Range<f64> {
    let (first, last) = (ranks[0] as f64, ranks[ranks.len() - 1] as f64);
    if first < last { first..last } else { first - 1.0..last + 1.0 }
}
