//! The result of one run. It is kept as JSON, read again, and combined into a report.

use super::plan::Found;
use forebay_sim::attack::applications::Watched;
use serde::{Deserialize, Serialize};

/// Bits per second in results.
pub(super) const GBPS: f64 = 1e9;

/// The results of the attacks on a policy, and without an attack, with the packets of one repetition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunResult {
    pub(super) innocent_gbps: f64,
    pub(super) attack_bps: f64,
    /// Innocent work over what the servers can do.
    pub(super) load: f64,
    /// The largest displacement that is possible, where the source proves one.
    pub(super) bound: Option<f64>,
    /// What to expect where there is none.
    pub(super) predicted: Option<f64>,
    /// Innocent bits per second of packets whose work was done, without an attack.
    pub(super) baseline_bps: f64,
    /// Share of innocent packets that were suspected without an attack, where servers are set aside.
    pub(super) baseline_suspected: Option<f64>,
    /// What an application did without an attack that works live.
    pub(super) baseline_application: Option<Limits>,
    /// One of them is the most harmful.
    pub(super) attacks: Vec<Harm>,
}

/// What an attack does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Harm {
    pub(super) strategy: Found,
    /// Of an attack with one kind of packets.
    pub(super) packet_bytes: Option<u32>,
    pub(super) job_ns: Option<f64>,
    /// Innocent bits per second of packets whose work was done.
    pub(super) goodput_bps: f64,
    /// Share of the attack's bits that were served.
    pub(super) served: Option<f64>,
    /// Share of the work that the attack's packets took.
    pub(super) work_share: Option<f64>,
    /// Shares of the innocent packets and of the attack's that were suspected, where servers are set aside.
    pub(super) suspected: Option<[Option<f64>; 2]>,
    /// What innocent packets met.
    pub(super) innocents: InnocentPackets,
    /// What an application did that works live.
    pub(super) application: Option<Limits>,
}

/// What the limits of an application did to innocents, and what it held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Limits {
    /// Innocent flows that it reset.
    pub(crate) innocent_flows_reset: u64,
    /// The most bytes that it held.
    pub(crate) held_bytes: u64,
}

impl Limits {
    pub(super) fn of(watched: Watched) -> Self {
        let Watched { innocent_flows_reset, held_bytes } = watched;
        Self { innocent_flows_reset, held_bytes }
    }
}

/// What innocent packets met under an attack.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct InnocentPackets {
    /// Nanoseconds until their work began: mean and 99th percentile.
    pub(crate) waits: Option<[f64; 2]>,
    /// Their mean wait over that without an attack.
    pub(crate) wait_factor: Option<f64>,
    /// Share of them whose work was done after that of a later packet of their flow.
    pub(crate) reordered: Option<f64>,
}

/// Shares of packets that were suspected, where servers are set aside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Suspected {
    pub(crate) innocent: Option<f64>,
    pub(crate) attack: Option<f64>,
    /// Of innocent packets, without an attack.
    pub(crate) baseline: Option<f64>,
}

/// A run under one of its attacks, in bits per second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attacked {
    pub(crate) baseline_bps: f64,
    pub(crate) goodput_bps: f64,
    pub(crate) attack_bps: f64,
    /// Share of the attack's bits that were served.
    pub(crate) served: Option<f64>,
    /// Share of the work that the attack's packets took.
    pub(crate) work_share: Option<f64>,
    /// Shares of packets that were suspected, where servers are set aside.
    pub(crate) suspected: Suspected,
    pub(crate) innocents: InnocentPackets,
    /// What an application did that works live, and what it did without an attack.
    pub(crate) application: Option<[Limits; 2]>,
    /// The largest displacement that is possible, where the source proves one.
    pub(crate) bound: Option<f64>,
    /// What to expect where there is none.
    pub(crate) predicted: Option<f64>,
}

impl RunResult {
    /// Under the attack of this number.
    pub(super) fn attacked(&self, number: usize) -> Option<Attacked> {
        let Harm { goodput_bps, served, work_share, suspected, innocents, application, .. } =
            *self.attacks.get(number)?;
        let Self { baseline_bps, attack_bps, bound, predicted, baseline_application, baseline_suspected, .. } = *self;
        let [innocent, attack] = suspected.unwrap_or_default();
        let application = application.zip(baseline_application).map(|(attacked, without)| [attacked, without]);
        Some(Attacked {
            baseline_bps,
            goodput_bps,
            attack_bps,
            served,
            work_share,
            suspected: Suspected { innocent, attack, baseline: baseline_suspected },
            innocents,
            application,
            bound,
            predicted,
        })
    }
}

impl Attacked {
    /// Innocent bits that are lost for each bit of the attacker. Chance does the same to both, so this is of the attack alone.
    pub(crate) fn displacement(&self) -> f64 {
        (self.baseline_bps - self.goodput_bps) / self.attack_bps
    }
}
