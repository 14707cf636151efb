//! The result of one run. It is kept as JSON, read again, and combined into a report.

use super::plan::Found;
use forebay_sim::attack::applications::Watched;
use serde::{Deserialize, Serialize};

/// The bits per second in one unit of a rate in results.
pub(super) const GBPS: f64 = 1e9;

/// The results of one repetition of a cell: under each attack, and without an attack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunResult {
    pub(super) innocent_gbps: f64,
    pub(super) attack_bps: f64,
    /// The innocent work over the work that the servers can do.
    pub(super) load: f64,
    /// The largest possible displacement, if the source proves one.
    pub(super) bound: Option<f64>,
    /// The expected displacement, if there is no bound.
    pub(super) predicted: Option<f64>,
    /// The innocent bits per second of packets whose work was done, without an attack.
    pub(super) baseline_bps: f64,
    /// The share of innocent packets that were suspected without an attack, if servers are set aside.
    pub(super) baseline_suspected: Option<f64>,
    /// The actions of a live application without an attack.
    pub(super) baseline_application: Option<Limits>,
    /// The candidate attacks, of which one is the most harmful.
    pub(super) attacks: Vec<Harm>,
}

/// The harm of one attack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Harm {
    pub(super) strategy: Found,
    /// The size of the attack's packets, if they are all of one kind.
    pub(super) packet_bytes: Option<u32>,
    pub(super) job_ns: Option<f64>,
    /// The innocent bits per second of packets whose work was done.
    pub(super) goodput_bps: f64,
    /// The share of the attack's bits that were served.
    pub(super) served: Option<f64>,
    /// The share of the work that was spent on the attack's packets.
    pub(super) work_share: Option<f64>,
    /// The shares of innocent packets and of attack packets that were suspected, if servers are set aside.
    pub(super) suspected: Option<[Option<f64>; 2]>,
    /// The waits and the reordering of innocent packets.
    pub(super) innocents: InnocentPackets,
    /// The actions of a live application.
    pub(super) application: Option<Limits>,
}

/// The innocent flows that the limits of an application hit, and the memory that it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Limits {
    /// The number of innocent flows that the application reset.
    pub(crate) innocent_flows_reset: u64,
    /// The largest number of bytes that the application held.
    pub(crate) held_bytes: u64,
}

impl Limits {
    pub(super) fn of(watched: Watched) -> Self {
        let Watched { innocent_flows_reset, held_bytes } = watched;
        Self { innocent_flows_reset, held_bytes }
    }
}

/// The waits and the reordering of innocent packets under an attack.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct InnocentPackets {
    /// The nanoseconds from arrival to the start of work: mean and 99th percentile.
    pub(crate) waits: Option<[f64; 2]>,
    /// The mean wait over the mean wait without an attack.
    pub(crate) wait_factor: Option<f64>,
    /// The share of innocent packets whose work was done after that of a later packet of their flow.
    pub(crate) reordered: Option<f64>,
}

/// The shares of packets that were suspected, if servers are set aside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Suspected {
    pub(crate) innocent: Option<f64>,
    pub(crate) attack: Option<f64>,
    /// The share of innocent packets that were suspected without an attack.
    pub(crate) baseline: Option<f64>,
}

/// A run under one of its attacks, in bits per second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attacked {
    pub(crate) baseline_bps: f64,
    pub(crate) goodput_bps: f64,
    pub(crate) attack_bps: f64,
    /// The share of the attack's bits that were served.
    pub(crate) served: Option<f64>,
    /// The share of the work that was spent on the attack's packets.
    pub(crate) work_share: Option<f64>,
    /// The shares of packets that were suspected, if servers are set aside.
    pub(crate) suspected: Suspected,
    pub(crate) innocents: InnocentPackets,
    /// The actions of a live application under the attack, and without it.
    pub(crate) application: Option<[Limits; 2]>,
    /// The largest possible displacement, if the source proves one.
    pub(crate) bound: Option<f64>,
    /// The expected displacement, if there is no bound.
    pub(crate) predicted: Option<f64>,
}

impl RunResult {
    /// Returns the run under attack number `number`.
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
    /// Returns the innocent bits that are lost for each bit of the attacker. Chance affects the runs with and without an attack alike, so
    /// only the attack changes this number.
    pub(crate) fn displacement(&self) -> f64 {
        (self.baseline_bps - self.goodput_bps) / self.attack_bps
    }
}
