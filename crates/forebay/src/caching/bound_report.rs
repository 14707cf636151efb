//! The result of `[bound]`: the limits of the lowest latency.

use super::bounds::Limits;
use super::outcome::RunResult;
use super::report::{Bounded, CacheSettings, Cell, Place, is_complete, warnings};
use super::units::ticks_text;
use crate::run::{About, Asked};
use serde::Serialize;
use std::fmt::Write as _;

/// The bounds at every value of the axes.
#[derive(Debug, Serialize)]
pub struct BoundReport {
    /// The version of forebay.
    pub forebay: &'static str,
    /// The name of the scenario.
    pub scenario: String,
    /// The root of all random numbers; each repetition has its own seed.
    pub seed: u64,
    /// Warnings about the result.
    pub warnings: Vec<String>,
    /// Whether every search ended without an interrupt: at the wanted gap, or after the wanted number of steps.
    pub complete: bool,
    /// The rows in the order of the scenario, one for each repetition.
    pub results: Vec<BoundRow>,
}

/// The limits of the lowest total latency, in one repetition.
#[derive(Debug, Serialize)]
pub struct BoundRow {
    /// The place of the sweep.
    #[serde(flatten)]
    pub place: Place,
    /// The unit of capacities: `entries` or `bytes`.
    pub capacity_unit: String,
    /// The unit of latencies: `slots` or `ns`.
    pub latency_unit: String,
    /// The number of the repetition, from 0.
    pub repetition: u64,
    /// The seed of the repetition.
    pub seed: u64,
    /// The proven limits.
    #[serde(flatten)]
    pub limits: Limits,
    /// The optimum of the linear programme, which no schedule is below, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub programme: Option<f64>,
    /// Whether the search ended without an interrupt.
    pub complete: bool,
}

impl BoundReport {
    /// Creates the report from the runs of each cell, in the order of the scenario.
    pub(super) fn new(about: About, asked: &Asked<CacheSettings>, cells: &[Cell]) -> Self {
        Self {
            forebay: env!("CARGO_PKG_VERSION"),
            scenario: about.scenario,
            seed: about.seed,
            warnings: warnings(cells),
            complete: is_complete(cells, asked),
            results: cells.iter().flat_map(rows).collect(),
        }
    }

    /// Returns the bounds of each cell, with all repetitions together.
    pub(crate) fn bounded(&self) -> Vec<Bounded> {
        let mut all: Vec<Bounded> = Vec::new();
        for row in &self.results {
            match all.last_mut().filter(|last| last.place.axes == row.place.axes) {
                Some(last) => {
                    last.repetitions.push(row.repetition);
                    last.all.push(row.limits);
                }
                None => all.push(Bounded {
                    place: row.place.clone(),
                    repetitions: vec![row.repetition],
                    limits: row.limits,
                    all: vec![row.limits],
                }),
            }
        }
        all
    }
}

fn rows(cell: &Cell) -> Vec<BoundRow> {
    let row = |((repetition, seed), run): ((&u64, &u64), &RunResult)| {
        let found = run.bounds()?;
        Some(BoundRow {
            place: cell.place(found.capacity),
            capacity_unit: run.capacity_unit.clone(),
            latency_unit: run.latency_unit.clone(),
            repetition: *repetition,
            seed: *seed,
            limits: found.limits,
            programme: found.programme,
            complete: run.complete,
        })
    };
    cell.repetitions.iter().zip(&cell.seeds).zip(&cell.runs).filter_map(row).collect()
}

/// Returns the bounds as a table for people.
pub fn bound_table(report: &BoundReport) -> String {
    let mut out = report.results.iter().map(describe).collect::<Vec<_>>().join("\n");
    if report.results.is_empty() {
        out += "interrupted before all requests were read: there is no bound\n";
    }
    out
}

fn describe(row: &BoundRow) -> String {
    let BoundRow { place, capacity_unit, latency_unit, limits, .. } = row;
    let latency = place.latency.text(latency_unit);
    let total = |total: u64, mean: f64| format!("{total} {latency_unit}, {} a request", ticks_text(latency_unit, mean));
    let share = |part: u64| format!("{:.1} %", part as f64 / limits.requests.max(1) as f64 * 100.0);
    let (trace, capacity, requests) = (&place.trace, place.capacity, limits.requests);
    let mut out = format!("{trace}: {capacity} {capacity_unit}, latency {latency}, {requests} requests\n\n");
    let mut line = |name: &str, text: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name:16}{text}");
    };
    line("lower bound", total(limits.lower, limits.lower_mean_latency));
    if let Some(programme) = row.programme {
        line("programme", format!("{programme:.3} {latency_unit}: the exact linear programme"));
    }
    line("upper bound", total(limits.upper, limits.upper_mean_latency));
    line("gap", format!("{:.3} % of the upper bound", limits.gap * 100.0));
    let (hits, delayed, misses) = (share(limits.hits), share(limits.delayed_hits), share(limits.misses));
    line("its schedule", format!("{hits} hits, {delayed} delayed hits, {misses} misses"));
    line("work", format!("{} iterations", limits.iterations));
    if !row.complete {
        out += "\ninterrupted: both bounds hold; with more time they would be closer\n";
    }
    out
}
