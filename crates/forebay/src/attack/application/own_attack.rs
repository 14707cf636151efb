//! `strategy = "application"`: attack traffic that the application processes like any other traffic.

use super::from_recipe::params;
use super::{Application, Kind};
use crate::attack::plan::Found;
use crate::document::Node;
use crate::error::Result;
use crate::scenario::param_error;
use forebay_core::convert::index;
use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::matcher::Matching;
use forebay_sim::attack::applications::tcp::{AttackFlows, Reassembly};
use forebay_sim::attack::applications::{Attackable, Workload};
use forebay_sim::attack::optimal::{self, Order, Setting};
use std::sync::Arc;

/// Number of innocent payloads among which the most expensive one is chosen: the default, and the most.
const SEARCHED: u64 = 100_000;
const MAX_SEARCHED: u64 = 1_000_000;
const MAX_FLOWS: u64 = 1_000;

/// An application with the attack traffic that it receives.
#[derive(Debug, Clone)]
pub(in crate::attack) enum OwnAttack {
    /// TCP flows with gaps: these flows, or shorter ones if they are best against an order of service.
    Flows {
        /// With the longest.
        reassembly: Box<Reassembly>,
        shorter: bool,
    },
    /// A payload, again and again.
    Payload(Box<Matching>),
    /// The attack of a recipe; also weaker ones, unless its parameters are given.
    Made { made: Arc<dyn Attackable>, is_given: bool },
}

impl OwnAttack {
    /// Reads `strategy`, a table with the name "application".
    pub(in crate::attack) fn read(strategy: &Node, application: &Application, seed: Seed) -> Result<Self> {
        let table = strategy.table("`strategy`")?;
        table.require("name", "name = \"application\"")?;
        let number = |key: &'static str, default: u64, least, most| {
            table.get(key).map_or(Ok(default), |node| node.integer(key, least, most))
        };
        let own = match &application.kind {
            Kind::Reassembly(reassembly) => {
                let longest = reassembly.attack.out_of_order.into();
                let attack = AttackFlows {
                    out_of_order: narrow(number("out_of_order", longest, 1, longest)?),
                    repeats: narrow(number("repeats", 0, 0, u32::MAX.into())?),
                    concurrent: narrow(number("flows", 1, 1, MAX_FLOWS)?),
                };
                let shorter = table.get("out_of_order").is_none();
                Self::Flows { reassembly: Box::new(Reassembly { attack, ..(**reassembly).clone() }), shorter }
            }
            Kind::Made(made) => {
                let is_given = table.rest().next().is_some();
                let params = params(strategy, &table, application.entry.attack)?;
                let made = made.attacked(&params).map_err(|error| param_error(strategy, &error))?;
                return Ok(Self::Made { made, is_given });
            }
            Kind::Matcher(matching) => {
                let searched = index(number("searched", SEARCHED, 1, MAX_SEARCHED)?);
                let attack = matching.dearest(searched, seed.part("attack/dearest"));
                Self::Payload(Box::new(Matching { attack, ..(**matching).clone() }))
            }
        };
        table.finish()?;
        Ok(own)
    }

    /// Returns the application.
    pub(in crate::attack) fn workload(&self) -> &dyn Workload {
        match self {
            Self::Flows { reassembly, .. } => &**reassembly,
            Self::Payload(matching) => &**matching,
            Self::Made { made, .. } => &**made,
        }
    }

    /// Returns the size of its smallest packet in bytes.
    pub(in crate::attack) fn min_bytes(&self) -> u32 {
        match self {
            Self::Flows { .. } => AttackFlows::PACKET_BYTES,
            Self::Payload(matching) => matching.attack_job().map_or(1, |job| job.size_bytes),
            Self::Made { made, .. } => made.attack_bytes(),
        }
    }

    /// Returns the largest job that its packets can make.
    pub(in crate::attack) fn max_work(&self) -> Duration {
        match self {
            Self::Flows { reassembly, .. } => reassembly.reassembler.max_work(),
            Self::Payload(matching) => matching.attack_job().map_or(Duration::ZERO, |job| job.work),
            Self::Made { made, .. } => made.max_work(),
        }
    }

    /// Returns the time at a rate until the attack has reached its full work. By then, it has sent the longest flow, or one round of a
    /// recipe.
    pub(in crate::attack) fn longest_flow(&self, attack_bps: u64) -> Duration {
        let (packets, bytes) = match self {
            Self::Flows { reassembly, .. } => {
                let attack = reassembly.attack;
                let segments = 1.0 + f64::from(attack.out_of_order) + f64::from(attack.repeats);
                (segments * f64::from(attack.concurrent), AttackFlows::PACKET_BYTES)
            }
            Self::Payload(_) => return Duration::ZERO,
            Self::Made { made, .. } => (made.warmup_packets() as f64, made.attack_bytes()),
        };
        Duration::from_secs_f64(packets * f64::from(bytes) * 8.0 / attack_bps as f64)
    }

    /// Returns different attacks, of which one is the most harmful, in a setting with the limits of this one. Against a policy that ignores
    /// jobs, the most harmful attack is the one with the longest flows.
    pub(in crate::attack) fn attacks(&self, setting: &Setting<'_>, is_blind: bool) -> Vec<(Found, Arc<dyn Workload>)> {
        let (longest, shorter) = match self {
            Self::Flows { reassembly, shorter } => (reassembly, *shorter),
            Self::Payload(matching) => return vec![(Found::DearestPayload, Arc::new((**matching).clone()))],
            Self::Made { made, is_given: true } => return vec![(Found::Given, Arc::clone(made).workload())],
            Self::Made { made, is_given: false } => return made_attacks(made, setting, is_blind),
        };
        let with = |attack| -> Arc<dyn Workload> { Arc::new(Reassembly { attack, ..(**longest).clone() }) };
        if !shorter {
            return vec![(Found::Given, with(longest.attack))];
        }
        let costs = longest.reassembler.costs();
        let orders = [(Order::Work, Found::FlowsAgainstSjf), (Order::Ratio, Found::FlowsAgainstWsjf)];
        let mut all = vec![(Found::LongestFlows, longest.attack)];
        for (order, found) in orders.into_iter().filter(|_| !is_blind) {
            let work = optimal::attack(order, setting).work;
            let flows = longest.attack.of_mean_work_in(longest.reassembler.structure(), work, costs);
            if all.iter().all(|(_, known)| *known != flows) {
                all.push((found, flows));
            }
        }
        all.into_iter().map(|(found, flows)| (found, with(flows))).collect()
    }
}

/// Returns the strongest attack, and, for a policy that looks at jobs, the attacks whose mean job is best against an order of service.
fn made_attacks(made: &Arc<dyn Attackable>, setting: &Setting<'_>, is_blind: bool) -> Vec<(Found, Arc<dyn Workload>)> {
    let orders = [(Order::Work, Found::InputsAgainstSjf), (Order::Ratio, Found::InputsAgainstWsjf)];
    let mut all = vec![(Found::WorstCase, Arc::clone(made))];
    for (order, found) in orders.into_iter().filter(|_| !is_blind) {
        let weaker = made.of_mean_work(optimal::attack(order, setting).work);
        if all.iter().all(|(_, known)| known.attack_job() != weaker.attack_job()) {
            all.push((found, weaker));
        }
    }
    all.into_iter().map(|(found, made)| (found, made.workload())).collect()
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("read with at most 32 bits")
}
