//! The result of a network scenario: what `--format json` prints and `result.json` holds.
//!
//! Names and units are documented in `docs/result.md`; tools are built on them.

use super::by_rank::RanksOfLink;
use super::run_evidence::{self, Seen};
use super::run_result::{Completion, Ended, GroupResult, NamedBytes, NamedShare, RunResult, SeriesResult, SizeClass};
use super::spread::quantiles;
use super::state_result::StateResult;
use super::unfinished_flows;
use crate::metric::measure;
use crate::run::{About, Asked, CellRuns, Head};
use crate::statistics::{Quantities, summed};
use crate::sweep::{AxisValue, as_list, title};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The settings of networks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NetworkSettings {
    /// The topology's name in the scenario; if it is swept, the first.
    pub topology: String,
    /// The event at which a flow is complete.
    pub completion: Completion,
}

/// The report of a whole scenario.
#[derive(Debug, Clone, Serialize)]
pub struct NetworkReport {
    /// The version of forebay.
    pub forebay: &'static str,
    /// The name of the scenario.
    pub scenario: String,
    /// The root of all random numbers; each repetition has its own seed.
    pub seed: u64,
    /// The question.
    pub network: Asked<NetworkSettings>,
    /// Warnings about the result.
    pub warnings: Vec<String>,
    /// The shares for which `curves` has values.
    pub curve_shares: Vec<f64>,
    /// The cells in the order of the scenario; cells without a complete run are left out.
    pub results: Vec<CellReport>,
    /// The axes that are within policies.
    #[serde(skip)]
    pub(super) policy_axes: BTreeSet<String>,
}

/// One policy with one value of each axis.
#[derive(Debug, Clone, Serialize)]
pub struct CellReport {
    /// The policy.
    pub policy: String,
    /// The values of the swept fields.
    #[serde(serialize_with = "as_list")]
    pub axes: Vec<(String, AxisValue)>,
    /// False if repetitions are missing because of an interrupt.
    pub complete: bool,
    /// The finished repetitions, by number from 0; the lists below have one entry for each.
    pub repetitions: Vec<u64>,
    /// The seed of each repetition.
    pub seeds: Vec<u64>,
    /// The number of hosts in the network.
    pub hosts: u64,
    /// The rate of a host's link, in bits per second.
    pub access_bps: u64,
    /// The reason why each repetition ended.
    pub ended: Vec<Ended>,
    /// The time at which the flows of each repetition had settled (MSER-5), in nanoseconds; `null` if it cannot be determined. Only if the
    /// same kind of flows starts all the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_ns: Option<Vec<Option<f64>>>,
    /// All measurements of the whole network.
    pub quantities: Quantities,
    /// The busiest link of each repetition.
    pub busiest: Vec<Option<NamedShare>>,
    /// The longest queue of each repetition.
    pub longest_queue: Vec<Option<NamedBytes>>,
    /// The counters of the policies at ports, over all repetitions.
    pub counters: BTreeMap<String, u64>,
    /// Flows by workload and size class.
    pub groups: Vec<GroupReport>,
    /// The inversions at each link where the scenario asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inversions_by_rank: Vec<RanksOfLink>,
    /// The states of each `[[state]]`; if there are several, the last entry sums all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StateReport>,
    /// The samples of the first repetition, which have a file of their own.
    #[serde(skip)]
    pub series: Option<SeriesResult>,
    /// The evidence of the runs for their plausibility.
    #[serde(skip)]
    pub(super) seen: Seen,
}

/// States in switches.
#[derive(Debug, Clone, Serialize)]
pub struct StateReport {
    pub name: String,
    pub key: String,
    pub policy: String,
    pub quantities: Quantities,
}

/// Flows of a workload and a size class, or all flows.
#[derive(Debug, Clone, Serialize)]
pub struct GroupReport {
    /// The workload; `null` for all.
    pub workload: Option<String>,
    /// The size class; `null` for all.
    pub sizes: Option<SizeClass>,
    pub quantities: Quantities,
    /// The mean over repetitions of the value at each share; only for all workloads together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curves: Option<Curves>,
}

/// The distributions of completion times and slowdowns.
#[derive(Debug, Clone, Serialize)]
pub struct Curves {
    pub fct_ns: Vec<f64>,
    pub slowdown: Vec<f64>,
}

impl NetworkReport {
    /// Creates the report from the runs of each cell, in the order of the scenario.
    pub(super) fn new(about: About, head: Head<NetworkSettings>, cells: Vec<CellRuns<RunResult>>) -> Self {
        let cell = |cell| CellReport::new(cell, head.asked.repetitions);
        let results: Vec<CellReport> = cells.into_iter().map(cell).collect();
        let mut warnings = head.warnings;
        warnings.extend(run_evidence::warnings(&results));
        // There may be one for each cell.
        warnings.extend(unfinished_flows::warnings(&results));
        Self {
            forebay: env!("CARGO_PKG_VERSION"),
            scenario: about.scenario,
            seed: about.seed,
            network: head.asked,
            warnings,
            curve_shares: quantiles().collect(),
            results,
            policy_axes: head.own_axes,
        }
    }

    /// Returns whether every repetition of every cell was run.
    pub fn is_complete(&self) -> bool {
        let runs: usize = self.results.iter().map(|cell| cell.repetitions.len()).sum();
        runs as u64 >= self.network.runs
    }
}

impl CellReport {
    /// From the runs of a cell, of which there is at least one.
    fn new(mut cell: CellRuns<RunResult>, repetitions: u64) -> Self {
        let series = cell.runs[0].series.take();
        let complete = cell.has_all(repetitions);
        let runs: Vec<&RunResult> = cell.runs.iter().collect();
        let seen = Seen::new(&runs);
        let group = |place: usize| {
            let groups: Vec<&GroupResult> = runs.iter().filter_map(|run| run.groups.get(place)).collect();
            GroupReport::new(&groups)
        };
        Self {
            complete,
            hosts: runs[0].hosts,
            access_bps: runs[0].access_bps,
            ended: runs.iter().map(|run| run.ended).collect(),
            quantities: measure(&runs),
            busiest: runs.iter().map(|run| run.busiest.clone()).collect(),
            longest_queue: runs.iter().map(|run| run.longest_queue.clone()).collect(),
            counters: summed(runs.iter().map(|run| &run.counters)),
            groups: (0..runs[0].groups.len()).map(group).collect(),
            inversions_by_rank: RanksOfLink::all(&runs.iter().map(|run| &run.inversions[..]).collect::<Vec<_>>()),
            states: StateReport::all(&runs),
            series,
            settled_ns: seen.settled_ns(),
            seen,
            policy: cell.policy,
            axes: cell.axes,
            repetitions: cell.repetitions,
            seeds: cell.seeds,
        }
    }

    /// Returns the flows of all workloads in a size class, from 0; of all sizes for [`None`].
    pub fn group(&self, size_class: Option<usize>) -> Option<&GroupReport> {
        let mut of_all = self.groups.iter().filter(|group| group.workload.is_none());
        match size_class {
            None => of_all.find(|group| group.sizes.is_none()),
            Some(place) => of_all.filter(|group| group.sizes.is_some()).nth(place),
        }
    }

    /// Returns the classes of sizes, from the least.
    pub fn size_classes(&self) -> impl Iterator<Item = (&GroupReport, &SizeClass)> {
        let of_all = self.groups.iter().filter(|group| group.workload.is_none());
        of_all.filter_map(|group| Some((group, group.sizes.as_ref()?)))
    }

    /// Returns a title such as `DCTCP, load 0.6`.
    pub fn title(&self) -> String {
        title(&self.policy, &self.axes)
    }
}

impl StateReport {
    /// Combines the states of each kind, and of all kinds if there are several.
    fn all(runs: &[&RunResult]) -> Vec<Self> {
        let with_sum = |run: &&RunResult| {
            let sum = (run.states.len() > 1).then(|| StateResult::sum(&run.states));
            run.states.iter().cloned().chain(sum).collect()
        };
        let runs: Vec<Vec<StateResult>> = runs.iter().map(with_sum).collect();
        let kind = |place: usize| {
            let of_runs: Vec<&StateResult> = runs.iter().filter_map(|run| run.get(place)).collect();
            let StateResult { name, key, policy, .. } = of_runs[0].clone();
            Self { name, key, policy, quantities: measure(&of_runs) }
        };
        (0..runs[0].len()).map(kind).collect()
    }
}

impl GroupReport {
    /// From a group of every repetition.
    fn new(groups: &[&GroupResult]) -> Self {
        let curves = groups[0].workload.is_none().then(|| Curves {
            fct_ns: mean_curve(groups.iter().map(|group| &group.fct_ns.curve[..])),
            slowdown: mean_curve(groups.iter().map(|group| &group.slowdown.curve[..])),
        });
        Self {
            workload: groups[0].workload.clone(),
            sizes: groups[0].sizes.clone(),
            quantities: measure(groups),
            curves,
        }
    }

    /// Returns a name such as `< 100 KB`; `all` for all sizes.
    pub fn size_name(&self) -> &str {
        self.sizes.as_ref().map_or("all", |sizes| &sizes.name)
    }
}

/// The mean at each share, of the repetitions that have a curve.
fn mean_curve<'a>(curves: impl Iterator<Item = &'a [f64]>) -> Vec<f64> {
    let curves: Vec<&[f64]> = curves.filter(|curve| !curve.is_empty()).collect();
    let shares = curves.iter().map(|curve| curve.len()).min().unwrap_or(0);
    (0..shares).map(|share| curves.iter().map(|curve| curve[share]).sum::<f64>() / curves.len() as f64).collect()
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
