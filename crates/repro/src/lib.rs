//! Repeats published measurements: the implementation of `forebay repro`.
//!
//! An experiment is a folder below `experiments/`, on disk or built in ([`Experiments`]). It gives the published numbers with their
//! tolerances (`experiment.toml`), the input of the measurement (a scenario), and an explanation of differences (a page). The measurement
//! itself is one of [`MEASURES`]. Measures that need a virtual machine, a kernel or DPDK need the feature `machines`.

#![cfg_attr(not(all(target_os = "linux", feature = "machines")), allow(dead_code, unused_imports))]

mod attacked;
mod drawing;
mod experiment;
mod formula;
#[path = "measure/registry.rs"]
pub(crate) mod measure;
mod own_scenario;
mod policy;
mod published;
mod report;
mod seeds;
mod source_agreement;
mod tolerance;

pub use experiment::{Experiment, Experiments, all};
pub use measure::{MEASURES, MeasureEntry};
pub use own_scenario::OwnScenario;
pub use published::{Basis, Origin, PublishedRow, Standing, Tested};
pub use report::{Changed, ExperimentOutcome, Row};
pub use seeds::Tried;
pub use source_agreement::{limits, summary};

use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay_core::Seed;
use std::collections::BTreeMap;

/// Why a measure that needs a virtual machine, a kernel or DPDK is missing.
#[allow(dead_code, reason = "with the feature, on Linux, the measures are there")]
const NO_MACHINES: &str =
    "this program was built without the feature `machines`; build it with that feature, which is on by default";

/// The results of a measurement.
#[derive(Debug, Default)]
pub struct Measured {
    /// Numbers by name; the rows of an experiment refer to them.
    pub values: BTreeMap<String, f64>,
    /// Further files for `--out`: name and content.
    pub files: Vec<(String, String)>,
    /// The parts that could not be measured: the beginning of their values' names, before a colon, and the reason.
    pub skipped: Vec<(String, String)>,
}

impl Measured {
    /// Adds a number.
    pub fn value(&mut self, name: impl Into<String>, value: f64) {
        self.values.insert(name.into(), value);
    }

    /// Returns why the value called `name` was not measured, if so.
    fn why_skipped(&self, name: &str) -> Option<&str> {
        let of = |(what, _): &&(String, String)| name.strip_prefix(what.as_str()).is_some_and(|it| it.starts_with(':'));
        self.skipped.iter().find(of).map(|(_, why)| why.as_str())
    }
}

/// Runs one experiment; `None` if it was interrupted.
///
/// # Errors
/// If its files are at fault; they are part of the program, so a test would have
/// shown it.
pub fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Option<ExperimentOutcome>> {
    let measured = (experiment.measure.run)(experiment, seed, observer)?;
    if !observer.goes_on() {
        return Ok(None);
    }
    let judge = |row| Row::judge(row, &measured, !experiment.is_quick);
    let rows = experiment.rows.iter().map(judge).collect::<Result<Vec<_>>>()?;
    Ok(Some(ExperimentOutcome { name: experiment.name.clone(), seed: seed.0, rows, files: measured.files }))
}

/// Returns the value called `name`, or an error that lists the most similar names.
fn look_up(measured: &Measured, name: &str, place: &forebay::document::Node) -> Result<f64> {
    measured.values.get(name).copied().ok_or_else(|| -> UserError {
        let known = measured.values.keys().map(String::as_str);
        place.error(format!("unknown measured value `{name}`{}", forebay_core::registry::suggest(name, known)))
    })
}
