//! Runs all cells, each once for every repetition.

use super::NetworkScenario;
use super::cell::Cell;
use super::flow_rows::{FLOWS, flow_rows};
use super::inversions::Watched;
use super::measure::measure;
use super::port_rows::{PORTS, port_rows};
use super::ports::Window;
use super::rank_rows::{RANKS, rank_rows};
use super::report::{NetworkReport, NetworkSettings};
use super::run_result::RunResult;
use super::series_rows::{SERIES, series_rows};
use super::state_nodes::{StateNode, node_results, recorded, state_results, stateful};
use super::state_rows::{STATES, state_rows};
use crate::detail::{DetailTable, Rows};
use crate::disk::Folder;
use crate::error::Result;
use crate::observer::{Meter, Observer, Unit};
use crate::run::{self, About, Asked, CellRuns, Head, Kind, Made, Part, Plan, PlannedCell, Results};
use forebay_core::{Element, Seed, Time};
use forebay_sim::net::{NetworkOutcome, RunEnd, RunOptions, StateOutcome, StatefulNode, StatesOfFlows};
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs everything of this part that `folder` does not hold yet, and keeps the results there. The result does not depend on the number of
/// threads.
pub fn run(
    scenario: &NetworkScenario,
    folder: Option<&Folder>,
    part: &Part,
    observer: &dyn Observer,
) -> Result<NetworkReport> {
    run::made::<NetworkScenario, _>(&scenario.plan()?, scenario.head(), folder, part, observer)
}

impl Kind for NetworkScenario {
    const NAME: &'static str = "network";
    const UNIT: Unit = Unit::SimulatedNanoseconds;
    type Settings = NetworkSettings;
    type Run = RunResult;
    type Report = NetworkReport;

    fn report(about: About, head: Head<NetworkSettings>, results: Results<RunResult>) -> Result<NetworkReport> {
        Ok(NetworkReport::new(about, head, CellRuns::all(results)?))
    }
}

impl NetworkScenario {
    /// Returns all runs, in the order of the report.
    pub(super) fn plan(&self) -> Result<Plan<Job<'_>>> {
        let cells = self.cells.iter();
        let cells = cells.map(|cell| PlannedCell { policy: &cell.policy.name, axes: &cell.axes, key: &cell.key });
        let seed_of = |repetition| self.said.seed.part(&format!("network/repetition/{repetition}"));
        let job = |cell: usize, _, seed| Job { cell: &self.cells[cell], seed };
        let plan = run::plan::<Self, _>(&self.said, &self.head(), cells, seed_of, job)?;
        Ok(Plan { made_once: self.made_once.clone(), ..plan })
    }

    fn head(&self) -> Head<NetworkSettings> {
        let settings = NetworkSettings { topology: self.topology.clone(), completion: self.completion };
        let policies = self.policy_names.iter().map(String::as_str);
        // Even where a file has the flows, routes are random.
        let asked = Asked::new(settings, self.repetitions, policies, self.baseline.as_ref(), self.cells.len());
        let own_axes = self.cells.iter().flat_map(Cell::policy_axes).map(str::to_owned).collect();
        Head { asked, own_axes, warnings: self.warnings.clone() }
    }
}

/// One run.
pub(super) struct Job<'a> {
    cell: &'a Cell,
    seed: Seed,
}

impl run::Job for Job<'_> {
    type Result = RunResult;

    fn length(&self) -> u64 {
        self.cell.expected_length().as_ps() / 1_000
    }

    fn tables(&self) -> Vec<&'static DetailTable> {
        let common = &self.cell.common;
        let optional = [
            (&RANKS, !common.settings.inversions.is_empty()),
            (&SERIES, common.settings.sampling.is_some()),
            (&STATES, !common.states.is_empty()),
        ];
        let wanted = optional.into_iter().filter_map(|(table, is_wanted)| is_wanted.then_some(table));
        [&FLOWS, &PORTS].into_iter().chain(wanted).collect()
    }

    fn make(&self, rows: &Rows<'_>, progress: &Meter<'_>) -> Result<Option<Made<RunResult>>> {
        if !progress.goes_on() {
            return Ok(None);
        }
        let cell = self.cell;
        let Some(alive) = cell.alive(self.seed, || self.count_alive(progress))? else { return Ok(None) };
        let (context, nodes) = (cell.context()?, cell.state_nodes(self.seed, &alive)?);
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
        let expected_ns = self.length();
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
        let window = Window::of(&outcome, &context);
        let mut written = vec![
            rows.write(&FLOWS, flow_rows(&outcome, &context))?,
            rows.write(&PORTS, port_rows(&window, &outcome, &context))?,
        ];
        if !result.inversions.is_empty() {
            written.push(rows.write(&RANKS, rank_rows(&result.inversions))?);
        }
        if let Some(series) = &result.series {
            written.push(rows.write(&SERIES, series_rows(series))?);
        }
        if !nodes.is_empty() {
            written.push(rows.write(&STATES, state_rows(&nodes))?);
        }
        Ok(Some(Made { result, parts: written.into_iter().flatten().collect(), is_whole: true }))
    }
}

impl Job<'_> {
    /// The states of the flows of a run whose switches need none; [`None`] if it was interrupted.
    fn count_alive(&self, progress: &Meter<'_>) -> Result<Option<Vec<StatesOfFlows>>> {
        let outcome = self.first_pass(Vec::new(), progress)?;
        outcome.map(|outcome| self.cell.count_alive(self.seed, &outcome.flows)).transpose()
    }

    /// Returns the accesses to states in a run under LRU, if a policy needs them; [`None`] if it was interrupted.
    fn accesses(&self, nodes: &[StateNode<'_>], progress: &Meter<'_>) -> Result<Option<Vec<StateOutcome>>> {
        Ok(self.first_pass(recorded(nodes)?, progress)?.map(|outcome| outcome.states))
    }

    /// A run of the same flows that only prepares the one that counts.
    fn first_pass(
        &self,
        states: Vec<StatefulNode>,
        progress: &Meter<'_>,
    ) -> Result<Option<NetworkOutcome<Box<dyn Element>>>> {
        let network = self.cell.network(self.seed, states)?;
        let options = RunOptions { until: self.cell.until(), go_on: &|_| progress.goes_on(), ..RunOptions::default() };
        let outcome = network.run(&mut self.cell.flows(self.seed)?, &options);
        Ok((outcome.reason != RunEnd::Stopped).then_some(outcome))
    }
}
