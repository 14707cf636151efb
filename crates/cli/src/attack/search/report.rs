//! The result of a search: what `--format json` prints and `result.json` holds.
//!
//! Names and units are documented in `docs/result.md`.

use super::super::AttackStudy;
use super::super::bound::Analysed;
use super::super::plan::Found;
use super::super::report::{GBPS, Settings};
use super::closed_form::ClosedForm;
use super::confirm::{Confirmed, MEASURED_WITH};
use super::run::Outcome;
use super::words;
use forebay_sim::attack::search::{Candidate, Harm};
use forebay_sim::attack::{Attack, Timing};
use serde::Serialize;

/// All searches.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SearchReport {
    /// Version of forebay.
    pub(crate) forebay: &'static str,
    pub(crate) scenario: String,
    pub(crate) seed: u64,
    /// What was noticed in a recording, or in the study.
    pub(crate) warnings: Vec<String>,
    pub(crate) attack_study: Settings,
    pub(crate) searched: Searched,
    /// Innocent rate by innocent rate, policy by policy.
    pub(crate) rows: Vec<Row>,
}

/// Among which attacks was searched.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Searched {
    pub(crate) attack_gbps: [f64; 2],
    pub(crate) packet_bytes: [u32; 2],
    pub(crate) job_ns: [f64; 2],
    /// Most flows of one kind of packets.
    pub(crate) flows: u32,
    /// Most kinds of packets in an attack.
    pub(crate) kinds: usize,
    /// Innocent packets that arrive while an attack is tried, at least.
    pub(crate) packets: u64,
}

/// The most harmful attack found on a policy at an innocent rate.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) policy: String,
    pub(crate) innocent_gbps: f64,
    pub(crate) attack_gbps: Option<f64>,
    pub(crate) goodput_gbps: Option<f64>,
    pub(crate) baseline_gbps: Option<f64>,
    pub(crate) displacement: Option<f64>,
    pub(crate) displacement_ci95: Option<f64>,
    /// Of each repetition.
    pub(crate) displacement_values: Vec<Option<f64>>,
    pub(crate) bound: Option<f64>,
    /// Whether the displacement is not above the bound by more than its interval; `null` without one.
    pub(crate) holds: Option<bool>,
    /// The most harmful closed form at any rate, on the same packets.
    pub(crate) closed_form: Option<Closed>,
    /// The most harmful closed form at `attack_gbps`.
    pub(crate) closed_form_at_rate: Option<Closed>,
    pub(crate) words: Option<String>,
    pub(crate) attack: Option<Sent>,
    /// Innocent packets that arrived while it was measured, and before.
    pub(crate) packets: Option<u64>,
    pub(crate) warmup: Option<u64>,
    pub(crate) generations: u64,
    /// Attacks that were tried.
    pub(crate) tried: u64,
    /// False if the search was interrupted.
    pub(crate) complete: bool,
    #[serde(skip)]
    pub(super) place: Place,
}

/// What a row is about, for a study that plays it again.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// Its index.
    pub(super) policy: usize,
    pub(super) innocent_bps: u64,
    pub(super) found: Option<Candidate>,
}

/// An attack in closed form.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Closed {
    pub(crate) strategy: Found,
    pub(crate) attack_gbps: f64,
    pub(crate) job_ns: f64,
    pub(crate) displacement: Option<f64>,
    pub(crate) displacement_ci95: Option<f64>,
}

/// What an attack sends.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Sent {
    pub(crate) strategy: Vec<Kind>,
    /// `null` if it is sent evenly.
    pub(crate) on_off: Option<OnOff>,
}

/// A kind of packets.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Kind {
    pub(crate) size_bytes: u32,
    pub(crate) job_ns: f64,
    /// 0: each packet is a flow of its own.
    pub(crate) flows: u32,
    /// Of the attack's bits; all together make 1.
    pub(crate) share: f64,
}

/// When an attack is sent.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OnOff {
    pub(crate) period_ns: f64,
    pub(crate) duty: f64,
}

impl SearchReport {
    pub(super) fn new(study: &AttackStudy, outcomes: &[Outcome<'_>]) -> Self {
        // Only the limits of periods depend on the innocent rate.
        let space = study.search.space(study, study.innocent_bps.first().copied().unwrap_or(1));
        Self {
            forebay: env!("CARGO_PKG_VERSION"),
            scenario: study.name.clone(),
            seed: study.seed.0,
            warnings: study.warnings.clone(),
            attack_study: Settings {
                seeds: MEASURED_WITH,
                strategy: "searched",
                timing: "searched",
                estimate: study.estimate,
                ..Settings::of(study)
            },
            searched: Searched {
                attack_gbps: [space.rate_bps.0 / GBPS, space.rate_bps.1 / GBPS],
                packet_bytes: [space.size_bytes.0, space.size_bytes.1],
                job_ns: [space.work.0.as_ns_f64(), space.work.1.as_ns_f64()],
                flows: space.flows,
                kinds: space.kinds,
                packets: study.search.packets,
            },
            rows: outcomes.iter().map(|outcome| row(study, outcome)).collect(),
        }
    }

    /// Whether no search was interrupted.
    pub(crate) fn is_complete(&self) -> bool {
        self.rows.iter().all(|row| row.complete)
    }

    /// Whether an attack surely does more than a bound allows.
    pub(crate) fn beats_a_bound(&self) -> bool {
        self.rows.iter().any(|row| row.holds == Some(false))
    }
}

fn row(study: &AttackStudy, outcome: &Outcome<'_>) -> Row {
    let arena = outcome.arena;
    let policy = &study.policies[arena.policy];
    let comparison = outcome.comparison.as_ref();
    let found = comparison.map(|comparison| &comparison.found);
    let mean = |of: fn(&Harm) -> f64| found.and_then(|found| found.estimate(of).mean);
    let displacement = found.map(|found| found.estimate(|harm| harm.displacement));
    let value = displacement.as_ref().and_then(|estimate| estimate.mean);
    let ci95 = displacement.as_ref().and_then(|estimate| estimate.ci95);
    let bound = Analysed::of(&policy.discipline).and_then(|policy| policy.bound(&study.terms(arena.innocent_bps)));
    let candidate = found.map(|found| found.attack.clone());
    let packets = candidate.as_ref().map(|candidate| arena.packets(candidate, super::arena::CONFIRMED_WITH));
    Row {
        policy: policy.name.clone(),
        innocent_gbps: arena.innocent_bps as f64 / GBPS,
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
        words: candidate.as_ref().map(|candidate| words::of(&candidate.attack)),
        attack: candidate.as_ref().map(|candidate| sent(&candidate.attack)),
        packets: packets.map(|(_, packets)| packets),
        warmup: packets.map(|(warmup, _)| warmup),
        generations: outcome.generations,
        tried: outcome.tried,
        complete: outcome.complete,
        place: Place { policy: arena.policy, innocent_bps: arena.innocent_bps, found: candidate },
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
