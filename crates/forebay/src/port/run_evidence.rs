//! Evidence of a run for its plausibility: the load that was asked for, and the time at which its queue had settled.

use super::report::CellReport;
use crate::plausibility::{Load, Short, of_loads, of_saturation, of_settling};
use crate::statistics::Settled;
use forebay_core::Time;
use forebay_sim::probes::QueueLengthSeries;
use serde::{Deserialize, Serialize};

/// A mean length of the queue that moves by less, as a share of itself, is as good as the same.
const LEAST_BIAS: f64 = 0.01;

/// The evidence of a run with drawn traffic. There is none for a recording.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// The load that the recipe asks for.
    pub asked_load: f64,
    /// The time at which the last packet joined the queue.
    pub last_queued_ns: f64,
    /// The time at which the queue had settled; [`None`] if the run is too short to determine it.
    pub settled: Option<Settled>,
}

impl Seen {
    /// Creates the evidence; `series` covers the whole run.
    pub(super) fn new(asked_load: f64, last_queued: Time, series: &QueueLengthSeries) -> Self {
        let last_queued_ns = last_queued.since(Time::ZERO).as_ns_f64();
        let interval = series.interval_ns as f64;
        // What empties after the last arrival is no part of the steady state.
        let means = &series.mean_packets;
        let arriving =
            means.iter().zip(1..).take_while(|(_, end)| f64::from(*end) * interval <= last_queued_ns).count();
        let means = &means[..arriving];
        let least_bias = LEAST_BIAS * means.iter().sum::<f64>() / means.len().max(1) as f64;
        let settled = Settled::of(means, 0, least_bias, |place| place as f64 * interval);
        Self { asked_load, last_queued_ns, settled }
    }
}

/// Returns warnings about implausible results in these cells.
pub(super) fn warnings(cells: &[CellReport]) -> Vec<String> {
    let settled: Vec<Vec<Option<Settled>>> = cells.iter().map(CellReport::settled).collect();
    let titled = cells.iter().map(CellReport::title).zip(settled.iter().map(Vec::as_slice));
    let mut warnings = of_settling(titled, "the queue", "let more packets arrive");
    warnings.extend(of_loads(cells.iter().filter_map(load)));
    let busy = |cell: &'_ CellReport| -> Option<f64> { cell.quantities.mean("utilisation") };
    let cells = cells.iter().filter_map(|cell| Some((cell.policy.as_str(), &cell.axes[..], busy(cell)?)));
    warnings.extend(of_saturation(cells));
    warnings
}

/// The mean over repetitions, if traffic is drawn.
fn load(cell: &CellReport) -> Option<Load<'_>> {
    let seen: Vec<(&Seen, f64)> = cell.runs.iter().filter_map(|run| Some((run.seen.as_ref()?, run.end_ns))).collect();
    let runs = seen.len() as f64;
    let asked = seen.first()?.0.asked_load;
    let mean = |of: &dyn Fn(&(&Seen, f64)) -> f64| seen.iter().map(of).sum::<f64>() / runs;
    let short =
        Short::Drain { drain_ns: mean(&|(seen, end)| end - seen.last_queued_ns), of_ns: mean(&|(_, end)| *end) };
    Some(Load { axes: &cell.axes, asked, offered: cell.quantities.mean("offered_load")?, short })
}
