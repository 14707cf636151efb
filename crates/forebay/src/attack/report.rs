//! The result of an attack study: what `--format json` prints and `result.json` holds.
//!
//! Names and units are documented in `docs/result.md`; tools are built on them.

use super::bound::Analysed;
use super::plan::{Attacked, Found, Line};
use super::run::Repetitions;
use super::{AttackStudy, Sends};
use crate::statistics::Estimate;
use forebay_sim::attack::Timing;
use serde::Serialize;
use std::cmp::Ordering;

pub(super) const GBPS: f64 = 1e9;

/// A whole study.
#[derive(Debug, Clone, Serialize)]
pub struct AttackReport {
    /// Version of forebay.
    pub forebay: &'static str,
    /// The name of the scenario.
    pub scenario: String,
    /// Root of all random numbers.
    pub seed: u64,
    /// What was noticed in a recording, or in the study.
    pub warnings: Vec<String>,
    /// What was asked.
    pub attack_study: Settings,
    /// Innocent rate by innocent rate, policy by policy: the worst that an attacker can do.
    pub worst: Vec<Worst>,
    /// Innocent rate by innocent rate, policy by policy, attack rate by attack rate.
    pub rows: Vec<Row>,
}

/// What was asked for.
#[derive(Debug, Clone, Serialize)]
pub struct Settings {
    /// What the processor can do if nobody attacks.
    pub capacity_gbps: f64,
    pub servers: usize,
    pub buffer: Option<String>,
    /// What makes innocent jobs, if they are not drawn.
    pub application: Option<&'static str>,
    pub gaps: &'static str,
    pub flows: u32,
    pub mean_packet_bytes: f64,
    pub mean_job_ns: f64,
    pub min_packet_bytes: u32,
    pub max_job_ns: f64,
    /// `optimal`, `given` or `application`; of a search, `searched`.
    pub strategy: &'static str,
    /// `steady` or `on-off`; of a search, `searched`.
    pub timing: &'static str,
    /// `told`, `log-normal`, `constant` or `application`.
    pub estimate: &'static str,
    pub packets: u64,
    pub warmup: u64,
    pub seeds: u64,
}

/// The largest displacement of a policy at an innocent rate, over all attack rates.
#[derive(Debug, Clone, Serialize)]
pub struct Worst {
    pub policy: String,
    pub innocent_gbps: f64,
    /// Innocent work over what the servers can do.
    pub load: f64,
    pub displacement: Option<f64>,
    pub displacement_ci95: Option<f64>,
    pub attack_gbps: Option<f64>,
    pub strategy: Option<Found>,
    pub bound: Option<f64>,
    /// The largest at any attack rate of the study.
    pub predicted: Option<f64>,
    /// Whether no row is above the bound by more than its confidence interval; `null` without a bound.
    pub holds: Option<bool>,
}

/// A policy at an innocent rate and an attack rate, under the most harmful of the attacks tried.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub policy: String,
    pub innocent_gbps: f64,
    pub attack_gbps: f64,
    pub goodput_gbps: Option<f64>,
    pub goodput_gbps_ci95: Option<f64>,
    pub baseline_gbps: Option<f64>,
    pub baseline_gbps_ci95: Option<f64>,
    pub displacement: Option<f64>,
    pub displacement_ci95: Option<f64>,
    /// Of each repetition.
    pub displacement_values: Vec<Option<f64>>,
    /// Of each repetition.
    #[serde(skip)]
    pub goodput_values: Vec<Option<f64>>,
    /// Of each repetition.
    #[serde(skip)]
    pub baseline_values: Vec<Option<f64>>,
    /// Of each repetition.
    #[serde(skip)]
    pub attack_served_values: Vec<Option<f64>>,
    pub bound: Option<f64>,
    pub predicted: Option<f64>,
    pub strategy: Found,
    /// Of an attack with one kind of packets.
    pub attack_packet_bytes: Option<u32>,
    pub attack_job_ns: Option<f64>,
    /// Share of the attack's bits that were worked on.
    pub attack_served: Option<f64>,
    /// False if repetitions are missing because of an interrupt.
    pub complete: bool,
}

impl Settings {
    pub(super) fn of(study: &AttackStudy) -> Self {
        let means = study.innocent.means();
        Self {
            capacity_gbps: means.capacity_bps(study.servers) / GBPS,
            servers: study.servers,
            buffer: study.buffer.map(|buffer| buffer.to_string()),
            application: study.application,
            gaps: study.gaps,
            flows: study.flows,
            mean_packet_bytes: means.size_bits / 8.0,
            mean_job_ns: means.work_s * 1e9,
            min_packet_bytes: study.attacker.min_bytes,
            max_job_ns: study.attacker.max_work.as_ns_f64(),
            strategy: match study.attacker.sends {
                Sends::Optimal => "optimal",
                Sends::Given(_) => "given",
                Sends::Inputs(_) => "application",
            },
            timing: match study.attacker.timing {
                Timing::Steady => "steady",
                Timing::OnOff { .. } => "on-off",
            },
            estimate: if study.is_live() { "application" } else { study.estimate },
            packets: study.packets,
            warmup: study.warmup,
            seeds: study.repetitions,
        }
    }
}

impl AttackReport {
    /// From what was measured for each line.
    pub(super) fn new(study: &AttackStudy, lines: &[Line], measured: &[Repetitions]) -> Self {
        let (mut rows, mut worst) = (Vec::new(), Vec::new());
        let all: Vec<(&Line, &Repetitions)> = lines.iter().zip(measured).collect();
        // A line without attack begins the lines of a policy at an innocent rate.
        for group in all.chunk_by(|_, (next, _)| next.attack.is_some()) {
            let [(line, baseline), attacked @ ..] = group else { continue };
            let own = Group { study, line, baseline };
            let with_attack: Vec<(&Attacked, &Repetitions)> =
                attacked.iter().filter_map(|(line, measured)| Some((line.attack.as_ref()?, *measured))).collect();
            let own_rows: Vec<Row> = with_attack
                .chunk_by(|(a, _), (b, _)| a.rate == b.rate)
                .filter_map(|of_rate| {
                    of_rate.iter().map(|(attack, measured)| own.row(attack, measured)).reduce(Row::more_harmful)
                })
                .collect();
            worst.push(own.worst(&own_rows));
            rows.extend(own_rows);
        }
        Self {
            forebay: env!("CARGO_PKG_VERSION"),
            scenario: study.name.clone(),
            seed: study.seed.0,
            warnings: study.warnings.clone(),
            attack_study: Settings::of(study),
            worst,
            rows,
        }
    }

    /// Whether every repetition was measured to its end.
    pub fn is_complete(&self) -> bool {
        self.rows.iter().all(|row| row.complete)
    }
}

/// A policy at an innocent rate.
struct Group<'a> {
    study: &'a AttackStudy,
    line: &'a Line,
    baseline: &'a Repetitions,
}

impl Group<'_> {
    fn row(&self, attack: &Attacked, measured: &Repetitions) -> Row {
        let Self { study, line, baseline } = *self;
        let innocent_bps = study.innocent_bps[line.innocent];
        let attack_bps = study.attacker.rates_bps[attack.rate];
        let goodput = estimate(measured, |measured| Some(measured.goodput_bps / GBPS));
        let without = estimate(baseline, |measured| Some(measured.goodput_bps / GBPS));
        let pairs = baseline.iter().zip(measured);
        // Seed by seed: what chance does to both is not of the attack.
        let displaced = pairs.map(|(baseline, attacked)| {
            Some((baseline.as_ref()?.goodput_bps - attacked.as_ref()?.goodput_bps) / attack_bps as f64)
        });
        let displacement = Estimate::of(displaced.collect());
        let served = |measured: &forebay_sim::attack::trial::Measured| {
            (measured.attack_bps > 0.0).then(|| measured.attack_served_bps / measured.attack_bps)
        };
        let attack_served = estimate(measured, served);
        let policy = &study.policies[line.policy];
        let analysed = Analysed::of(&policy.discipline);
        let terms = study.terms(innocent_bps);
        Row {
            policy: policy.name.clone(),
            innocent_gbps: innocent_bps as f64 / GBPS,
            attack_gbps: attack_bps as f64 / GBPS,
            goodput_gbps: goodput.mean,
            goodput_gbps_ci95: goodput.ci95,
            baseline_gbps: without.mean,
            baseline_gbps_ci95: without.ci95,
            displacement: displacement.mean,
            displacement_ci95: displacement.ci95,
            displacement_values: displacement.values,
            goodput_values: goodput.values,
            baseline_values: without.values,
            attack_served_values: attack_served.values,
            bound: analysed.and_then(|policy| policy.bound(&terms)),
            // An application's own packets are not all the largest jobs.
            predicted: analysed.filter(|_| !study.is_live()).and_then(|policy| policy.predicted(&terms, attack_bps)),
            strategy: attack.found,
            attack_packet_bytes: attack.only_job().map(|job| job.size_bytes),
            attack_job_ns: attack.only_job().map(|job| job.work.as_ns_f64()),
            attack_served: attack_served.mean,
            complete: measured.iter().chain(baseline).all(Option::is_some),
        }
    }

    fn worst(&self, rows: &[Row]) -> Worst {
        let Self { study, line, .. } = *self;
        let innocent_bps = study.innocent_bps[line.innocent];
        let by_harm = |a: &&Row, b: &&Row| a.harm().total_cmp(&b.harm());
        let worst = rows.iter().filter(|row| row.displacement.is_some()).max_by(by_harm);
        let bound = rows.first().and_then(|row| row.bound);
        Worst {
            policy: study.policies[line.policy].name.clone(),
            innocent_gbps: innocent_bps as f64 / GBPS,
            load: innocent_bps as f64 / study.innocent.means().capacity_bps(study.servers),
            displacement: worst.and_then(|row| row.displacement),
            displacement_ci95: worst.and_then(|row| row.displacement_ci95),
            attack_gbps: worst.map(|row| row.attack_gbps),
            strategy: worst.map(|row| row.strategy),
            bound,
            predicted: rows.iter().filter_map(|row| row.predicted).reduce(f64::max),
            holds: bound.and(worst).map(|_| rows.iter().all(Row::is_within_bound)),
        }
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

fn estimate(repetitions: &Repetitions, of: impl Fn(&forebay_sim::attack::trial::Measured) -> Option<f64>) -> Estimate {
    Estimate::of(repetitions.iter().map(|measured| measured.as_ref().and_then(&of)).collect())
}
