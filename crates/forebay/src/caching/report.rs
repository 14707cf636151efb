//! The result of `[cache]`: a comparison of policies.

use super::BEST_SCHEDULE;
use super::attribution::{Attribution, Side, attribution};
use super::bounds::{BesideBound, Limits};
use super::cell_numbers::Wide;
use super::outcome::{BoundsOutcome, Numbers, Point, PolicyOutcome, RunResult};
use super::pairwise::{Pairwise, pairwise};
use super::scenario::Study;
use super::spread::Spread;
use super::units::LatencyValue;
use super::verdict::{Verdict, verdict};
use crate::metric::measure;
use crate::run::{About, Asked, CellRuns};
use crate::statistics::Quantities;
use crate::sweep::{AxisValue, as_list};
use serde::{Deserialize, Serialize};

/// The settings of caches.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CacheSettings {
    /// The question about caches.
    pub study: Study,
    /// The entries of a set; if they are swept, the first value.
    pub ways: Option<u64>,
    /// The number of requests that were played and not counted.
    pub warmup_requests: u64,
    /// The two policies between which the change for each object is measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attribute: Option<(String, String)>,
    /// Whether policies are compared object by object.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub pairwise: bool,
}

/// The report of all traces.
#[derive(Debug, Serialize)]
pub struct CacheReport {
    /// The version of forebay.
    pub forebay: &'static str,
    /// The name of the scenario.
    pub scenario: String,
    /// The root of all random numbers; each repetition has its own seed.
    pub seed: u64,
    /// The question.
    pub cache: Asked<CacheSettings>,
    /// The traces with their units.
    pub traces: Vec<TraceReport>,
    /// Warnings about the result.
    pub warnings: Vec<String>,
    /// Whether every request was played; an interrupted run reports what it has.
    pub complete: bool,
    /// The rows in the order of the scenario; rows without a run are left out.
    pub results: Vec<Row>,
    /// The bounds of the lowest latency in each cell, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bounded>,
    /// The verdict at each place of the sweep.
    pub verdicts: Vec<Verdict>,
    /// The change for each object in the first repetition, if it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributions: Vec<Attribution>,
    /// The number of objects for which each policy is better than each other policy, in the first repetition, if it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairwise: Vec<Pairwise>,
}

/// A trace that was played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TraceReport {
    /// The trace's name.
    pub trace: String,
    /// The trace's format.
    pub format: String,
    /// The unit of latencies: `slots` or `ns`.
    pub latency_unit: String,
    /// The unit of capacities: `entries` or `bytes`.
    pub capacity_unit: String,
    /// The number of requests in the trace, in the first repetition.
    pub trace_requests: u64,
    /// The share of the objects that was played.
    pub sample: f64,
}

/// A trace, a capacity and a latency, at which policies are compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Place {
    /// The name of the trace.
    pub trace: String,
    /// The capacity in entries or bytes.
    pub capacity: u64,
    /// The latency: a number of ticks, or its distribution.
    pub latency: LatencyValue,
    /// The values of the swept fields.
    #[serde(serialize_with = "as_list", skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<(String, AxisValue)>,
}

/// One policy at one place of the sweep.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The place of the sweep.
    #[serde(flatten)]
    pub place: Place,
    /// The policy's name.
    pub policy: String,
    /// Whether the policy knew the future.
    pub offline: bool,
    /// Whether the policy is a MAD form.
    pub mad: bool,
    /// The model of the numbers: `delayed-hits` or `classical`.
    pub model: &'static str,
    /// The finished repetitions, by number from 0.
    pub repetitions: Vec<u64>,
    /// The seed of each repetition.
    pub seeds: Vec<u64>,
    #[serde(flatten)]
    numbers: Option<Wide<Watched>>,
    /// In addition to the numbers with delayed hits: the numbers in the classical model, in which a missed object arrives at once.
    classical: Option<Wide<Numbers>>,
    /// The amount by which the classical model's mean latency is above the real one, as a share of the real one.
    pub classical_error: Option<f64>,
    /// The amount by which the mean latency is above the lower bound, as a share of the bound, if there is one.
    pub above_lower_bound: Option<f64>,
    /// All numbers, with their confidence intervals and the values of each repetition.
    pub quantities: Quantities,
    /// Whether every repetition was run to its end.
    #[serde(skip)]
    pub complete: bool,
    /// The results of each repetition.
    #[serde(skip)]
    pub(super) runs: Vec<PolicyOutcome>,
}

/// Everything that one run says of a policy.
#[derive(Debug, Clone, Serialize)]
struct Watched {
    #[serde(flatten)]
    numbers: Numbers,
    #[serde(flatten)]
    spread: Option<Spread>,
}

/// The prefix of metrics of the classical model, next to those with delayed hits.
const CLASSICAL: &str = "classical_";

/// The bounds at one place of the sweep.
#[derive(Debug, Clone, Serialize)]
pub struct Bounded {
    /// The place of the sweep.
    #[serde(flatten)]
    pub place: Place,
    /// The repetitions, by number from 0.
    pub repetitions: Vec<u64>,
    /// The limits of the first repetition.
    #[serde(flatten)]
    pub limits: Limits,
    /// The limits of each repetition.
    #[serde(skip)]
    pub(crate) all: Vec<Limits>,
}

/// The runs of a cell.
pub(super) type Cell = CellRuns<RunResult>;

impl Cell {
    pub(super) fn place(&self, capacity: u64) -> Place {
        let first = &self.runs[0];
        Place { trace: first.trace.clone(), capacity, latency: first.latency.clone(), axes: self.axes.clone() }
    }

    pub(super) fn is_complete(&self, repetitions: u64) -> bool {
        self.has_all(repetitions) && self.runs.iter().all(|run| run.complete)
    }

    fn policies(&self) -> Vec<PolicyOutcome> {
        self.runs.iter().filter_map(RunResult::policy).cloned().collect()
    }

    /// Returns the bounds, if the cell is a search.
    pub(super) fn bounded(&self) -> Option<Bounded> {
        let found: Vec<&BoundsOutcome> = self.runs.iter().filter_map(RunResult::bounds).collect();
        let first = found.first()?;
        Some(Bounded {
            place: self.place(first.capacity),
            repetitions: self.repetitions.clone(),
            limits: first.limits,
            all: found.iter().map(|outcome| outcome.limits).collect(),
        })
    }
}

/// Returns all traces of these cells.
pub(super) fn traces(cells: &[Cell]) -> Vec<TraceReport> {
    let mut traces: Vec<TraceReport> = Vec::new();
    for run in cells.iter().map(|cell| &cell.runs[0]) {
        let own = TraceReport {
            trace: run.trace.clone(),
            format: run.format.clone(),
            latency_unit: run.latency_unit.clone(),
            capacity_unit: run.capacity_unit.clone(),
            trace_requests: run.trace_requests,
            sample: run.sample,
        };
        let is_known =
            traces.iter().any(|known| TraceReport { trace_requests: own.trace_requests, ..known.clone() } == own);
        if !is_known {
            traces.push(own);
        }
    }
    traces
}

/// Returns all different warnings of these cells.
pub(super) fn warnings(cells: &[Cell]) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    for warning in cells.iter().flat_map(|cell| &cell.runs).flat_map(|run| &run.warnings) {
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    warnings
}

/// Returns whether all runs were made to their ends.
pub(super) fn is_complete(cells: &[Cell], asked: &Asked<CacheSettings>) -> bool {
    let runs: usize = cells.iter().map(|cell| cell.runs.len()).sum();
    runs as u64 >= asked.runs && cells.iter().all(|cell| cell.is_complete(asked.repetitions))
}

impl CacheReport {
    /// Creates the report from the runs of each cell, in the order of the scenario.
    pub(super) fn new(about: About, asked: Asked<CacheSettings>, cells: &[Cell]) -> Self {
        let bounds: Vec<Bounded> = cells.iter().filter_map(Cell::bounded).collect();
        let rows = cells.iter().filter_map(|cell| row(cell, &bounds, asked.repetitions));
        let results: Vec<Row> = rows.collect();
        let groups = || results.chunk_by(|a, b| a.place == b.place);
        Self {
            forebay: env!("CARGO_PKG_VERSION"),
            scenario: about.scenario,
            seed: about.seed,
            traces: traces(cells),
            warnings: warnings(cells),
            complete: is_complete(cells, &asked),
            verdicts: groups().filter_map(verdict).collect(),
            pairwise: groups()
                .filter(|_| asked.settings.pairwise)
                .filter_map(|rows| {
                    pairwise(rows, best_schedule(&rows[0].place, cells).and_then(BoundsOutcome::latencies))
                })
                .collect(),
            attributions: groups().filter_map(|rows| attributed(rows, cells, &asked)).collect(),
            cache: asked,
            results,
            bounds,
        }
    }
}

impl CacheReport {
    /// Returns the policies that know the future.
    pub(crate) fn offline(&self) -> Vec<&str> {
        self.results.iter().filter(|row| row.offline).map(|row| row.policy.as_str()).collect()
    }
}

/// The row of a cell, if it is of a policy.
fn row(cell: &Cell, bounds: &[Bounded], repetitions: u64) -> Option<Row> {
    let runs = cell.policies();
    let points: Vec<&Point> = runs.iter().map(|run| &run.points[0]).collect();
    let first = *points.first()?;
    let place = cell.place(first.capacity);
    let mut quantities = measure(&points);
    let numbers = points.iter().filter_map(|point| {
        let spread = point.spread.as_ref().map(Spread::without_blocks);
        Some(Watched { numbers: *point.numbers()?, spread })
    });
    let is_of_model = |name: &str| !name.starts_with(CLASSICAL);
    let numbers = Wide::new(numbers.collect(), &quantities, "", is_of_model);
    let classical = points.iter().filter_map(|point| point.beside().copied()).collect();
    let classical: Option<Wide<Numbers>> = Wide::new(classical, &quantities, CLASSICAL, |name| name != "error");
    if let Some(bounded) = bounds.iter().find(|bounded| bounded.place == place) {
        let beside = |(repetition, point): (u64, &&Point)| BesideBound {
            mean_latency: point.numbers().map(|numbers| numbers.mean_latency),
            limits: bounded.repetitions.iter().position(|own| *own == repetition).map(|own| bounded.all[own]),
        };
        let beside: Vec<BesideBound> = cell.repetitions.iter().copied().zip(&points).map(beside).collect();
        quantities.extend(measure(&beside.iter().collect::<Vec<_>>()));
    }
    Some(Row {
        policy: cell.policy.clone(),
        offline: runs[0].offline,
        mad: runs[0].mad,
        model: if first.delayed.is_some() { "delayed-hits" } else { "classical" },
        repetitions: cell.repetitions.clone(),
        seeds: cell.seeds.clone(),
        numbers,
        classical,
        classical_error: quantities.mean("classical_error"),
        above_lower_bound: quantities.mean("above_lower_bound"),
        complete: cell.is_complete(repetitions),
        quantities,
        runs,
        place,
    })
}

impl Row {
    /// Returns the mean of a number; 0 if there is none.
    pub fn mean(&self, name: &str) -> f64 {
        self.quantities.mean(name).unwrap_or(0.0)
    }

    /// Returns whether the classical model was played besides the model with delayed hits.
    pub fn has_classical(&self) -> bool {
        self.classical.is_some()
    }

    /// Returns further numbers of the policy, in each repetition.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.runs.iter().map(|run| &run.points[0])
    }
}

/// Returns the result of the search for bounds at a place in the first repetition.
fn best_schedule<'a>(place: &Place, cells: &'a [Cell]) -> Option<&'a BoundsOutcome> {
    let mut found = cells.iter().filter_map(|cell| Some((cell, cell.runs.first()?.bounds()?)));
    Some(found.find(|(cell, found)| cell.place(found.capacity) == *place)?.1)
}

/// Returns the change for each object in the first repetition, if it was asked for and recorded.
fn attributed(rows: &[Row], cells: &[Cell], asked: &Asked<CacheSettings>) -> Option<Attribution> {
    let (before, after) = asked.settings.attribute.as_ref()?;
    let place = &rows[0].place;
    let of_schedule = || {
        let found = best_schedule(place, cells)?;
        Some((found.latencies()?, found.spread.as_deref()))
    };
    let of_policy = |policy: &str| {
        let run = rows.iter().find(|row| row.policy == policy)?.runs.first()?;
        Some((run.latencies()?, run.points[0].spread.as_ref()))
    };
    let [before, after] = [before, after].map(|name| {
        let (objects, spread) = if name == BEST_SCHEDULE { of_schedule() } else { of_policy(name) }?;
        Some(Side { name, objects, spread })
    });
    Some(attribution(place.clone(), &before?, &after?))
}
