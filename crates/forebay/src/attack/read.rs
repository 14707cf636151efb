//! Reads an attack study and checks everything that can be checked before a packet moves.

use super::application::Application;
use super::read_innocent::Estimate;
use super::search::Options;
use super::table::gbps;
use super::{AttackStudy, Attacker, Sends, read_attack, read_innocent};
use crate::document::{Node, Value};
use crate::error::Result;
use crate::scenario::{
    Files, Offered, Plan, Policy, PortNode, name_and_seed, quantity, refuse_inner_repetitions, repetitions,
};
use forebay_core::convert::index;
use forebay_core::{BufferSize, Field, Fields, Rate};

const DEFAULT_PACKETS: u64 = 1_000_000;
const DEFAULT_REPETITIONS: u64 = 3;
const MAX_REPETITIONS: u64 = 10_000;
/// Of the counted packets, so many arrive before anything is counted.
const DEFAULT_WARMUP_SHARE: u64 = 10;
/// Most repetitions of all policies and rates together.
const MAX_RUNS: usize = 1_000_000;
/// Jobs from which attacks are computed.
const SAMPLE: usize = 100_000;
/// The clock ends after 213 days.
const MAX_SECONDS: f64 = 200.0 * 86_400.0;

/// Whether a document is an attack study, and not another scenario.
pub fn is_attack(document: &Node) -> bool {
    matches!(&document.value, Value::Table(fields) if fields.iter().any(|(name, _)| name == "attack_study"))
}

impl AttackStudy {
    /// Checks a document. `seed` replaces the one in it; `is_searched` if it is for a search.
    pub fn read(
        document: &Node,
        default_name: &str,
        seed: Option<u64>,
        is_searched: bool,
        files: &dyn Files,
    ) -> Result<Self> {
        let top = document.table("the scenario")?;
        for field in ["port", "traffic", "until"] {
            if let Some(node) = top.get(field) {
                return Err(node.error(format!(
                    "`{field}` is for `forebay run`; an attack study has [attack_study] and [[policy]]"
                )));
            }
        }
        let (name, seed) = name_and_seed(&top, default_name, seed)?;
        let study = top.require("attack_study", "[attack_study] with buffer = \"1000 packets\"")?;
        let policies = top.require("policy", "[[policy]] with rank = \"arrival\" and queue = \"fifo\"")?;
        let repetitions = repetitions(&top, DEFAULT_REPETITIONS, MAX_REPETITIONS)?;
        top.finish()?;

        let table = study.table("[attack_study]")?;
        refuse_inner_repetitions(&table)?;
        let buffer_node = table.get("buffer");
        let buffer = buffer_node.map(|node| quantity(node, "buffer", BufferSize::parse)).transpose()?;
        let estimate_node = table.get("estimate");
        let estimate = read_innocent::estimate(estimate_node)?;
        let innocent_node = table.require("innocent", "[attack_study.innocent] with rate = \"5 Gbps\"")?;
        let innocent = read_innocent::read(innocent_node, estimate, files)?;
        let attack_node = table.require("attack", "[attack_study.attack] with max_job = \"10 us\"")?;
        let attacker = read_attack::read(attack_node, innocent.application.as_ref(), seed, is_searched)?;
        if let Some(node) = estimate_node {
            check_estimate(node, estimate, innocent.application.is_some(), &attacker)?;
        }
        let search = Options::read(table.get("search"), attacker.min_bytes, attacker.max_work)?;
        let number = |key: &'static str, default, least, most| {
            table.get(key).map_or(Ok(default), |node| node.integer(key, least, most))
        };
        let servers = usize::try_from(number("servers", 1, 1, 1_000)?).unwrap_or(1);
        let packets = number("packets", DEFAULT_PACKETS, 1, i64::MAX as u64)?;
        let warmup = number("warmup", packets / DEFAULT_WARMUP_SHARE, 0, i64::MAX as u64)?;
        table.finish()?;

        // A processor has no rate. Policies that want that of a link get what it can do with innocent packets.
        let rate = rate_of(innocent.innocent.means().capacity_bps(servers)).ok_or_else(|| {
            innocent_node.error("the processor can do less than a bit of innocent traffic per second; use smaller jobs")
        })?;
        let port = PortNode {
            rate,
            buffer: buffer.zip(buffer_node),
            node: study,
            what: "[attack_study]",
            policy: "[[policy]]",
        };
        let offered = Offered { how_to_get, ..Offered::with(Fields::NONE.with(Field::Processing)) };
        let policies =
            Policy::read_all(policies, ("policy", "policies"), "rank = \"arrival\", queue = \"fifo\"", |node| {
                let policy = Policy::read(node, &port, &offered, files)?;
                match &policy.discipline {
                    Plan::OpenQueue(plan) if plan.policy.ports.len() > 1 => Err(node.error(format!(
                        "{} has {} ports; a processor has one queue and gives its packets to one port",
                        plan.file,
                        plan.policy.ports.len()
                    ))),
                    _ => Ok(policy),
                }
            })?;
        let mut study = Self {
            name,
            seed,
            buffer,
            servers,
            packets,
            warmup,
            repetitions,
            sample: innocent.innocent.sample(SAMPLE),
            innocent: innocent.innocent,
            application: innocent.application.as_ref().map(Application::name),
            gaps: innocent.gaps,
            flows: innocent.flows,
            innocent_bps: innocent.rates_bps,
            attacker,
            estimator: estimate.estimator(),
            estimate: estimate.name(),
            policies,
            search,
            warnings: innocent.application.map_or_else(Vec::new, |application| application.warnings),
        };
        study.check_length(innocent_node)?;
        study.warn_of_long_flows();
        Ok(study)
    }

    /// Flows of an attack that are still being sent when all is over do less harm than they could.
    fn warn_of_long_flows(&mut self) {
        let Sends::Inputs(own) = &self.attacker.sends else { return };
        let rate = |rates: &[u64], pick: fn(&[u64]) -> Option<u64>| pick(rates).unwrap_or(1);
        let slowest = rate(&self.attacker.rates_bps, |rates| rates.iter().min().copied());
        let fastest = rate(&self.innocent_bps, |rates| rates.iter().max().copied());
        let (flow, counted) = (own.longest_flow(slowest), self.time_of(self.packets, fastest));
        if flow > counted {
            self.warnings.push(format!(
                "at an attack of {}, the longest attack flow takes {flow}, and only {counted} are counted at {} of \
                 innocents; let more `packets` arrive, or shorten flows with `out_of_order` and `repeats`",
                gbps(slowest as f64 / 1e9),
                gbps(fastest as f64 / 1e9),
            ));
        }
    }

    fn check_length(&self, innocent: &Node) -> Result<()> {
        let slowest = self.innocent_bps.iter().min().copied().unwrap_or(1);
        let packets = self.packets as f64 + self.warmup as f64;
        if packets * self.innocent.means().size_bits / slowest as f64 > MAX_SECONDS {
            return Err(innocent.error(format!(
                "at {slowest} bps, {packets} packets take more than 200 days; let fewer arrive, or at a higher rate"
            )));
        }
        let lines = self.policies.len() * self.innocent_bps.len() * (self.attacker.rates_bps.len() + 1);
        let runs = index(self.repetitions).saturating_mul(lines);
        if runs > MAX_RUNS {
            return Err(innocent.error(format!(
                "{lines} lines of policies and rates with {} repetitions each are more than {MAX_RUNS} runs; use fewer",
                self.repetitions
            )));
        }
        Ok(())
    }
}

/// An estimate of an application needs one, and where an application works on attack packets there is no other.
fn check_estimate(node: &Node, estimate: Estimate, is_application: bool, attacker: &Attacker) -> Result<()> {
    if estimate == Estimate::Application && !is_application {
        return Err(node.error(
            "this `estimate` needs an application that makes it; add for example application = \"tcp-reassembly\" to \
             [attack_study.innocent]",
        ));
    }
    if estimate != Estimate::Application && matches!(attacker.sends, Sends::Inputs(_)) {
        return Err(node.error(
            "with strategy = \"application\" policies are told what the application estimates; leave `estimate` out",
        ));
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn rate_of(bps: f64) -> Option<Rate> {
    Rate::from_bits_per_second(bps as u64)
}

fn how_to_get(_: Field) -> &'static str {
    "those of an attack study have a size, a flow, and the work that they make (`processing`)"
}
