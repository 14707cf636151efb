//! The result of a search: what `--format json` prints and `result.json` holds.
//!
//! Names and units are documented in `docs/result.md`.

use super::closed_form::ClosedForm;
use super::confirm::{Confirmed, MEASURED_WITH};
use super::description;
use super::run::SearchOutcome;
use crate::attack::bound::Analysed;
use crate::attack::plan::Found;
use crate::attack::report::Settings;
use crate::attack::run_result::GBPS;
use crate::attack::scenario::{AttackScenario, without_rate};
use crate::document::Node;
use crate::result_schema::SCHEMA_VERSION;
use crate::sweep::{AxisValue, as_list};
use forebay_sim::attack::search::{Candidate, Harm};
use forebay_sim::attack::{Attack, Timing};
use serde::Serialize;

/// The report of all searches.
#[derive(Debug, Clone, Serialize)]
pub struct SearchReport {
    /// The version of this format; it increases if programs that read results may have to change.
    pub schema_version: u32,
    /// The kind of report: `attack-search`.
    pub kind: &'static str,
    /// The version of forebay.
    pub forebay: &'static str,
    /// The name of the scenario.
    pub scenario: String,
    /// The root of all random numbers.
    pub seed: u64,
    /// Warnings about a recording, or about the scenario.
    pub warnings: Vec<String>,
    /// The question.
    pub attack: Settings,
    /// The space and the effort of the search.
    pub searched: Searched,
    /// One row for each policy and each value of the axes except for the axis of attack rates.
    pub results: Vec<Row>,
}

/// The attacks that the search covers.
#[derive(Debug, Clone, Serialize)]
pub struct Searched {
    pub attack_gbps: [f64; 2],
    pub packet_bytes: [u32; 2],
    pub job_ns: [f64; 2],
    /// The maximum number of flows of one kind of packets.
    pub flows: u32,
    /// The maximum number of kinds of packets in an attack.
    pub kinds: usize,
    /// The least number of innocent packets that arrive while an attack is tried.
    pub packets: u64,
    /// Number of sets of innocent traffic with which the attack found is measured.
    pub repetitions: u64,
}

/// The most harmful attack found on a policy with one value of each axis except for the attack rate.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub policy: String,
    /// The values of the swept fields, except for the attack's rate.
    #[serde(serialize_with = "as_list", skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<(String, AxisValue)>,
    pub innocent_gbps: f64,
    pub attack_gbps: Option<f64>,
    pub goodput_gbps: Option<f64>,
    pub baseline_gbps: Option<f64>,
    pub displacement: Option<f64>,
    pub displacement_ci95: Option<f64>,
    /// The displacement in each repetition.
    pub displacement_values: Vec<Option<f64>>,
    pub bound: Option<f64>,
    /// Whether the displacement is not above the bound by more than its interval; `null` without a bound.
    pub holds: Option<bool>,
    /// The most harmful closed form at any rate, on the same packets.
    pub closed_form: Option<Closed>,
    /// The most harmful closed form at `attack_gbps`.
    pub closed_form_at_rate: Option<Closed>,
    pub words: Option<String>,
    pub attack: Option<Sent>,
    /// The numbers of innocent packets that arrived during the measurement and before it.
    pub packets: Option<u64>,
    pub warmup: Option<u64>,
    pub generations: u64,
    /// The number of attacks that were tried.
    pub tried: u64,
    /// False if the search was interrupted.
    pub complete: bool,
    #[serde(skip)]
    pub(super) place: Place,
}

/// The place of a row, for a scenario that runs its attack again.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The scenario of the policy alone.
    pub(super) document: Node,
    pub(super) found: Option<Candidate>,
}

/// An attack in closed form.
#[derive(Debug, Clone, Serialize)]
pub struct Closed {
    pub strategy: Found,
    pub attack_gbps: f64,
    pub job_ns: f64,
    pub displacement: Option<f64>,
    pub displacement_ci95: Option<f64>,
}

/// The packets of an attack.
#[derive(Debug, Clone, Serialize)]
pub struct Sent {
    pub strategy: Vec<Kind>,
    /// The periods of the attack; `null` if it is sent evenly.
    pub on_off: Option<OnOff>,
}

/// A kind of packets.
#[derive(Debug, Clone, Serialize)]
pub struct Kind {
    pub size_bytes: u32,
    pub job_ns: f64,
    /// The number of flows of this kind; 0 if each packet is a flow of its own.
    pub flows: u32,
    /// The kind's share of the attack's bits; all shares together make 1.
    pub share: f64,
}

/// The periods in which an attack is sent.
#[derive(Debug, Clone, Serialize)]
pub struct OnOff {
    pub period_ns: f64,
    pub duty: f64,
}

impl SearchReport {
    pub(super) fn new(scenario: &AttackScenario, outcomes: &[SearchOutcome<'_>]) -> Self {
        // Only the limits of periods depend on the innocent rate.
        let setting = outcomes[0].arena.setting();
        let space = setting.search.space(outcomes[0].arena);
        Self {
            schema_version: SCHEMA_VERSION,
            kind: "attack-search",
            forebay: env!("CARGO_PKG_VERSION"),
            scenario: scenario.said.name.clone(),
            seed: scenario.seed().0,
            warnings: scenario.warnings.clone(),
            attack: Settings::of_search(setting),
            searched: Searched {
                attack_gbps: [space.rate_bps.0 / GBPS, space.rate_bps.1 / GBPS],
                packet_bytes: [space.size_bytes.0, space.size_bytes.1],
                job_ns: [space.work.0.as_ns_f64(), space.work.1.as_ns_f64()],
                flows: space.flows,
                kinds: space.kinds,
                packets: setting.search.packets,
                repetitions: MEASURED_WITH,
            },
            results: outcomes.iter().map(|outcome| row(scenario, outcome)).collect(),
        }
    }

    /// Returns whether no search was interrupted.
    pub fn is_complete(&self) -> bool {
        self.results.iter().all(|row| row.complete)
    }

    /// Returns whether an attack surely does more harm than a bound allows.
    pub fn beats_a_bound(&self) -> bool {
        self.results.iter().any(|row| row.holds == Some(false))
    }
}

fn row(scenario: &AttackScenario, outcome: &SearchOutcome<'_>) -> Row {
    let arena = outcome.arena;
    let (cell, setting) = (&arena.cells[0], arena.setting());
    let comparison = outcome.comparison.as_ref();
    let found = comparison.map(|comparison| &comparison.found);
    let mean = |of: fn(&Harm) -> f64| found.and_then(|found| found.estimate(of).mean);
    let displacement = found.map(|found| found.estimate(|harm| harm.displacement));
    let value = displacement.as_ref().and_then(|estimate| estimate.mean);
    let ci95 = displacement.as_ref().and_then(|estimate| estimate.ci95);
    let terms = setting.terms(setting.attacker.searched);
    let bound = Analysed::of(&cell.policy.discipline).and_then(|policy| policy.bound(&terms));
    let candidate = found.map(|found| found.attack.clone());
    let packets = candidate.as_ref().map(|candidate| arena.packets(candidate, super::arena::CONFIRMED_WITH));
    Row {
        policy: cell.policy.name.clone(),
        axes: without_rate(&cell.axes, scenario.rate_axis.as_deref()),
        innocent_gbps: setting.innocent_bps as f64 / GBPS,
        attack_gbps: candidate.as_ref().map(|candidate| candidate.rate_bps / GBPS),
        goodput_gbps: mean(|harm| harm.goodput_bps / GBPS),
        baseline_gbps: mean(|harm| harm.baseline_bps / GBPS),
        displacement: value,
        displacement_ci95: ci95,
        displacement_values: displacement.map_or_else(Vec::new, |estimate| estimate.values),
        bound,
        holds: bound.zip(value).map(|(bound, value)| value - ci95.unwrap_or(0.0) <= bound),
        closed_form: comparison.map(|comparison| closed(&comparison.closed)),
        closed_form_at_rate: comparison.map(|comparison| closed(&comparison.closed_at_rate)),
        words: candidate.as_ref().map(|candidate| description::of(&candidate.attack)),
        attack: candidate.as_ref().map(|candidate| sent(&candidate.attack)),
        packets: packets.map(|(_, packets)| packets),
        warmup: packets.map(|(warmup, _)| warmup),
        generations: outcome.generations,
        tried: outcome.tried,
        complete: outcome.complete,
        place: Place { document: cell.document(), found: candidate },
    }
}

fn closed(confirmed: &Confirmed<ClosedForm>) -> Closed {
    let ClosedForm { found, candidate } = &confirmed.attack;
    let displacement = confirmed.estimate(|harm| harm.displacement);
    Closed {
        strategy: *found,
        attack_gbps: candidate.rate_bps / GBPS,
        job_ns: candidate.attack.strategies.first().map_or(0.0, |only| only.job.work.as_ns_f64()),
        displacement: displacement.mean,
        displacement_ci95: displacement.ci95,
    }
}

fn sent(attack: &Attack) -> Sent {
    let total: f64 = attack.strategies.iter().map(|one| one.share).sum();
    let kinds = attack.strategies.iter().map(|one| Kind {
        size_bytes: one.job.size_bytes,
        job_ns: one.job.work.as_ns_f64(),
        flows: one.flows,
        share: one.share / total,
    });
    let on_off = match attack.timing {
        Timing::Steady => None,
        Timing::OnOff { period, duty } => Some(OnOff { period_ns: period.as_ns_f64(), duty }),
    };
    Sent { strategy: kinds.collect(), on_off }
}
