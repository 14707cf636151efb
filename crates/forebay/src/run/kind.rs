//! The steps that all kinds of scenarios share: plan runs, make them, and find them in folders.

use super::runner::{Job, Results, found};
use super::scenario_question::Head;
use super::{CellAxes, Kept, Part, Plan, PlanFile, PlannedRun, Said};
use crate::disk::Folder;
use crate::error::Result;
use crate::observer::{Observer, Unit};
use crate::sweep::AxisValue;
use forebay_core::Seed;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A kind of scenario: its part of a plan, and the way in which its runs become a report.
pub(crate) trait Kind {
    /// The word for the kind in plans.
    const NAME: &'static str;
    /// The unit of progress.
    const UNIT: Unit;
    /// The settings of the kind, besides those of all kinds.
    type Settings: Serialize + DeserializeOwned;
    /// The result of a run.
    type Run: Serialize + DeserializeOwned + Send;
    /// The result of all runs.
    type Report;

    /// The report of runs in the order of the scenario.
    ///
    /// # Errors
    /// If the plan is damaged.
    fn report(about: About, head: Head<Self::Settings>, results: Results<Self::Run>) -> Result<Self::Report>;
}

/// The scenario of a report.
pub(crate) struct About {
    /// The scenario's name.
    pub(crate) scenario: String,
    /// The root of all random numbers.
    pub(crate) seed: u64,
}

/// A cell to run.
pub(crate) struct PlannedCell<'a> {
    pub(crate) policy: &'a str,
    pub(crate) axes: &'a [(String, AxisValue)],
    /// A checksum of all inputs of the cell's runs, except for the seed.
    pub(crate) key: &'a str,
}

/// Returns all runs of these cells, in the order of the report. `job` makes a run from the number of a cell, a repetition and its seed.
pub(crate) fn plan<'a, K: Kind, J: Job<Result = K::Run>>(
    said: &Said,
    head: &Head<K::Settings>,
    cells: impl IntoIterator<Item = PlannedCell<'a>>,
    seed_of: impl Fn(u64) -> Seed,
    mut job: impl FnMut(usize, u64, Seed) -> J,
) -> Result<Plan<J>> {
    let (mut jobs, mut runs) = (Vec::new(), Vec::new());
    for (number, PlannedCell { policy, axes, key }) in cells.into_iter().enumerate() {
        let axes = CellAxes::new(axes)?;
        for repetition in 0..head.asked.repetitions {
            let seed = seed_of(repetition);
            runs.push(PlannedRun::new(policy, &axes, key, repetition, seed));
            jobs.push((number, job(number, repetition, seed)));
        }
    }
    Ok(Plan { file: PlanFile::new(K::NAME, said, head, runs)?, jobs, unit: K::UNIT, made_once: None })
}

/// Runs everything of this part that `folder` does not hold yet, and keeps the results there. The result does not depend on the number of
/// threads.
pub(crate) fn made<K: Kind, J: Job<Result = K::Run>>(
    plan: &Plan<J>,
    head: Head<K::Settings>,
    folder: Option<&Folder>,
    part: &Part,
    observer: &dyn Observer,
) -> Result<K::Report> {
    let results = plan.make(folder, part, observer)?;
    K::report(about(&plan.file), head, results)
}

/// Returns the report of the runs in several folders, joined in one of them, and the titles of runs that no folder has.
pub(crate) fn merged<K: Kind>(
    plan: &PlanFile,
    kept: &Kept,
    baseline: Option<&str>,
    observer: &dyn Observer,
) -> Result<(K::Report, Vec<String>)> {
    let mut head: Head<K::Settings> = plan.head(kept.folder())?;
    head.compare_with(baseline)?;
    let (results, missing) = found(plan, kept, observer)?;
    Ok((K::report(about(plan), head, results)?, missing))
}

fn about(plan: &PlanFile) -> About {
    About { scenario: plan.scenario.clone(), seed: plan.seed }
}
