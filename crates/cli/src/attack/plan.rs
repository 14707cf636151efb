//! What is run: every policy at every innocent rate, without an attack and with each that may be the worst.

use super::bound::Analysed;
use super::{AttackStudy, Sends};
use forebay_sim::attack::applications::Workload;
use forebay_sim::attack::optimal::{self, Order};
use forebay_sim::attack::{Attack, Job, Strategy};
use serde::Serialize;
use std::sync::Arc;

/// How an attack was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Found {
    /// The largest job: best where the order of service does not depend on jobs.
    LargestJob,
    /// Equation 3.8, best against shortest job first.
    AgainstSjf,
    /// Equation 3.9, best against weighted shortest job first.
    AgainstWsjf,
    /// As the scenario says.
    Given,
    /// The longest TCP flows of an application's own attack.
    LongestFlows,
    /// TCP flows that make the work of equation 3.8 on average.
    FlowsAgainstSjf,
    /// TCP flows that make the work of equation 3.9 on average.
    FlowsAgainstWsjf,
    /// The dearest of many innocent payloads.
    DearestPayload,
}

impl Found {
    /// Its name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::LargestJob => "largest-job",
            Self::AgainstSjf => "against-sjf",
            Self::AgainstWsjf => "against-wsjf",
            Self::Given => "given",
            Self::LongestFlows => "longest-flows",
            Self::FlowsAgainstSjf => "flows-against-sjf",
            Self::FlowsAgainstWsjf => "flows-against-wsjf",
            Self::DearestPayload => "dearest-payload",
        }
    }
}

/// Runs that differ only in their seed.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Indices of the study.
    pub(super) innocent: usize,
    pub(super) policy: usize,
    pub(super) attack: Option<Attacked>,
}

/// An attack at one of the study's rates.
#[derive(Debug, Clone)]
pub(super) struct Attacked {
    pub(super) rate: usize,
    pub(super) found: Found,
    pub(super) sent: Sent,
}

/// What is sent.
#[derive(Debug, Clone)]
pub(super) enum Sent {
    /// Packets whose jobs are known.
    Jobs(Attack),
    /// What an application works on like on innocent packets.
    Inputs(Arc<dyn Workload>),
}

impl Sent {
    /// The jobs, if they are known.
    pub(super) fn jobs(&self) -> Option<&Attack> {
        match self {
            Self::Jobs(attack) => Some(attack),
            Self::Inputs(_) => None,
        }
    }
}

impl Attacked {
    /// The one kind of packets, if there is one; where packets differ in their work only, with its mean.
    pub(super) fn only_job(&self) -> Option<Job> {
        match &self.sent {
            Sent::Jobs(attack) => match attack.strategies[..] {
                [only] => Some(only.job),
                _ => None,
            },
            Sent::Inputs(workload) => workload.attack_job(),
        }
    }
}

/// All lines: innocent rate by innocent rate, policy by policy, first without an attack, then attack rate by attack rate.
pub(super) fn lines(study: &AttackStudy) -> Vec<Line> {
    let mut lines = Vec::new();
    for innocent in 0..study.innocent_bps.len() {
        for policy in 0..study.policies.len() {
            lines.push(Line { innocent, policy, attack: None });
            for rate in 0..study.attacker.rates_bps.len() {
                let attacks = attacks(study, innocent, policy, rate);
                lines.extend(attacks.into_iter().map(|attack| Line { innocent, policy, attack: Some(attack) }));
            }
        }
    }
    lines
}

/// Attacks one of which is the most harmful, none twice.
fn attacks(study: &AttackStudy, innocent: usize, policy: usize, rate: usize) -> Vec<Attacked> {
    let attacker = &study.attacker;
    let made = |found, strategies| {
        let sent = Sent::Jobs(Attack { strategies, timing: attacker.timing });
        Attacked { rate, found, sent }
    };
    let is_blind = Analysed::of(&study.policies[policy].discipline).is_some_and(Analysed::is_blind);
    let setting = study.setting(study.innocent_bps[innocent], attacker.rates_bps[rate]);
    match &attacker.sends {
        Sends::Optimal => {}
        Sends::Given(given) => return vec![made(Found::Given, given.clone())],
        Sends::Inputs(own) => {
            let attacks = own.attacks(&setting, is_blind).into_iter();
            return attacks.map(|(found, workload)| Attacked { rate, found, sent: Sent::Inputs(workload) }).collect();
        }
    }
    let orders =
        [(Order::Blind, Found::LargestJob), (Order::Work, Found::AgainstSjf), (Order::Ratio, Found::AgainstWsjf)];
    let mut jobs: Vec<Job> = Vec::new();
    let mut attacks = Vec::new();
    for (order, found) in orders.into_iter().take(if is_blind { 1 } else { orders.len() }) {
        let job = optimal::attack(order, &setting);
        if !jobs.contains(&job) {
            jobs.push(job);
            attacks.push(made(found, vec![Strategy::only(job)]));
        }
    }
    attacks
}
