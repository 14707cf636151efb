//! The result of a scenario of a port: what `--format json` prints and `result.json` holds.
//!
//! Names and units are documented in `docs/result.md`; tools are built on them.

use super::beside_baseline::BesideBaseline;
use super::by_rank::{PerRankReport, RankNumbers};
use super::result::{Counts, Parts, RunResult};
use super::run_evidence;
use crate::metric::measure;
use crate::run::{About, Asked, CellRuns, Head};
use crate::statistics::{Quantities, Settled, summed};
use crate::sweep::{AxisValue, as_list, title};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The settings of ports.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PortSettings {
    /// The rate of the link, in bits per second; if it is swept, the first.
    pub rate_bps: u64,
    /// The port's buffer; `null` if it has none of its own.
    pub buffer: Option<String>,
}

/// The report of a whole scenario.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The version of forebay.
    pub forebay: &'static str,
    /// The name of the scenario.
    pub scenario: String,
    /// The root of all random numbers; each repetition has its own seed.
    pub seed: u64,
    /// The question.
    pub port: Asked<PortSettings>,
    /// Warnings about the result.
    pub warnings: Vec<String>,
    /// The cells in the order of the scenario; cells without a run are left out.
    pub results: Vec<CellReport>,
    /// The axes that are within policies.
    #[serde(skip)]
    pub(super) policy_axes: BTreeSet<String>,
}

/// One policy with one value of each axis.
#[derive(Debug, Clone, Serialize)]
pub struct CellReport {
    /// The name of the policy.
    pub policy: String,
    /// The values of the swept fields.
    #[serde(serialize_with = "as_list", skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<(String, AxisValue)>,
    /// The finished repetitions, by number from 0; lists of values have one entry for each.
    pub repetitions: Vec<u64>,
    /// The seed of each repetition.
    pub seeds: Vec<u64>,
    #[serde(flatten)]
    detail: Detail,
    /// The time at which the queue of each repetition had settled (MSER-5), in nanoseconds; `null` if it cannot be determined. Only for
    /// traffic that is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_ns: Option<Vec<Option<f64>>>,
    /// The numbers of all packets.
    pub quantities: Quantities,
    /// Counts for each rank, if packets carry drawn ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_rank: Option<PerRankReport>,
    /// The result of each repetition.
    #[serde(skip)]
    pub runs: Vec<RunResult>,
    /// Whether every repetition was run to its end.
    #[serde(skip)]
    pub complete: bool,
}

/// Further numbers of a cell.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
enum Detail {
    /// Everything of the one run.
    One(Box<RunResult>),
    /// The numbers of several runs.
    Several(Box<Several>),
}

/// The numbers of several runs.
#[derive(Debug, Clone, Serialize)]
struct Several {
    #[serde(flatten)]
    parts: Parts,
    complete: bool,
    /// Over all repetitions.
    counters: BTreeMap<String, u64>,
    classes: Vec<ClassQuantities>,
}

/// Packets of a class, over several repetitions.
#[derive(Debug, Clone, Serialize)]
pub struct ClassQuantities {
    /// The number of the class, such as its DSCP.
    pub class: u8,
    /// The usual name of the class.
    pub name: String,
    /// The numbers of the class.
    pub quantities: Quantities,
}

impl Report {
    /// Creates the report from the runs of each cell, in the order of the scenario.
    pub(super) fn new(about: About, head: Head<PortSettings>, cells: Vec<CellRuns<RunResult>>) -> Self {
        let Head { asked, own_axes, mut warnings } = head;
        let cells = cells.into_iter().map(|cell| CellReport::new(cell, asked.repetitions));
        let mut results: Vec<CellReport> = cells.collect();
        if let Some(baseline) = &asked.baseline {
            compare(&mut results, baseline, &own_axes);
        }
        warnings.extend(run_evidence::warnings(&results));
        Self {
            forebay: env!("CARGO_PKG_VERSION"),
            scenario: about.scenario,
            seed: about.seed,
            port: asked,
            warnings,
            results,
            policy_axes: own_axes,
        }
    }

    /// Returns whether every repetition of every cell was run to its end.
    pub fn is_complete(&self) -> bool {
        let runs: usize = self.results.iter().map(|cell| cell.runs.len()).sum();
        runs as u64 >= self.port.runs && self.results.iter().all(|cell| cell.complete)
    }

    /// Returns whether the report has exactly one run of each policy.
    pub fn is_single(&self) -> bool {
        self.port.repetitions == 1 && self.results.iter().all(|cell| cell.axes.is_empty())
    }
}

impl CellReport {
    fn new(cell: CellRuns<RunResult>, repetitions: u64) -> Self {
        let complete = cell.has_all(repetitions) && cell.runs.iter().all(|run| run.complete);
        let runs = cell.runs;
        let counts: Vec<&Counts> = runs.iter().map(|run| &run.counts).collect();
        let mut quantities = measure(&counts);
        quantities.extend(measure(&runs.iter().collect::<Vec<_>>()));
        let ranks: Vec<&RankNumbers> = runs.iter().filter_map(|run| run.ranks.as_ref()).collect();
        Self {
            policy: cell.policy,
            axes: cell.axes,
            repetitions: cell.repetitions,
            seeds: cell.seeds,
            detail: detail(&runs, complete),
            settled_ns: runs[0].seen.map(|_| runs.iter().map(|run| run.seen?.settled?.settled_ns).collect()),
            quantities,
            per_rank: PerRankReport::new(&ranks),
            complete,
            runs,
        }
    }

    /// Returns the time at which the queue of each repetition had settled.
    pub(super) fn settled(&self) -> Vec<Option<Settled>> {
        self.runs.iter().map(|run| run.seen?.settled).collect()
    }

    /// Returns the classes of packets, from the lowest, over all repetitions.
    pub fn classes(&self) -> Vec<ClassQuantities> {
        classes(&self.runs)
    }

    /// Returns the parts of the policy.
    pub fn parts(&self) -> &Parts {
        &self.runs[0].parts
    }

    /// Returns the counters of the discipline that are not zero, over all repetitions.
    pub fn counters(&self) -> BTreeMap<String, u64> {
        summed(self.runs.iter().map(|run| &run.counters))
    }

    /// Returns a title such as `SRPT, load 0.6`.
    pub fn title(&self) -> String {
        title(&self.policy, &self.axes)
    }

    /// Returns the axes and values that are not in `of_policies`.
    pub fn shared_axes(&self, of_policies: &BTreeSet<String>) -> Vec<(&str, &AxisValue)> {
        let shared = self.axes.iter().filter(|(name, _)| !of_policies.contains(name));
        shared.map(|(name, value)| (name.as_str(), value)).collect()
    }
}

fn detail(runs: &[RunResult], complete: bool) -> Detail {
    match runs {
        // Ranks stand beside it, as means.
        [run] => Detail::One(Box::new(RunResult { ranks: None, delay_curve: Vec::new(), seen: None, ..run.clone() })),
        _ => {
            let counters = summed(runs.iter().map(|run| &run.counters));
            let (parts, classes) = (runs[0].parts.clone(), classes(runs));
            Detail::Several(Box::new(Several { parts, complete, counters, classes }))
        }
    }
}

fn classes(runs: &[RunResult]) -> Vec<ClassQuantities> {
    let names: BTreeMap<u8, &str> =
        runs.iter().flat_map(|run| &run.classes).map(|class| (class.class, class.name.as_str())).collect();
    let of_class = |(class, name): (u8, &str)| {
        let none = Counts::default();
        let of_run = |run: &RunResult| run.classes.iter().find(|own| own.class == class).map_or(none, |own| own.counts);
        let counts: Vec<Counts> = runs.iter().map(of_run).collect();
        let counts: Vec<&Counts> = counts.iter().collect();
        ClassQuantities { class, name: name.to_owned(), quantities: measure(&counts) }
    };
    names.into_iter().map(of_class).collect()
}

/// Adds what is measured of a policy and the baseline on the same packets.
fn compare(results: &mut [CellReport], baseline: &str, of_policies: &BTreeSet<String>) {
    let counts = |cell: &CellReport| -> BTreeMap<u64, Counts> {
        cell.repetitions.iter().copied().zip(cell.runs.iter().map(|run| run.counts)).collect()
    };
    let place = |cell: &CellReport| -> Vec<(String, String)> {
        let shared = cell.shared_axes(of_policies).into_iter();
        shared.map(|(name, value)| (name.to_owned(), value.text.clone())).collect()
    };
    let of_baseline: BTreeMap<_, _> =
        results.iter().rev().filter(|cell| cell.policy == baseline).map(|cell| (place(cell), counts(cell))).collect();
    for cell in results {
        let theirs = of_baseline.get(&place(cell));
        let beside = |(repetition, own): (u64, Counts)| BesideBaseline {
            own,
            baseline: theirs.and_then(|theirs| theirs.get(&repetition)).copied(),
        };
        let beside: Vec<BesideBaseline> = counts(cell).into_iter().map(beside).collect();
        cell.quantities.extend(measure(&beside.iter().collect::<Vec<_>>()));
    }
}
