//! Runs all cells, each once for every repetition.

use super::measure::PortJob;
use super::report::{Asked, Report};
use super::result::RunResult;
use super::{Cell, PortScenario};
use crate::error::Result;
use crate::observer::{Observer, Unit};
use crate::op_streams::Recorder;
use crate::run::{self, Kept, Part, Plan, PlanFile, PlannedRun, Results};
use crate::scenario::{merged_baseline, warn_if_lost};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// By which word plans know a port.
pub(crate) const KIND: &str = "port";

/// Said where a run came to the end of the clock.
const CLOCK_ENDED: &str = "the clock ends after 213 days of simulated time; what comes later is left out";

/// What a folder says of a port beside its runs.
#[derive(Serialize, Deserialize)]
struct Head {
    asked: Asked,
    /// Results leave them out.
    policy_axes: BTreeSet<String>,
    warnings: Vec<String>,
}

/// Runs everything of this part that `folder` does not hold yet, and keeps it there. What the queues of the first repetition do is
/// written into `ops`, if that is given. The result does not depend on the number of threads.
pub fn run(
    scenario: &PortScenario,
    folder: Option<&Path>,
    ops: Option<&Path>,
    part: &Part,
    observer: &dyn Observer,
) -> Result<Report> {
    let recorder = ops.map(|folder| scenario.recorder(folder, observer)).transpose()?;
    let plan = scenario.plan(recorder.as_ref().map(|recorder| (recorder, observer)))?;
    // What was recorded must be run.
    let folder = folder.filter(|_| recorder.is_none());
    warn_if_lost(scenario.cells[0].setting.records_packets, folder, observer);
    let results = plan.make(folder, part, observer)?;
    report(&plan.file, scenario.head(), results)
}

/// The report of what folders hold, joined in one of them, and the titles of runs that none has.
pub(crate) fn merged(
    plan: &PlanFile,
    kept: &Kept,
    baseline: Option<&str>,
    observer: &dyn Observer,
) -> Result<(Report, Vec<String>)> {
    let mut head: Head = plan.head(kept.folder())?;
    let asked = &mut head.asked;
    asked.baseline = merged_baseline(baseline, asked.baseline.take(), &asked.policies)?;
    let (results, missing) = run::found(plan, kept, observer)?;
    Ok((report(plan, head, results)?, missing))
}

fn report(plan: &PlanFile, head: Head, results: Results<RunResult>) -> Result<Report> {
    let mut warnings = head.warnings;
    if results.iter().any(|(_, result)| result.clock_ended) {
        warnings.push(CLOCK_ENDED.to_owned());
    }
    let asked = Asked { policy_axes: head.policy_axes, ..head.asked };
    Report::new(plan.scenario.clone(), plan.seed, asked, warnings, results)
}

impl PortScenario {
    /// All runs, in the order of the report.
    pub(super) fn plan<'a>(&'a self, recorder: Option<(&'a Recorder, &'a dyn Observer)>) -> Result<Plan<PortJob<'a>>> {
        let (mut jobs, mut runs) = (Vec::new(), Vec::new());
        let repetitions = self.repetitions.unwrap_or(1);
        for (number, cell) in self.cells.iter().enumerate() {
            for repetition in 0..repetitions {
                let seed = self.seed_of(repetition);
                runs.push(PlannedRun::new(&cell.policy.name, &cell.axes, &cell.key, repetition, seed)?);
                // The other repetitions are like the first.
                let recorder = recorder.filter(|_| repetition == 0).map(|(to, observer)| (to, number, observer));
                let (is_first, is_repeated) = (repetition == 0, repetitions > 1);
                jobs.push((number, PortJob { cell, seed, is_first, is_repeated, recorder }));
            }
        }
        let file = PlanFile::new(KIND, &self.said, &self.head(), runs)?;
        Ok(Plan { file, jobs, unit: Unit::Packets })
    }

    fn recorder(&self, folder: &Path, observer: &dyn Observer) -> Result<Recorder> {
        let name = |cell: &Cell| {
            let axes = cell.axes.iter().map(|(_, value)| format!(".{}", value.text));
            format!("{}{}", cell.policy.name, axes.collect::<String>())
        };
        let lines: Vec<_> = self.cells.iter().map(|cell| (&cell.policy, name(cell))).collect();
        let of = if self.repetitions.is_some() { ", first repetition" } else { "" };
        let run = format!("scenario {:?}{of}, seed {}", self.said.name, self.said.seed.0);
        Recorder::new(folder, run, &lines, observer)
    }

    fn head(&self) -> Head {
        let own = self.cells.iter().flat_map(|cell| cell.axes.iter().rev().take(cell.own_axes));
        let policy_axes = own.map(|(name, _)| name.clone()).collect();
        let mut policies: Vec<String> = Vec::new();
        for cell in &self.cells {
            if !policies.contains(&cell.policy.name) {
                policies.push(cell.policy.name.clone());
            }
        }
        let first = &self.cells[0].setting;
        let repetitions = self.repetitions.unwrap_or(1);
        let asked = Asked {
            rate_bps: first.rate.bits_per_second(),
            buffer: first.buffer.map(|buffer| buffer.to_string()),
            repetitions,
            random: self.cells.iter().any(|cell| cell.setting.traffic.is_drawn()),
            policies,
            baseline: self.baseline.clone(),
            runs: repetitions * self.cells.len() as u64,
            policy_axes: BTreeSet::new(),
        };
        Head { asked, policy_axes, warnings: self.warnings.clone() }
    }
}
