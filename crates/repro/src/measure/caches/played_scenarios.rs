//! Plays the scenarios of an experiment about caches.

use super::{Experiment, Measured};
use forebay::Observer;
use forebay::caching::{self, Attribution, CacheReport, CacheScenario, Row};
use forebay::document::{Node, Value};
use forebay::error::{Result, UserError};
use forebay::output::folder;
use forebay::run::Part;
use forebay::{Answer, caching::Place};
use forebay_core::Seed;
use std::path::Path;

/// The name of the upper bound's schedule, which is listed with the policies.
const BELATEDLY: &str = "belatedly";

/// The name of `scenario.toml`.
const ALL: &str = "all";

/// The cells of one scenario.
pub(crate) struct Played {
    /// The file's name after `scenario-`, or `all`.
    pub(crate) scenario: String,
    pub(crate) cells: Vec<Cell>,
    pub(crate) report: Box<CacheReport>,
}

/// A cell: a trace with one value of each axis.
pub(crate) struct Cell {
    /// The trace's file, without folders and extensions.
    pub(crate) trace: String,
    /// The other axes, with the texts of their values.
    pub(crate) axes: Vec<(String, String)>,
    pub(crate) place: Place,
    pub(crate) results: Vec<CellResult>,
    /// The lower bound and the latency of the best schedule.
    pub(crate) bounds: Option<(f64, f64)>,
}

/// The results of one policy, or of the best schedule.
pub(crate) struct CellResult {
    pub(crate) policy: String,
    pub(crate) offline: bool,
    pub(crate) mean_latency: f64,
    pub(crate) miss_ratio: f64,
    /// The mean latency and the miss ratio in the classical model, if that was played.
    pub(crate) classical: Option<(f64, f64)>,
}

/// Plays `scenario.toml`, and other scenarios that a row uses by name or trace. Scenarios whose traces are missing are skipped.
pub(crate) fn play(
    experiment: &Experiment,
    seed: Seed,
    measured: &mut Measured,
    observer: &dyn Observer,
) -> Result<Vec<Played>> {
    let mut played = Vec::new();
    for own in experiment.scenarios()?.iter().take_while(|_| observer.goes_on()) {
        let name = own.name.unwrap_or(ALL);
        let document = experiment.document(own)?;
        let traces = traces(&document);
        let is_asked = |name: &str| experiment.asks_for(&format!("{name}: "));
        if own.name.is_some() && !is_asked(name) && !traces.iter().any(|trace| is_asked(short(trace))) {
            continue;
        }
        if let Some(why) = traces.iter().find_map(|trace| experiment.missing_trace(trace)) {
            measured.skipped.extend(traces.iter().map(|trace| (short(trace).to_owned(), why.clone())));
            continue;
        }
        let title = format!("{}: {name}", experiment.name);
        let scenario = CacheScenario::read(&document, &title, Some(seed.0), experiment)?;
        let Answer::Cache(report) = caching::run(&scenario, None, &Part::default(), observer)? else {
            return Err(UserError::at(experiment.path(&own.file), "this scenario has no [cache]; add it"));
        };
        measured.files.push((format!("{name}-caches.json"), folder::json(&report)?));
        let cells = report.results.chunk_by(|a, b| a.place == b.place).map(|rows| cell(rows, &report)).collect();
        played.push(Played { scenario: name.to_owned(), cells, report });
    }
    Ok(played)
}

/// Returns the traces that are files.
fn traces(document: &Node) -> Vec<String> {
    let cache = document.table("the scenario").ok().and_then(|top| top.get("cache").cloned());
    let trace = cache.and_then(|cache| cache.table("[cache]").ok()?.get("trace").cloned());
    let text = |node: &Node| match &node.value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    match trace.map(|trace| trace.value) {
        Some(Value::Text(text)) => vec![text],
        Some(Value::Array(items)) => items.iter().filter_map(text).collect(),
        _ => Vec::new(),
    }
}

/// Shortens `traces/web12.trace.xz` to `web12`.
fn short(trace: &str) -> &str {
    let name = Path::new(trace).file_name().and_then(|name| name.to_str()).unwrap_or(trace);
    name.split('.').next().unwrap_or(name)
}

/// Returns a policy without its parameters, if no other policy has the same name.
fn short_policy<'a>(policy: &'a str, all: &[&str]) -> &'a str {
    let base = |policy: &'a str| policy.split('(').next().unwrap_or(policy);
    let is_only = all.iter().filter(|other| other.split('(').next() == Some(base(policy))).count() == 1;
    if is_only { base(policy) } else { policy }
}

fn cell(rows: &[Row], report: &CacheReport) -> Cell {
    let place = &rows[0].place;
    let all: Vec<&str> = rows.iter().map(|row| row.policy.as_str()).collect();
    let result = |row: &Row| CellResult {
        policy: short_policy(&row.policy, &all).to_owned(),
        offline: row.offline,
        mean_latency: row.mean("mean_latency"),
        miss_ratio: row.mean("miss_ratio"),
        classical: row.has_classical().then(|| (row.mean("classical_mean_latency"), row.mean("classical_miss_ratio"))),
    };
    let mut results: Vec<CellResult> = rows.iter().map(result).collect();
    let limits = report.bounds.iter().find(|bounded| bounded.place == *place).map(|bounded| bounded.limits);
    results.extend(limits.map(|limits| CellResult {
        policy: BELATEDLY.to_owned(),
        offline: true,
        mean_latency: limits.upper_mean_latency,
        miss_ratio: limits.misses as f64 / limits.requests.max(1) as f64,
        classical: None,
    }));
    let axes = place.axes.iter().filter(|(name, _)| name != "trace");
    Cell {
        trace: short(&place.trace).to_owned(),
        axes: axes.map(|(name, value)| (name.clone(), value.text.clone())).collect(),
        place: place.clone(),
        results,
        bounds: limits.map(|limits| (limits.lower_mean_latency, limits.upper_mean_latency)),
    }
}

impl Cell {
    /// Returns the beginning of the names of the cell's values.
    pub(crate) fn place(&self) -> String {
        let axes: String = self.axes.iter().map(|(name, value)| format!("{name} {value}: ")).collect();
        format!("{}: {axes}", self.trace)
    }

    /// Returns the value of an axis, as in the file.
    pub(crate) fn axis(&self, name: &str) -> Option<&str> {
        self.axes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns the results of the policy, or of the best schedule.
    pub(crate) fn result(&self, policy: &str) -> Option<&CellResult> {
        self.results.iter().find(|result| result.policy == policy)
    }
}

impl Played {
    /// Adds all numbers of all policies.
    pub(crate) fn add_values(&self, measured: &mut Measured) {
        let cells = self.cells.iter().zip(self.report.results.chunk_by(|a, b| a.place == b.place));
        for (cell, rows) in cells {
            let place = cell.place();
            measured.value(format!("{place}capacity"), cell.place.capacity as f64);
            for (row, result) in rows.iter().zip(&cell.results) {
                for (name, estimate) in row.quantities.iter() {
                    if let Some(mean) = estimate.mean {
                        measured.value(format!("{place}{}: {name}", result.policy), mean);
                    }
                }
            }
        }
    }

    /// Returns the changes for each object, with the cell that they belong to.
    pub(crate) fn attributions(&self) -> impl Iterator<Item = (&Cell, &Attribution)> {
        let of = |own: &Attribution| self.cells.iter().find(|cell| cell.place == own.place);
        self.report.attributions.iter().filter_map(move |own| Some((of(own)?, own)))
    }
}
