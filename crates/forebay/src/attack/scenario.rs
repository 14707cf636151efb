//! The cells of a scenario of attacks, one for each policy and each combination of values in its lists.

use super::application::OwnAttack;
use super::below_watermark::Below;
use super::bound::Analysed;
use super::search::SearchOptions;
use crate::document::{Node, Value};
use crate::error::Result;
use crate::run::Said;
use crate::scenario::{NamedPolicy, Plan, Sinks};
use crate::sweep::AxisValue;
use forebay_core::{BufferSize, Duration, Element, Seed};
use forebay_sim::attack::bounds::Terms;
use forebay_sim::attack::{Estimator, Innocent, Job, SetAside, Strategy, Timing, Turns, optimal};
use std::sync::Arc;

/// A checked scenario.
#[derive(Debug, Clone)]
pub struct AttackScenario {
    pub(super) said: Said,
    /// The number of repetitions of everything, each with other packets.
    pub(super) repetitions: u64,
    /// The cells in the order of the report; cells of one policy that differ only in the attack rate are neighbours.
    pub(super) cells: Vec<Cell>,
    /// The name of the axis of attack rates, if they are swept.
    pub(super) rate_axis: Option<String>,
    /// The policy that the others are compared with.
    pub(super) baseline: Option<String>,
    /// Warnings for people before the first run.
    pub(super) warnings: Vec<String>,
}

/// A policy with one value of each axis.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) axes: Vec<(String, AxisValue)>,
    pub(super) setting: Arc<Setting>,
    pub(super) policy: NamedPolicy<Plan>,
    /// The policy that replaces this one below a watermark of goodput.
    pub(super) below: Option<Below>,
    /// A checksum of all inputs of the cell's runs, except for the seed.
    pub(super) key: String,
    /// A checksum of all inputs of the runs without an attack, except for the seed.
    pub(super) baseline_key: String,
    /// The chosen values, except for the policy's values.
    pub(super) point: Arc<Node>,
    pub(super) policy_node: Node,
}

/// The common settings of all policies.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    pub(super) processor: Processor,
    pub(super) innocent: Arc<InnocentTraffic>,
    /// The rate of the innocent traffic in bits per second.
    pub(super) innocent_bps: u64,
    /// The number of innocent packets that arrive in the counted time.
    pub(super) packets: u64,
    /// The number of innocent packets that arrive before the counted time.
    pub(super) warmup: u64,
    pub(super) attacker: Arc<Attacker>,
    /// The rate of the attack in bits per second.
    pub(super) attack_bps: u64,
    /// The limits of a search.
    pub(super) search: SearchOptions,
}

/// The processor of packets.
#[derive(Debug, Clone)]
pub(super) struct Processor {
    /// The number of servers; each processes one packet at a time.
    pub(super) servers: usize,
    /// Servers for suspected packets alone.
    pub(super) aside: Option<SetAside>,
    /// The buffer of policies that have none of their own.
    pub(super) buffer: Option<BufferSize>,
    /// The method by which the scheduler estimates the work of a job.
    pub(super) estimator: Estimator,
    /// The name in results of the estimates that policies get.
    pub(super) estimate: &'static str,
    /// The rate that innocent traffic and attack may send together, in bits per second.
    pub(super) link_bps: Option<u64>,
    /// The turns of a job, if jobs are processed in turns.
    pub(super) turns: Option<Turns>,
}

/// Innocent packets, at any rate.
#[derive(Debug, Clone)]
pub(super) struct InnocentTraffic {
    pub(super) innocent: Innocent,
    /// The name of the application that makes the jobs, if they are not drawn.
    pub(super) application: Option<&'static str>,
    /// The name of the gaps in scenarios and results.
    pub(super) gaps: &'static str,
    pub(super) flows: u32,
    /// The jobs from which attacks are computed.
    pub(super) sample: Vec<Job>,
}

/// The attacker, at any rate.
#[derive(Debug, Clone)]
pub(super) struct Attacker {
    /// The limits of the packets that are sent.
    pub(super) limits: Limits,
    /// The limits of the packets that a search may send.
    pub(super) searched: Limits,
    pub(super) sends: Sends,
    pub(super) timing: Timing,
}

/// Limits of the packets of an attacker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The smallest packet in bytes.
    pub(super) min_bytes: u32,
    /// The largest job.
    pub(super) max_work: Duration,
}

/// The packets that the attacker sends.
#[derive(Debug, Clone)]
pub(super) enum Sends {
    /// The best attack against each policy.
    Optimal,
    /// These kinds of packets.
    Given(Vec<Strategy>),
    /// Packets that an application processes like innocent ones, in a state that depends on the packets that are served.
    Inputs(OwnAttack),
}

impl Cell {
    /// Creates the element in which packets wait.
    pub(super) fn element(&self, seed: Seed) -> Result<Box<dyn Element>> {
        let element = self.policy.discipline.element(seed, Sinks::new())?;
        match &self.below {
            Some(below) => below.element(element, seed),
            None => Ok(element),
        }
    }

    /// Returns the policy's analysis, if the source has one: for one policy, in one queue, before a processor that does jobs without
    /// interruption.
    pub(super) fn analysed(&self) -> Option<Analysed> {
        let Processor { turns, aside, .. } = &self.setting.processor;
        let is_plain = self.below.is_none() && turns.is_none() && aside.is_none();
        is_plain.then(|| Analysed::of(&self.policy.discipline)).flatten()
    }

    /// Returns the scenario of this cell alone.
    pub(super) fn document(&self) -> Node {
        let mut document = (*self.point).clone();
        document.put(&["policy"], Value::Array(vec![self.policy_node.clone()]));
        document
    }
}

impl AttackScenario {
    /// Returns the root of all random numbers.
    pub fn seed(&self) -> Seed {
        self.said.seed
    }

    /// Returns the scenario as that of a file with this SHA-256.
    pub(crate) fn of_file(mut self, file_sha256: String) -> Self {
        self.said.file_sha256 = file_sha256;
        self
    }

    /// Returns the root of the random numbers of a repetition, which is the same for every policy and attack.
    pub(super) fn seed_of(&self, repetition: u64) -> Seed {
        self.said.seed.part(&format!("attack/repetition/{repetition}"))
    }

    /// Iterates over groups of cells that differ only in the attack rate.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[Cell]> {
        let place = |cell: &Cell| (cell.policy.name.clone(), without_rate(&cell.axes, self.rate_axis.as_deref()));
        self.cells.chunk_by(move |a, b| place(a) == place(b))
    }
}

/// Returns the axes of a cell except for the axis of attack rates.
pub(super) fn without_rate(axes: &[(String, AxisValue)], rate_axis: Option<&str>) -> Vec<(String, AxisValue)> {
    axes.iter().filter(|(name, _)| Some(name.as_str()) != rate_axis).cloned().collect()
}

impl Setting {
    /// Returns whether an application processes innocent and attack packets live, so that its state depends on the packets that are served.
    pub(super) fn is_live(&self) -> bool {
        matches!(self.attacker.sends, Sends::Inputs(_))
    }

    /// Returns the knowledge of an attacker that sends at this rate.
    pub(super) fn known(&self, limits: Limits, attack_bps: u64) -> optimal::Setting<'_> {
        optimal::Setting {
            sample: &self.innocent.sample,
            innocent_bps: self.innocent_bps as f64,
            attack_bps: attack_bps as f64,
            min_bytes: limits.min_bytes,
            max_work: limits.max_work,
            servers: self.processor.servers,
        }
    }

    /// Returns the terms of the bounds.
    pub(super) fn terms(&self, limits: Limits) -> Terms {
        Terms {
            means: self.innocent.innocent.means(),
            innocent_bps: self.innocent_bps as f64,
            min_bytes: limits.min_bytes,
            max_work: limits.max_work,
            servers: self.processor.servers,
        }
    }

    /// Returns the time in which `packets` innocent packets arrive.
    pub(super) fn time_of(&self, packets: u64) -> Duration {
        Duration::from_secs_f64(packets as f64 * self.innocent.innocent.means().size_bits / self.innocent_bps as f64)
    }

    /// Returns the rate of innocent traffic that the processor can serve, in bits per second.
    pub(super) fn capacity_bps(&self) -> f64 {
        self.innocent.innocent.means().capacity_bps(self.processor.servers)
    }
}
