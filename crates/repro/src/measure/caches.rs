//! Caches: `scenario.toml` of the experiment and every `scenario-NAME.toml`, one after the other. Values are called like
//! `cdn: latency 1000: capacity 5%active: lru: mean_latency`, after the file of the trace, the other axes, the policy and the metric.
//! Parameters of a policy are left out where it is the only one of its name. `belatedly` is the best schedule that a search for bounds
//! finds; `cdn: latency 1000: gap of the bounds` is by how many percent it is above the lower bound.
//!
//! The entries of `compare` in `experiment.toml` are computed for each cell, like `cdn: latency 1000: latency of lru-mad below lru`. They
//! are also computed for all cells of a trace (`cdn: TEXT: mean`, `least`, `greatest` and `median`) or of a file (`made: TEXT: mean` of
//! `scenario-made.toml`).

mod comparison;
mod picture;
mod played_scenarios;
mod workload;

use super::{Experiment, MeasureEntry, Measured};
use comparison::Comparison;
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Exactness, Seed};
pub(super) use played_scenarios::{Cell, CellResult, Played, play};
use std::collections::BTreeMap;
pub(super) use workload::load;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "caches",
        title: "The caches in scenario.toml and every scenario-NAME.toml: latency of policies on request traces, beside bounds",
        exactness: Exactness::NotApplicable,
        hardware: "traces that a scenario names; without them it is skipped",
        cost: "as the scenarios",
        source: "Atre, thesis, chapter 2",
        params: &[],
    },
    run,
    missing: || None,
};

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let comparisons = comparison::all(&experiment.compare)?;
    let played = play(experiment, seed, &mut measured, observer)?;
    for played in &played {
        played.add_values(&mut measured);
        summarise(&mut measured, played, &comparisons);
    }
    picture::add(&mut measured, &played, &comparisons)?;
    Ok(measured)
}

/// By how many percent the upper bound is above the lower one.
fn gap(cell: &Cell) -> Option<f64> {
    cell.bounds.map(|(lower, upper)| (upper / lower - 1.0) * 100.0)
}

/// What is compared in each cell, and over all cells of a trace and of the scenario.
fn summarise(measured: &mut Measured, played: &Played, comparisons: &[Comparison]) {
    let mut compared: Vec<(String, Vec<Option<f64>>)> = Vec::new();
    for comparison in comparisons {
        compared.push((comparison.to_string(), played.cells.iter().map(|cell| comparison.of(cell)).collect()));
    }
    compared.push(("gap of the bounds".to_owned(), played.cells.iter().map(gap).collect()));
    for (name, values) in compared {
        let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (cell, value) in played.cells.iter().zip(values) {
            let Some(value) = value.filter(|value| value.is_finite()) else { continue };
            measured.value(format!("{}{name}", cell.place()), value);
            groups.entry(&cell.trace).or_default().push(value);
            groups.entry(&played.scenario).or_default().push(value);
        }
        for (group, values) in groups {
            add_summary(measured, &format!("{group}: {name}"), values);
        }
    }
}

/// The values are not none.
fn add_summary(measured: &mut Measured, name: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let median = if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 };
    measured.value(format!("{name}: least"), values[0]);
    measured.value(format!("{name}: greatest"), values[values.len() - 1]);
    measured.value(format!("{name}: median"), median);
    measured.value(format!("{name}: mean"), values.iter().sum::<f64>() / values.len() as f64);
}
