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
    /// How often everything is run with other packets.
    pub(super) repetitions: u64,
    /// In the order of the report: those of one policy that differ in the attack's rate alone stand beside each other.
    pub(super) cells: Vec<Cell>,
    /// The name of the axis of attack rates, if they are swept.
    pub(super) rate_axis: Option<String>,
    /// Whom the other policies are compared with.
    pub(super) baseline: Option<String>,
    /// What a person should know before anything is run.
    pub(super) warnings: Vec<String>,
}

/// A policy with one value of each axis.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) axes: Vec<(String, AxisValue)>,
    pub(super) setting: Arc<Setting>,
    pub(super) policy: NamedPolicy<Plan>,
    /// What takes over below a watermark of goodput.
    pub(super) below: Option<Below>,
    /// Checksum of what its runs depend on, except for the seed.
    pub(super) key: String,
    /// The same of runs without an attack.
    pub(super) baseline_key: String,
    /// The values that were chosen, except for those of the policy.
    pub(super) point: Arc<Node>,
    pub(super) policy_node: Node,
}

/// The common settings of all policies.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    pub(super) processor: Processor,
    pub(super) innocent: Arc<InnocentTraffic>,
    /// Rate of the innocent traffic in bits per second.
    pub(super) innocent_bps: u64,
    /// Innocent packets that arrive in the counted time.
    pub(super) packets: u64,
    /// Innocent packets that arrive before.
    pub(super) warmup: u64,
    pub(super) attacker: Arc<Attacker>,
    /// Rate of the attack in bits per second.
    pub(super) attack_bps: u64,
    /// Limits of a search.
    pub(super) search: SearchOptions,
}

/// What works on packets.
#[derive(Debug, Clone)]
pub(super) struct Processor {
    /// Each works on one packet at a time.
    pub(super) servers: usize,
    /// Servers for suspected packets alone.
    pub(super) aside: Option<SetAside>,
    /// Of policies that have none of their own.
    pub(super) buffer: Option<BufferSize>,
    /// How the scheduler estimates the work of a job.
    pub(super) estimator: Estimator,
    /// The name that results give to what policies know of jobs.
    pub(super) estimate: &'static str,
    /// What innocents and attacker may send together, in bits per second.
    pub(super) link_bps: Option<u64>,
    /// If jobs are worked on in turns.
    pub(super) turns: Option<Turns>,
}

/// Innocent packets, at any rate.
#[derive(Debug, Clone)]
pub(super) struct InnocentTraffic {
    pub(super) innocent: Innocent,
    /// What makes their jobs, if they are not drawn: its name.
    pub(super) application: Option<&'static str>,
    /// How scenarios and results call the gaps.
    pub(super) gaps: &'static str,
    pub(super) flows: u32,
    /// Jobs from which attacks are computed.
    pub(super) sample: Vec<Job>,
}

/// Who attacks, at any rate.
#[derive(Debug, Clone)]
pub(super) struct Attacker {
    /// Of what is sent.
    pub(super) limits: Limits,
    /// Of what a search may send.
    pub(super) searched: Limits,
    pub(super) sends: Sends,
    pub(super) timing: Timing,
}

/// Limits of the packets of an attacker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Least packet in bytes.
    pub(super) min_bytes: u32,
    /// Largest job.
    pub(super) max_work: Duration,
}

/// What is sent.
#[derive(Debug, Clone)]
pub(super) enum Sends {
    /// What is best against each policy.
    Optimal,
    /// These kinds of packets.
    Given(Vec<Strategy>),
    /// What an application works on like on innocent packets, in a state that is that of what is really served of both.
    Inputs(OwnAttack),
}

impl Cell {
    /// What packets wait in.
    pub(super) fn element(&self, seed: Seed) -> Result<Box<dyn Element>> {
        let element = self.policy.discipline.element(seed, Sinks::new())?;
        match &self.below {
            Some(below) => below.element(element, seed),
            None => Ok(element),
        }
    }

    /// Whether the source analyses it: one policy, before a processor that does jobs in one go, in one queue.
    pub(super) fn analysed(&self) -> Option<Analysed> {
        let Processor { turns, aside, .. } = &self.setting.processor;
        let is_plain = self.below.is_none() && turns.is_none() && aside.is_none();
        is_plain.then(|| Analysed::of(&self.policy.discipline)).flatten()
    }

    /// The scenario of this cell alone.
    pub(super) fn document(&self) -> Node {
        let mut document = (*self.point).clone();
        document.put(&["policy"], Value::Array(vec![self.policy_node.clone()]));
        document
    }
}

impl AttackScenario {
    /// Root of all random numbers.
    pub fn seed(&self) -> Seed {
        self.said.seed
    }

    /// The same, of a file with this SHA-256.
    pub(crate) fn of_file(mut self, file_sha256: String) -> Self {
        self.said.file_sha256 = file_sha256;
        self
    }

    /// Root of the random numbers of a repetition, the same for every policy and attack.
    pub(super) fn seed_of(&self, repetition: u64) -> Seed {
        self.said.seed.part(&format!("attack/repetition/{repetition}"))
    }

    /// Cells that differ in the attack's rate alone.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[Cell]> {
        let place = |cell: &Cell| (cell.policy.name.clone(), without_rate(&cell.axes, self.rate_axis.as_deref()));
        self.cells.chunk_by(move |a, b| place(a) == place(b))
    }
}

/// The axes of a cell except for that of attack rates.
pub(super) fn without_rate(axes: &[(String, AxisValue)], rate_axis: Option<&str>) -> Vec<(String, AxisValue)> {
    axes.iter().filter(|(name, _)| Some(name.as_str()) != rate_axis).cloned().collect()
}

impl Setting {
    /// Whether an application works on innocent and attack packets, in a state that is that of what is really served.
    pub(super) fn is_live(&self) -> bool {
        matches!(self.attacker.sends, Sends::Inputs(_))
    }

    /// The knowledge of an attacker that sends at this rate.
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

    /// What bounds are made of.
    pub(super) fn terms(&self, limits: Limits) -> Terms {
        Terms {
            means: self.innocent.innocent.means(),
            innocent_bps: self.innocent_bps as f64,
            min_bytes: limits.min_bytes,
            max_work: limits.max_work,
            servers: self.processor.servers,
        }
    }

    /// How long so many innocent packets take to arrive.
    pub(super) fn time_of(&self, packets: u64) -> Duration {
        Duration::from_secs_f64(packets as f64 * self.innocent.innocent.means().size_bits / self.innocent_bps as f64)
    }

    /// Innocent traffic that the processor can do, in bits per second.
    pub(super) fn capacity_bps(&self) -> f64 {
        self.innocent.innocent.means().capacity_bps(self.processor.servers)
    }
}
