//! The result of `[curve]`: miss ratio and latency over the capacity.

mod pictures;
mod table;

pub use pictures::curve_pictures;
pub use table::curve_table;

use super::outcome::{MissRatio, Point, PolicyOutcome, RunResult};
use super::report::{CacheSettings, Cell, is_complete, warnings};
use super::units::LatencyValue;
use crate::metric::measure;
use crate::run::{About, Asked};
use crate::statistics::Quantities;
use crate::sweep::{AxisValue, as_list};
use serde::Serialize;

/// The report of curves over the capacity.
#[derive(Debug, Serialize)]
pub struct CurveReport {
    /// The version of forebay.
    pub forebay: &'static str,
    /// The name of the scenario.
    pub scenario: String,
    /// The root of all random numbers; each repetition has its own seed.
    pub seed: u64,
    /// The question.
    pub cache: Asked<CacheSettings>,
    /// Warnings about the result.
    pub warnings: Vec<String>,
    /// Whether every request was played.
    pub complete: bool,
    /// The traces at each combination of values of the axes.
    pub traces: Vec<CurveTrace>,
    /// The curves in the order of the scenario.
    pub curves: Vec<Curve>,
}

/// A trace, and the facts about it that need no policy.
#[derive(Debug, Serialize)]
pub struct CurveTrace {
    /// The trace's name.
    pub trace: String,
    /// The values of the swept fields.
    #[serde(serialize_with = "as_list", skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<(String, AxisValue)>,
    /// The trace's format.
    pub format: String,
    /// The unit of latencies: `slots` or `ns`.
    pub latency_unit: String,
    /// The unit of capacities: `entries` or `bytes`.
    pub capacity_unit: String,
    /// The latency of a fetch.
    pub latency: LatencyValue,
    /// The number of requests of the whole trace, in the first repetition.
    pub requests: u64,
    /// The number of objects in the trace.
    pub objects: u64,
    /// The share of the objects that was played.
    pub sample: f64,
    /// The miss ratio of LRU in the classical model on the whole trace: exact, from stack distances.
    pub lru_miss_ratio: Vec<MissRatio>,
}

/// The curve of one policy with one value of each axis.
#[derive(Debug, Serialize)]
pub struct Curve {
    /// The policy's name.
    pub policy: String,
    /// Whether the policy knew the future.
    pub offline: bool,
    /// The name of the trace.
    pub trace: String,
    /// The latency of a fetch.
    pub latency: LatencyValue,
    /// The values of the swept fields.
    #[serde(serialize_with = "as_list", skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<(String, AxisValue)>,
    /// The finished repetitions, by number from 0.
    pub repetitions: Vec<u64>,
    /// The points from the first capacity to the last.
    pub points: Vec<CurvePoint>,
}

/// The numbers at one capacity: means over repetitions; latencies are means over all requests, in ticks.
#[derive(Debug, Serialize)]
pub struct CurvePoint {
    /// The capacity in entries or bytes.
    pub capacity: u64,
    /// The miss ratio in the model with delayed hits.
    pub miss_ratio: Option<f64>,
    /// The delayed hits over all requests in the model with delayed hits.
    pub delayed_ratio: Option<f64>,
    /// The mean latency in the model with delayed hits.
    pub mean_latency: Option<f64>,
    /// The miss ratio in the classical model.
    pub classical_miss_ratio: Option<f64>,
    /// The mean latency in the classical model.
    pub classical_mean_latency: Option<f64>,
    /// All numbers, with the values of each repetition.
    #[serde(skip)]
    pub quantities: Quantities,
}

impl CurveReport {
    /// Creates the report from the runs of each cell, in the order of the scenario.
    pub(super) fn new(about: About, asked: Asked<CacheSettings>, cells: &[Cell]) -> Self {
        Self {
            forebay: env!("CARGO_PKG_VERSION"),
            scenario: about.scenario,
            seed: about.seed,
            warnings: warnings(cells),
            complete: is_complete(cells, &asked),
            cache: asked,
            traces: cells.iter().filter_map(trace).collect(),
            curves: cells.iter().filter_map(curve).collect(),
        }
    }

    /// Returns the policies that know the future.
    pub(crate) fn offline(&self) -> Vec<&str> {
        self.curves.iter().filter(|curve| curve.offline).map(|curve| curve.policy.as_str()).collect()
    }

    /// The curves of one trace with one value of each axis.
    fn of<'a>(&'a self, trace: &'a CurveTrace) -> impl Iterator<Item = &'a Curve> {
        self.curves.iter().filter(move |curve| (&curve.trace, &curve.axes) == (&trace.trace, &trace.axes))
    }
}

/// Returns the results of stack distances, if this is their cell.
fn trace(cell: &Cell) -> Option<CurveTrace> {
    let first = &cell.runs[0];
    let distances = first.stack_distances()?;
    Some(CurveTrace {
        trace: first.trace.clone(),
        axes: cell.axes.clone(),
        format: first.format.clone(),
        latency_unit: first.latency_unit.clone(),
        capacity_unit: first.capacity_unit.clone(),
        latency: first.latency.clone(),
        requests: first.trace_requests,
        objects: distances.objects,
        sample: first.sample,
        lru_miss_ratio: distances.points.clone(),
    })
}

fn curve(cell: &Cell) -> Option<Curve> {
    let runs: Vec<&PolicyOutcome> = cell.runs.iter().filter_map(RunResult::policy).collect();
    let first = runs.first()?;
    let point = |place: usize| {
        let of_runs: Vec<&Point> = runs.iter().filter_map(|run| run.points.get(place)).collect();
        CurvePoint::new(first.points[place].capacity, &of_runs)
    };
    Some(Curve {
        policy: cell.policy.clone(),
        offline: first.offline,
        trace: cell.runs[0].trace.clone(),
        latency: cell.runs[0].latency.clone(),
        axes: cell.axes.clone(),
        repetitions: cell.repetitions.clone(),
        points: (0..first.points.len()).map(point).collect(),
    })
}

impl CurvePoint {
    fn new(capacity: u64, runs: &[&Point]) -> Self {
        let quantities = measure(runs);
        let is_delayed = runs.iter().any(|point| point.delayed.is_some());
        let delayed = |name: &str| quantities.mean(name).filter(|_| is_delayed);
        // Where it is alone, it has the main names.
        let classical = |name: &str| {
            let beside = quantities.mean(&format!("classical_{name}"));
            if is_delayed { beside } else { quantities.mean(name) }
        };
        Self {
            capacity,
            miss_ratio: delayed("miss_ratio"),
            delayed_ratio: delayed("delayed_hit_ratio"),
            mean_latency: delayed("mean_latency"),
            classical_miss_ratio: classical("miss_ratio"),
            classical_mean_latency: classical("mean_latency"),
            quantities,
        }
    }
}
