//! Runs all cells, each once for every repetition.

use super::measure::PortJob;
use super::report::{PortSettings, Report};
use super::result::RunResult;
use super::{Cell, PortScenario};
use crate::disk::Folder;
use crate::error::Result;
use crate::observer::{Observer, Unit};
use crate::op_streams::Recorder;
use crate::run::{self, About, Asked, CellRuns, Head, Kind, Part, Plan, PlannedCell, Results};
use crate::scenario::warn_if_lost;
use std::path::Path;

/// The warning of a run that reached the end of the clock.
const CLOCK_ENDED: &str = "the clock ends after 213 days of simulated time; packets after that are left out";

/// Runs everything of this part that `folder` does not hold yet, and keeps the results there. The operations of the queues of the first
/// repetition are written into `ops`, if that is given. The result does not depend on the number of threads.
pub fn run(
    scenario: &PortScenario,
    folder: Option<&Folder>,
    ops: Option<&Path>,
    part: &Part,
    observer: &dyn Observer,
) -> Result<Report> {
    let recorder = ops.map(|folder| scenario.recorder(folder, observer)).transpose()?;
    let plan = scenario.plan(recorder.as_ref().map(|recorder| (recorder, observer)))?;
    // What was recorded must be run.
    let folder = folder.filter(|_| recorder.is_none());
    let first = &scenario.cells[0].setting;
    warn_if_lost(first.records_packets || first.records_bounds, folder, observer);
    run::made::<PortScenario, _>(&plan, scenario.head(), folder, part, observer)
}

impl Kind for PortScenario {
    const NAME: &'static str = "port";
    const UNIT: Unit = Unit::Packets;
    type Settings = PortSettings;
    type Run = RunResult;
    type Report = Report;

    fn report(about: About, mut head: Head<PortSettings>, results: Results<RunResult>) -> Result<Report> {
        if results.iter().any(|(_, result)| result.clock_ended) {
            head.warnings.push(CLOCK_ENDED.to_owned());
        }
        Ok(Report::new(about, head, CellRuns::all(results)?))
    }
}

impl PortScenario {
    /// Returns all runs, in the order of the report.
    pub(super) fn plan<'a>(&'a self, recorder: Option<(&'a Recorder, &'a dyn Observer)>) -> Result<Plan<PortJob<'a>>> {
        let cells = self.cells.iter();
        let cells = cells.map(|cell| PlannedCell { policy: &cell.policy.name, axes: &cell.axes, key: &cell.key });
        let job = |cell: usize, repetition, seed| PortJob {
            cell: &self.cells[cell],
            seed,
            is_first: repetition == 0,
            is_repeated: self.repetitions.is_some_and(|repetitions| repetitions > 1),
            // The other repetitions are like the first.
            recorder: recorder.filter(|_| repetition == 0).map(|(to, observer)| (to, cell, observer)),
        };
        let seed_of = |repetition| self.seed_of(repetition);
        run::plan::<Self, _>(&self.said, &self.head(), cells, seed_of, job)
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

    fn head(&self) -> Head<PortSettings> {
        let first = &self.cells[0].setting;
        let settings = PortSettings {
            rate_bps: first.rate.bits_per_second(),
            buffer: first.buffer.map(|buffer| buffer.to_string()),
        };
        let policies = self.cells.iter().map(|cell| cell.policy.name.as_str());
        let repetitions = self.repetitions.unwrap_or(1);
        let asked = Asked {
            random: self.cells.iter().any(|cell| cell.setting.traffic.is_drawn()),
            ..Asked::new(settings, repetitions, policies, self.baseline.as_ref(), self.cells.len())
        };
        let own = self.cells.iter().flat_map(|cell| cell.axes.iter().rev().take(cell.own_axes));
        let own_axes = own.map(|(name, _)| name.clone()).collect();
        Head { asked, own_axes, warnings: self.warnings.clone() }
    }
}
