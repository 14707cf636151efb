//! The result of a scenario of attacks: what `--format json` prints and `result.json` holds.
//!
//! Names and units are documented in `docs/result.md`; tools are built on them.

use super::plan::Found;
use super::run_result::{Attacked, GBPS, RunResult};
use super::scenario::{Limits, Sends, Setting, without_rate};
use crate::metric::measure;
use crate::run::{About, Asked, CellRuns, Head};
use crate::statistics::{Estimate, Quantities};
use crate::sweep::{AxisValue, as_list};
use forebay_sim::attack::Timing;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The report of a whole scenario.
#[derive(Debug, Clone, Serialize)]
pub struct AttackReport {
    /// The version of forebay.
    pub forebay: &'static str,
    /// The name of the scenario.
    pub scenario: String,
    /// The root of all random numbers; each repetition has its own seed.
    pub seed: u64,
    /// Warnings about a recording, or about the scenario.
    pub warnings: Vec<String>,
    /// The question.
    pub attack: Asked<Settings>,
    /// The worst harm that an attacker can do to each policy, at each value of the axes except for the axis of attack rates.
    pub worst: Vec<Worst>,
    /// The rows in the order of the scenario, attack rate by attack rate; rows without a run are left out.
    pub results: Vec<Row>,
    /// The name of the axis of attack rates, if they are swept.
    #[serde(skip)]
    pub(super) rate_axis: Option<String>,
}

/// The processor, the traffic and the attacker; for a swept value, its first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Settings {
    /// The rate of innocent traffic that the processor can serve without an attack.
    pub capacity_gbps: f64,
    /// The number of servers that dequeue and process packets.
    pub servers: usize,
    /// The common buffer; `null` if every policy has its own.
    pub buffer: Option<String>,
    /// The application that makes innocent jobs, if they are not random.
    pub application: Option<String>,
    /// The gaps between innocent packets: `constant` or `poisson`; for an application `back-to-back` or `recorded`.
    pub gaps: String,
    /// The number of innocent flows.
    pub flows: u32,
    /// The mean size of innocent packets.
    pub mean_packet_bytes: f64,
    /// The mean work of innocent packets.
    pub mean_job_ns: f64,
    /// The attacker's smallest packet.
    pub min_packet_bytes: u32,
    /// The attacker's largest job.
    pub max_job_ns: f64,
    /// The attacker's strategy: `optimal`, `given` or `application`; for a search, `searched`.
    pub strategy: String,
    /// The attack's timing: `steady` or `on-off`; for a search, `searched`.
    pub timing: String,
    /// The estimate of work: `told`, `log-normal`, `constant` or `application`.
    pub estimate: String,
    /// The number of innocent packets that arrive in the counted time.
    pub packets: u64,
    /// The number of innocent packets that arrive before the counted time.
    pub warmup: u64,
}

/// The largest displacement of a policy over all attack rates.
#[derive(Debug, Clone, Serialize)]
pub struct Worst {
    /// The name of the policy.
    pub policy: String,
    /// The values of the swept fields, except for the attack's rate.
    #[serde(serialize_with = "as_list", skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<(String, AxisValue)>,
    /// The rate of the innocent traffic.
    pub innocent_gbps: f64,
    /// The innocent work over the work that the servers can do.
    pub load: f64,
    /// The innocent bits that are lost for each bit of the attacker: mean over repetitions.
    pub displacement: Option<f64>,
    /// Half the width of the displacement's 95 % confidence interval.
    pub displacement_ci95: Option<f64>,
    /// The rate of the attack.
    pub attack_gbps: Option<f64>,
    /// The method by which the most harmful attack was found.
    pub strategy: Option<Found>,
    /// The largest possible displacement, if the source proves one.
    pub bound: Option<f64>,
    /// The largest predicted displacement at any attack rate of the scenario.
    pub predicted: Option<f64>,
    /// Whether no row is above the bound by more than its confidence interval; `null` without a bound.
    pub holds: Option<bool>,
}

/// A policy with one value of each axis, under the most harmful of the attacks tried.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The name of the policy.
    pub policy: String,
    /// The values of the swept fields.
    #[serde(serialize_with = "as_list", skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<(String, AxisValue)>,
    /// The rate of the innocent traffic.
    pub innocent_gbps: f64,
    /// The rate of the attack.
    pub attack_gbps: f64,
    /// The innocent bits of packets whose work was done, per second.
    pub goodput_gbps: Option<f64>,
    /// Half the width of the goodput's 95 % confidence interval.
    pub goodput_gbps_ci95: Option<f64>,
    /// The goodput without an attack.
    pub baseline_gbps: Option<f64>,
    /// Half the width of the 95 % confidence interval of `baseline_gbps`.
    pub baseline_gbps_ci95: Option<f64>,
    /// The innocent bits that are lost for each bit of the attacker: mean over repetitions.
    pub displacement: Option<f64>,
    /// Half the width of the displacement's 95 % confidence interval.
    pub displacement_ci95: Option<f64>,
    /// The displacement in each repetition.
    pub displacement_values: Vec<Option<f64>>,
    /// The largest possible displacement, if the source proves one.
    pub bound: Option<f64>,
    /// The predicted displacement by the largest jobs, if there is no bound.
    pub predicted: Option<f64>,
    /// The method by which the most harmful attack was found.
    pub strategy: Found,
    /// The size of the attack's packets, if they are all of one kind.
    pub attack_packet_bytes: Option<u32>,
    /// The work of the attack's packets, if they are all of one kind.
    pub attack_job_ns: Option<f64>,
    /// The share of the attack's bits that were served.
    pub attack_served: Option<f64>,
    /// The finished repetitions, by number from 0; lists of values have one entry for each.
    pub repetitions: Vec<u64>,
    /// The seed of each repetition.
    pub seeds: Vec<u64>,
    /// All numbers, with their confidence intervals and the values of each repetition.
    pub quantities: Quantities,
    /// False if repetitions are missing.
    pub complete: bool,
    #[serde(skip)]
    load: f64,
}

impl Settings {
    pub(super) fn of(setting: &Setting) -> Self {
        let attacker = &setting.attacker;
        let strategy = match attacker.sends {
            Sends::Optimal => "optimal",
            Sends::Given(_) => "given",
            Sends::Inputs(_) => "application",
        };
        let timing = match attacker.timing {
            Timing::Steady => "steady",
            Timing::OnOff { .. } => "on-off",
        };
        let estimate = if setting.is_live() { "application" } else { setting.processor.estimate };
        Self::with(setting, attacker.limits, [strategy, timing, estimate])
    }

    /// Returns the settings of a search, which chooses strategy and timing.
    pub(super) fn of_search(setting: &Setting) -> Self {
        Self::with(setting, setting.attacker.searched, ["searched", "searched", setting.processor.estimate])
    }

    fn with(setting: &Setting, limits: Limits, [strategy, timing, estimate]: [&str; 3]) -> Self {
        let (innocent, processor) = (&setting.innocent, &setting.processor);
        let means = innocent.innocent.means();
        Self {
            capacity_gbps: setting.capacity_bps() / GBPS,
            servers: processor.servers,
            buffer: processor.buffer.map(|buffer| buffer.to_string()),
            application: innocent.application.map(str::to_owned),
            gaps: innocent.gaps.to_owned(),
            flows: innocent.flows,
            mean_packet_bytes: means.size_bits / 8.0,
            mean_job_ns: means.work_s * 1e9,
            min_packet_bytes: limits.min_bytes,
            max_job_ns: limits.max_work.as_ns_f64(),
            strategy: strategy.to_owned(),
            timing: timing.to_owned(),
            estimate: estimate.to_owned(),
            packets: setting.packets,
            warmup: setting.warmup,
        }
    }
}

impl AttackReport {
    /// Creates the report from the runs of each cell, in the order of the scenario; cells that differ only in the attack rate are
    /// neighbours.
    pub(super) fn new(about: About, head: Head<Settings>, cells: &[CellRuns<RunResult>]) -> Self {
        let results: Vec<Row> = cells.iter().filter_map(|cell| row(cell, head.asked.repetitions)).collect();
        let rate_axis = head.own_axes.into_iter().next();
        let shared = |row: &Row| without_rate(&row.axes, rate_axis.as_deref());
        let place = |row: &Row| (row.policy.clone(), shared(row));
        let groups = results.chunk_by(|a, b| place(a) == place(b));
        Self {
            forebay: env!("CARGO_PKG_VERSION"),
            scenario: about.scenario,
            seed: about.seed,
            worst: groups.map(|rows| worst(rows, shared(&rows[0]))).collect(),
            warnings: head.warnings,
            attack: head.asked,
            results,
            rate_axis,
        }
    }

    /// Returns whether every repetition of every cell was run to its end.
    pub fn is_complete(&self) -> bool {
        let runs: usize = self.results.iter().map(|row| row.repetitions.len()).sum();
        runs as u64 >= self.attack.runs
    }
}

/// The row of a cell, under the most harmful of its attacks.
fn row(cell: &CellRuns<RunResult>, repetitions: u64) -> Option<Row> {
    let first = &cell.runs[0];
    let rows = (0..first.attacks.len()).map(|number| {
        let attacked: Vec<Attacked> = cell.runs.iter().filter_map(|run| run.attacked(number)).collect();
        let harm = &first.attacks[number];
        let quantities = measure(&attacked.iter().collect::<Vec<_>>());
        let estimate = |name: &str| quantities.get(name).cloned().unwrap_or_else(|| Estimate::of(Vec::new()));
        let [displacement, goodput, baseline] = ["displacement", "goodput_gbps", "baseline_gbps"].map(estimate);
        Row {
            policy: cell.policy.clone(),
            axes: cell.axes.clone(),
            innocent_gbps: first.innocent_gbps,
            attack_gbps: first.attack_bps / GBPS,
            goodput_gbps: goodput.mean,
            goodput_gbps_ci95: goodput.ci95,
            baseline_gbps: baseline.mean,
            baseline_gbps_ci95: baseline.ci95,
            displacement: displacement.mean,
            displacement_ci95: displacement.ci95,
            displacement_values: displacement.values,
            bound: first.bound,
            predicted: first.predicted,
            strategy: harm.strategy,
            attack_packet_bytes: harm.packet_bytes,
            attack_job_ns: harm.job_ns,
            attack_served: quantities.mean("attack_served"),
            repetitions: cell.repetitions.clone(),
            seeds: cell.seeds.clone(),
            quantities,
            complete: cell.has_all(repetitions),
            load: first.load,
        }
    });
    rows.reduce(Row::more_harmful)
}

/// The worst of rows that differ in the attack's rate alone.
fn worst(rows: &[Row], axes: Vec<(String, AxisValue)>) -> Worst {
    let by_harm = |a: &&Row, b: &&Row| a.harm().total_cmp(&b.harm());
    let worst = rows.iter().filter(|row| row.displacement.is_some()).max_by(by_harm);
    let bound = rows[0].bound;
    Worst {
        policy: rows[0].policy.clone(),
        axes,
        innocent_gbps: rows[0].innocent_gbps,
        load: rows[0].load,
        displacement: worst.and_then(|row| row.displacement),
        displacement_ci95: worst.and_then(|row| row.displacement_ci95),
        attack_gbps: worst.map(|row| row.attack_gbps),
        strategy: worst.map(|row| row.strategy),
        bound,
        predicted: rows.iter().filter_map(|row| row.predicted).reduce(f64::max),
        holds: bound.and(worst).map(|_| rows.iter().all(Row::is_within_bound)),
    }
}

impl Row {
    /// For comparisons; what was not measured harms least.
    fn harm(&self) -> f64 {
        self.displacement.unwrap_or(f64::NEG_INFINITY)
    }

    /// The first of two where they are alike.
    fn more_harmful(self, other: Self) -> Self {
        if other.harm().total_cmp(&self.harm()) == Ordering::Greater { other } else { self }
    }

    fn is_within_bound(&self) -> bool {
        let surely = self.harm() - self.displacement_ci95.unwrap_or(0.0);
        self.bound.is_none_or(|bound| surely <= bound)
    }
}
