//! Runs all cells, each once for every repetition, spread over cores.

use super::NetworkScenario;
use super::cell::Cell;
use super::flows_csv::flows_csv;
use super::inversions::Watched;
use super::measure::measure;
use super::ports_csv::ports_csv;
use super::ranks_csv::ranks_csv;
use super::report::{Asked, NetworkReport};
use super::run_result::{CellResult, RunResult};
use super::series_csv::series_csv;
use super::shown;
use super::state_nodes::{StateNode, node_results, recorded, state_results, stateful};
use super::states_csv::states_csv;
use crate::error::{Result, UserError};
use crate::observer::{Meter, Observer, Unit};
use crate::run::{KEY_DIGITS, Kept, Part, PlanFile, PlannedRun, VERSION, hex};
use forebay_core::convert::{index, saturate};
use forebay_core::{Seed, Time};
use forebay_sim::net::{RunEnd, RunOptions, StateOutcome};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a folder says of a network beside its runs.
#[derive(Serialize, Deserialize)]
struct Head {
    asked: Asked,
    warnings: Vec<String>,
}

/// A run before it is made, and its place among all.
struct Planned<'a> {
    job: Job<'a>,
    run: PlannedRun,
}

/// Runs everything of this part that `folder` does not hold yet, and keeps it there. The result does not depend on the number of
/// threads.
pub fn run(
    scenario: &NetworkScenario,
    folder: Option<&Path>,
    part: &Part,
    observer: &dyn Observer,
) -> Result<NetworkReport> {
    let kept = folder.map(Kept::open).transpose()?;
    let planned = scenario.planned()?;
    let head = scenario.head(planned.len() as u64);
    if let Some(kept) = &kept {
        scenario.plan_file(&planned, &head)?.write(kept.folder())?;
    }
    let chosen = chosen(&planned, part);
    if chosen.is_empty() {
        let repetitions = scenario.repetitions;
        observer.warn(&format!(
            "no run is in this part: the scenario has {} runs in {repetitions} repetitions",
            planned.len()
        ));
    }
    let expected_ps: u128 = chosen.iter().map(|planned| u128::from(planned.job.cell.expected_length().as_ps())).sum();
    let progress = Meter::new(observer, Unit::SimulatedNanoseconds, Some(saturate(expected_ps / 1_000)));
    let found = AtomicU64::new(0);
    let mut results = chosen
        .iter()
        .par_bridge()
        .map(|planned| {
            let (job, key) = (&planned.job, planned.run.key.as_str());
            let earlier = kept.as_ref().map(|kept| kept.find(key)).transpose()?;
            let earlier = earlier.and_then(|found| found.whole(&planned.run.title, "is made again", observer));
            let result = match earlier {
                Some(result) => {
                    found.fetch_add(1, Ordering::Relaxed);
                    progress.add(job.cell.expected_length().as_ps() / 1_000);
                    Some(result)
                }
                None => job.run(kept.as_ref(), key, &progress)?,
            };
            Ok(((job.number, job.repetition), result.map(|result| (planned.run.clone(), result))))
        })
        .collect::<Result<Vec<_>>>()?;
    progress.finish();
    results.sort_unstable_by_key(|&(place, _)| place);
    let results: Vec<(PlannedRun, RunResult)> = results.into_iter().filter_map(|(_, result)| result).collect();
    if let Some(kept) = kept.as_ref().filter(|_| part.is_all()) {
        show_all(kept, &results)?;
    }
    let found = found.into_inner();
    if found > 0 {
        observer.note(&format!("{found} of {} runs were there already", chosen.len()));
    }
    report(scenario.name.clone(), scenario.seed.0, head, results)
}

/// The report of what folders hold, joined in one of them, and the titles of runs that none has.
pub(crate) fn merged(plan: &PlanFile, kept: &Kept, observer: &dyn Observer) -> Result<(NetworkReport, Vec<String>)> {
    let head = serde_json::from_value(plan.head.clone()).map_err(|_| {
        UserError::at(kept.folder().display(), "the plan is damaged; run the scenario again with this folder")
    })?;
    let (mut results, mut missing) = (Vec::new(), Vec::new());
    for run in &plan.runs {
        match kept.find(&run.key)?.whole(&run.title, "counts as missing", observer) {
            Some(result) => results.push((run.clone(), result)),
            None => missing.push(run.title.clone()),
        }
    }
    show_all(kept, &results)?;
    Ok((report(plan.scenario.clone(), plan.seed, head, results)?, missing))
}

/// Shows the tables of these runs and no others.
fn show_all(kept: &Kept, results: &[(PlannedRun, RunResult)]) -> Result<()> {
    let titles: Vec<_> = results.iter().map(|(run, _)| (run.key.clone(), run.title.clone())).collect();
    shown::show(kept, &titles)
}

fn report(scenario: String, seed: u64, head: Head, results: Vec<(PlannedRun, RunResult)>) -> Result<NetworkReport> {
    let cell = |(run, result): (PlannedRun, RunResult)| {
        let axes = serde_json::from_value(run.axes)
            .map_err(|_| UserError::new(format!("the plan says wrong axes of the run `{}`", run.title)))?;
        Ok(CellResult { policy: run.policy, axes, repetition: run.repetition, seed: run.seed, result })
    };
    let cells = results.into_iter().map(cell).collect::<Result<Vec<_>>>()?;
    Ok(NetworkReport::new(scenario, seed, head.asked, head.warnings, cells))
}

/// The runs of a part, repetition by repetition, so that an interrupt leaves each scheme about as many as the others.
fn chosen<'a, 'b>(planned: &'b [Planned<'a>], part: &Part) -> Vec<&'b Planned<'a>> {
    let mut by_key: Vec<&Planned<'_>> =
        planned.iter().filter(|planned| part.has_repetition(planned.job.repetition)).collect();
    by_key.sort_by(|a, b| a.run.key.cmp(&b.run.key));
    let in_share = (0..).zip(by_key).filter(|(place, _)| part.has_place(*place));
    let mut chosen: Vec<&Planned<'_>> = in_share.map(|(_, planned)| planned).collect();
    chosen.sort_by_key(|planned| (planned.job.repetition, planned.job.number));
    chosen
}

impl NetworkScenario {
    /// How many runs of each cell are in a part, in the order of the report.
    pub(super) fn runs_in(&self, part: &Part) -> Result<Vec<u64>> {
        let planned = self.planned()?;
        let mut runs = vec![0; self.cells.len()];
        chosen(&planned, part).iter().for_each(|planned| runs[index(planned.job.number)] += 1);
        Ok(runs)
    }

    /// All runs, in the order of the report.
    fn planned(&self) -> Result<Vec<Planned<'_>>> {
        let of_cell = |(number, cell)| (0..self.repetitions).map(move |repetition| (number, cell, repetition));
        let runs = (0_u64..).zip(&self.cells).flat_map(of_cell);
        runs.map(|(number, cell, repetition)| {
            let seed = self.seed.part(&format!("network/repetition/{repetition}"));
            let job = Job { cell, number, repetition, seed };
            let axes = serde_json::to_value(&cell.axes)
                .map_err(|error| UserError::new(format!("axes cannot be written as JSON: {error}")))?;
            let policy = cell.scheme.name.clone();
            let run = PlannedRun { key: job.key(), title: job.title(), policy, axes, repetition, seed: seed.0 };
            Ok(Planned { job, run })
        })
        .collect()
    }

    fn head(&self, runs: u64) -> Head {
        let asked = Asked {
            topology: self.topology.clone(),
            completion: self.completion,
            repetitions: self.repetitions,
            policies: self.scheme_names.clone(),
            runs,
            scheme_axes: self.cells.iter().flat_map(Cell::scheme_axes).map(str::to_owned).collect(),
        };
        Head { asked, warnings: self.warnings.clone() }
    }

    fn plan_file(&self, planned: &[Planned<'_>], head: &Head) -> Result<PlanFile> {
        let mut asked = serde_json::to_value(head)
            .map_err(|error| UserError::new(format!("the plan cannot be written as JSON: {error}")))?;
        // Results leave them out.
        asked["asked"]["scheme_axes"] = head.asked.scheme_axes.iter().map(String::as_str).collect();
        Ok(PlanFile {
            forebay: VERSION.to_owned(),
            scenario: self.name.clone(),
            seed: self.seed.0,
            scenario_sha256: self.file_sha256.clone(),
            values_sha256: self.values_sha256.clone(),
            head: asked,
            runs: planned.iter().map(|planned| planned.run.clone()).collect(),
        })
    }
}

/// One run.
struct Job<'a> {
    cell: &'a Cell,
    /// Of the cell, in the order of the report.
    number: u64,
    repetition: u64,
    seed: Seed,
}

impl Job<'_> {
    /// What it is kept under.
    fn key(&self) -> String {
        hex(format!("{} seed {}", self.cell.key, self.seed.0).as_bytes())[..KEY_DIGITS].to_owned()
    }

    /// [`None`] if it was interrupted.
    fn run(&self, kept: Option<&Kept>, key: &str, progress: &Meter<'_>) -> Result<Option<RunResult>> {
        if !progress.goes_on() {
            return Ok(None);
        }
        let cell = self.cell;
        let (context, nodes) = (cell.context()?, cell.state_nodes(self.seed)?);
        let ahead = if cell.looks_ahead() {
            let Some(earlier) = self.accesses(&nodes, progress)? else { return Ok(None) };
            Some(earlier)
        } else {
            None
        };
        let states = stateful(&nodes, ahead.as_deref())?;
        drop(ahead);
        let (mut network, mut flows) = (cell.network(self.seed, states)?, cell.flows(self.seed)?);
        let settings = &cell.common.settings;
        let watched = Watched::at(&settings.inversions, &settings.topology.graph, &mut network);
        let expected_ns = cell.expected_length().as_ps() / 1_000;
        let shown_ns = AtomicU64::new(0);
        let show = |ns: u64| {
            let ns = ns.min(expected_ns);
            progress.add(ns.saturating_sub(shown_ns.swap(ns, Ordering::Relaxed)));
        };
        let options = RunOptions {
            until: cell.until(),
            count_from: context.counted_from,
            count_until: context.counted_until,
            sampling: context.sampling.clone(),
            go_on: &|so_far| {
                show(so_far.now.as_ps() / 1_000);
                progress.goes_on()
            },
        };
        let outcome = network.run(&mut flows, &options);
        if outcome.reason == RunEnd::Stopped {
            return Ok(None);
        }
        show(Time::MAX.as_ps());
        let measured = measure(&outcome, &context);
        let nodes = node_results(cell, &nodes, &outcome.states, measured.counted_ns)?;
        let states = state_results(&nodes);
        let result = RunResult { inversions: watched.counted(), states, ..measured };
        if let Some(kept) = kept {
            let mut tables = vec![("flows", flows_csv(&outcome, &context)), ("ports", ports_csv(&outcome, &context))];
            tables.extend((!result.inversions.is_empty()).then(|| ("ranks", ranks_csv(&result.inversions))));
            tables.extend(result.series.as_ref().map(|series| ("series", series_csv(series))));
            tables.extend((!nodes.is_empty()).then(|| ("states", states_csv(&nodes))));
            kept.keep(key, &result, &tables)?;
        }
        Ok(Some(result))
    }

    /// What is asked of states in a run under LRU, where a policy wants to know; [`None`] if it was interrupted.
    fn accesses(&self, nodes: &[StateNode<'_>], progress: &Meter<'_>) -> Result<Option<Vec<StateOutcome>>> {
        let network = self.cell.network(self.seed, recorded(nodes)?)?;
        let options = RunOptions { until: self.cell.until(), go_on: &|_| progress.goes_on(), ..RunOptions::default() };
        let outcome = network.run(&mut self.cell.flows(self.seed)?, &options);
        Ok((outcome.reason != RunEnd::Stopped).then_some(outcome.states))
    }

    /// What a person calls it.
    fn title(&self) -> String {
        let axes = self.cell.axes.iter().map(|(name, value)| format!(" {name} {}", value.text));
        format!("{}{} repetition {}", self.cell.scheme.name, axes.collect::<String>(), self.repetition)
    }
}
