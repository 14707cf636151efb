//! The candidate attacks of a cell, among which the most harmful one is.

use super::bound::Analysed;
use super::scenario::{Cell, Sends};
use forebay_sim::attack::applications::Workload;
use forebay_sim::attack::optimal::{self, Order};
use forebay_sim::attack::{Attack, Job, Strategy};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The method by which an attack was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// The largest job: best where the order of service does not depend on jobs.
    LargestJob,
    /// Equation 3.8, best against shortest job first.
    AgainstSjf,
    /// Equation 3.9, best against weighted shortest job first.
    AgainstWsjf,
    /// The largest job that is not suspected, where servers are set aside.
    Unsuspected,
    /// The scenario gives the attack.
    Given,
    /// The longest TCP flows of an application's own attack.
    LongestFlows,
    /// TCP flows that make the work of equation 3.8 on average.
    FlowsAgainstSjf,
    /// TCP flows that make the work of equation 3.9 on average.
    FlowsAgainstWsjf,
    /// The most expensive of many innocent payloads.
    DearestPayload,
    /// The attack makes an application's packets the most work.
    WorstCase,
    /// An application's packets that make the work of equation 3.8 on average.
    InputsAgainstSjf,
    /// An application's packets that make the work of equation 3.9 on average.
    InputsAgainstWsjf,
}

impl Found {
    /// Returns the method's name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::LargestJob => "largest-job",
            Self::AgainstSjf => "against-sjf",
            Self::AgainstWsjf => "against-wsjf",
            Self::Unsuspected => "unsuspected",
            Self::Given => "given",
            Self::LongestFlows => "longest-flows",
            Self::FlowsAgainstSjf => "flows-against-sjf",
            Self::FlowsAgainstWsjf => "flows-against-wsjf",
            Self::DearestPayload => "dearest-payload",
            Self::WorstCase => "worst-case",
            Self::InputsAgainstSjf => "inputs-against-sjf",
            Self::InputsAgainstWsjf => "inputs-against-wsjf",
        }
    }
}

/// An attack and the method by which it was found.
#[derive(Debug, Clone)]
pub(super) struct Attacked {
    pub(super) found: Found,
    pub(super) sent: Sent,
}

/// The packets that are sent.
#[derive(Debug, Clone)]
pub(super) enum Sent {
    /// Packets whose jobs are known.
    Jobs(Attack),
    /// Packets that an application processes like innocent ones.
    Inputs(Arc<dyn Workload>),
}

impl Sent {
    /// Returns the jobs, if they are known.
    pub(super) fn jobs(&self) -> Option<&Attack> {
        match self {
            Self::Jobs(attack) => Some(attack),
            Self::Inputs(_) => None,
        }
    }
}

impl Attacked {
    /// Returns the only kind of packets, if there is one. If packets differ only in their work, it has their mean work.
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

/// Returns different attacks on a policy, of which one is the most harmful.
pub(super) fn attacks(cell: &Cell) -> Vec<Attacked> {
    let setting = &cell.setting;
    let attacker = &setting.attacker;
    let made = |found, strategies| {
        let sent = Sent::Jobs(Attack { strategies, timing: attacker.timing });
        Attacked { found, sent }
    };
    let is_blind = cell.analysed().is_some_and(Analysed::is_blind);
    let known = setting.known(attacker.limits, setting.attack_bps);
    match &attacker.sends {
        Sends::Optimal => {}
        Sends::Given(given) => return vec![made(Found::Given, given.clone())],
        Sends::Inputs(own) => {
            let attacks = own.attacks(&known, is_blind).into_iter();
            return attacks.map(|(found, workload)| Attacked { found, sent: Sent::Inputs(workload) }).collect();
        }
    }
    let orders =
        [(Order::Blind, Found::LargestJob), (Order::Work, Found::AgainstSjf), (Order::Ratio, Found::AgainstWsjf)];
    let mut jobs: Vec<(Job, Found)> = Vec::new();
    for (order, found) in orders.into_iter().take(if is_blind { 1 } else { orders.len() }) {
        jobs.push((optimal::attack(order, &known), found));
    }
    // Who knows the rule keeps to it: only the others work on such jobs.
    if let Some(job) = setting.processor.aside.and_then(|aside| aside.job) {
        jobs.push((Job::known(known.min_bytes, job.min(known.max_work)), Found::Unsuspected));
    }
    let mut attacks: Vec<Attacked> = Vec::new();
    let mut told: Vec<Job> = Vec::new();
    for (job, found) in jobs {
        if !told.contains(&job) {
            told.push(job);
            attacks.push(made(found, vec![Strategy::only(job)]));
        }
    }
    attacks
}
