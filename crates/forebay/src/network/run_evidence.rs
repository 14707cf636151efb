//! Evidence of runs for their plausibility: the load that was asked for, and the times at which flows had settled.

use super::report::CellReport;
use super::run_result::RunResult;
use crate::plausibility::{Load, Sent, Short, of_handshakes, of_loads, of_retransmissions, of_saturation, of_settling};
use crate::statistics::Settled;

/// The evidence of the runs of a cell.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// The load that the scenario asks for, if it does.
    asked_load: Option<f64>,
    /// The share by which chance moves the mean load of all repetitions: a standard deviation.
    load_deviation: Option<f64>,
    /// The finding for each repetition.
    settled: Vec<Option<Settled>>,
}

impl Seen {
    pub(super) fn new(runs: &[&RunResult]) -> Self {
        let squares = runs.iter().map(|run| Some(run.load_deviation?.powi(2))).sum::<Option<f64>>();
        Self {
            asked_load: runs[0].asked_load,
            load_deviation: squares.map(|squares| squares.sqrt() / runs.len() as f64),
            settled: runs.iter().map(|run| run.settled).collect(),
        }
    }

    /// Returns the time at which each repetition had settled, if it can be determined for any.
    pub(super) fn settled_ns(&self) -> Option<Vec<Option<f64>>> {
        let settled = self.settled.iter().map(|settled| settled.as_ref()?.settled_ns);
        self.settled.iter().any(Option::is_some).then(|| settled.collect())
    }
}

/// Returns warnings about implausible results in these cells.
pub(super) fn warnings(cells: &[CellReport]) -> Vec<String> {
    let titled = cells.iter().map(|cell| (cell.title(), &cell.seen.settled[..]));
    let mut warnings = of_settling(titled, "the slowdown of flows", "give `warmup` at least that");
    warnings.extend(of_loads(cells.iter().filter_map(load)));
    warnings.extend(of_retransmissions(cells.iter().filter_map(sent)));
    let waited = cells.iter().filter_map(|cell| Some((cell.title(), cell.quantities.mean("handshake_timeouts")?)));
    warnings.extend(of_handshakes(waited));
    let busy = cells
        .iter()
        .filter_map(|cell| Some((cell.policy.as_str(), &cell.axes[..], cell.quantities.mean("busiest_utilisation")?)));
    warnings.extend(of_saturation(busy));
    warnings
}

fn load(cell: &CellReport) -> Option<Load<'_>> {
    let deviation = cell.seen.load_deviation?;
    Some(Load {
        axes: &cell.axes,
        asked: cell.seen.asked_load?,
        offered: cell.quantities.mean("offered_load")?,
        short: Short::Flows { flows: cell.quantities.mean("flows")?, deviation },
    })
}

fn sent(cell: &CellReport) -> Option<Sent> {
    let mean = |name: &str| cell.quantities.mean(name);
    let causes = ["discipline", "shared_buffer", "on_link", "link_down", "no_route", "state"];
    Some(Sent {
        title: cell.title(),
        segments: mean("data_segments")?,
        retransmissions: mean("retransmissions")?,
        drops: causes.iter().map(|cause| mean(&format!("all_drops_{cause}"))).sum::<Option<f64>>()?,
    })
}
