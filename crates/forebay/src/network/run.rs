//! Runs all cells, each once for every repetition, spread over cores.

use super::NetworkScenario;
use super::cell::Cell;
use super::flows_csv::flows_csv;
use super::inversions::Watched;
use super::kept::{KEY_DIGITS, Kept};
use super::measure::measure;
use super::ports_csv::ports_csv;
use super::ranks_csv::ranks_csv;
use super::report::{Asked, NetworkReport};
use super::run_result::{CellResult, RunResult};
use super::series_csv::series_csv;
use super::state_nodes::{StateNode, node_results, recorded, state_results, stateful};
use super::states_csv::states_csv;
use crate::error::Result;
use crate::observer::{Meter, Observer, Unit};
use forebay_core::convert::{index, saturate};
use forebay_core::{Seed, Time};
use forebay_sim::net::{RunEnd, RunOptions, StateOutcome};
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs everything that `folder` does not hold yet, and keeps it there. The result does not depend on the number of
/// threads.
pub fn run(scenario: &NetworkScenario, folder: Option<&Path>, observer: &dyn Observer) -> Result<NetworkReport> {
    let kept = folder.map(Kept::open).transpose()?;
    let cells = scenario.cells.len() as u64;
    let runs = scenario.repetitions * cells;
    let expected_ps: u128 = scenario.cells.iter().map(|cell| u128::from(cell.expected_length().as_ps())).sum();
    let expected_ns = expected_ps * u128::from(scenario.repetitions) / 1_000;
    let progress = Meter::new(observer, Unit::SimulatedNanoseconds, Some(saturate(expected_ns)));
    let found = AtomicU64::new(0);
    // Repetition by repetition, so that an interrupt leaves each scheme about as many as the others.
    let mut results = (0..runs)
        .par_bridge()
        .map(|run| {
            let (repetition, number) = (run / cells, run % cells);
            let cell = &scenario.cells[index(number)];
            let job = Job { cell, repetition, seed: scenario.seed.part(&format!("network/repetition/{repetition}")) };
            let key = job.key();
            let result = match kept.as_ref().and_then(|kept| kept.find(&key)) {
                Some(result) => {
                    found.fetch_add(1, Ordering::Relaxed);
                    progress.add(cell.expected_length().as_ps() / 1_000);
                    Some(result)
                }
                None => job.run(kept.as_ref(), &key, &progress)?,
            };
            Ok((number, repetition, result.map(|result| (job.result(result), (key, job.title())))))
        })
        .collect::<Result<Vec<_>>>()?;
    progress.finish();
    results.sort_unstable_by_key(|&(cell, repetition, _)| (cell, repetition));
    let (results, titles): (Vec<CellResult>, Vec<_>) = results.into_iter().filter_map(|(_, _, result)| result).unzip();
    if let Some(kept) = &kept {
        kept.show(&titles)?;
    }
    let asked = Asked {
        topology: scenario.topology.clone(),
        completion: scenario.completion,
        repetitions: scenario.repetitions,
        schemes: scenario.scheme_names.clone(),
        runs,
        scheme_axes: scenario.cells.iter().flat_map(Cell::scheme_axes).map(str::to_owned).collect(),
    };
    let report = NetworkReport::new(scenario.name.clone(), scenario.seed.0, asked, scenario.warnings.clone(), results);
    let found = found.into_inner();
    if found > 0 {
        observer.note(&format!("{found} of {runs} runs were there already"));
    }
    Ok(report)
}

/// One run.
struct Job<'a> {
    cell: &'a Cell,
    repetition: u64,
    seed: Seed,
}

impl Job<'_> {
    /// What it is kept under.
    fn key(&self) -> String {
        super::files::hex(format!("{} seed {}", self.cell.key, self.seed.0).as_bytes())[..KEY_DIGITS].to_owned()
    }

    fn result(&self, result: RunResult) -> CellResult {
        CellResult {
            scheme: self.cell.scheme.name.clone(),
            axes: self.cell.axes.clone(),
            repetition: self.repetition,
            seed: self.seed.0,
            result,
        }
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
        format!("{}{} {}", self.cell.scheme.name, axes.collect::<String>(), self.repetition)
    }
}
