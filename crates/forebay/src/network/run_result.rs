//! The result of one run of a network. It is kept as JSON, read again, and combined into a report.
//!
//! Times are nanoseconds, rates bits per second. Everything but [`RunResult::drops`], `packets_*`, `packet_hops`, `events`
//! and `counters` is about the counted window alone: flows that start in it, and what ports count in it.

use super::lateness::LatenessPlan;
use super::state_result::StateResult;
use crate::statistics::Settled;
use forebay_core::{Duration, Rate, Time};
use forebay_sim::net::Sampling;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the measurement of a run must know besides its outcome.
#[derive(Debug, Clone)]
pub(super) struct MeasureContext {
    /// In the order of the graph.
    pub links: Vec<LinkContext>,
    /// Flows count that start from here on…
    pub counted_from: Time,
    /// …and before this; [`Time::MAX`] if all do.
    pub counted_until: Time,
    pub completion: Completion,
    /// Limits of the size classes in bytes, rising: a class is below its limit, the last one has none.
    pub size_classes: Vec<u64>,
    /// In the order of [`FlowSpec::workload`](forebay_sim::net::FlowSpec::workload).
    pub workloads: Vec<WorkloadContext>,
    /// Of all hosts, by number.
    pub host_names: Vec<String>,
    /// The rate at which all hosts together can send.
    pub access_bps: u64,
    /// The samples, if there are any.
    pub sampling: Option<Sampling>,
    /// The load that the scenario asks for, in the same units as [`RunResult::offered_load`], if it does.
    pub asked_load: Option<f64>,
    /// Whether the same kind of flows starts all the time, and the network stays as it is.
    pub is_steady: bool,
}

/// A directed link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LinkContext {
    /// As `leaf0>spine1`.
    pub name: String,
    pub rate: Rate,
    pub propagation: Duration,
    /// Whether a switch sends on it.
    pub from_switch: bool,
    /// Whether it leads to a host.
    pub to_host: bool,
}

/// A workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WorkloadContext {
    pub name: String,
    /// Bytes on the wire of a full segment and of one without data: what the transport says.
    pub segment_bytes: (u32, u32),
    /// Whether senders learn that a flow is complete. Where they do not, [`Completion::Received`] holds.
    pub acknowledges: bool,
    /// The workload ends with this flow, if it comes to that before its time is over.
    pub most_flows: Option<u64>,
    /// How late its packets may be.
    pub lateness: Option<LatenessPlan>,
}

/// When a flow is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Completion {
    /// When the receiver has every byte.
    Received,
    /// When the sender knows that.
    Acknowledged,
}

/// Everything that one run reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunResult {
    /// Why it ended.
    pub ended: Ended,
    /// The time of the last event, or the end that was asked for.
    pub end_ns: f64,
    /// How long ports were counted: from the end of the warm-up to the end of the counted window, or of the run.
    pub counted_ns: f64,
    pub hosts: u64,
    /// The rate at which all hosts together can send.
    pub access_bps: u64,
    /// All flows that started, counted or not.
    pub flows_started: u64,
    /// Flows that count; `completed`, `unfinished` and `endless` add up to it.
    pub flows: u64,
    pub completed: u64,
    /// Were still going on when the run ended.
    pub unfinished: u64,
    /// Were never to end.
    pub endless: u64,
    /// Bits that counted flows need on the wire, headers included, nothing sent twice, over what access links can send while
    /// flows start. [`None`] if there is no such time, or if no flow is ever to end. Endless flows are left out.
    pub offered_load: Option<f64>,
    /// The load that the scenario asks for, if it does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub asked_load: Option<f64>,
    /// By which share of itself chance moves the offered load, as the sizes of its flows say: a standard deviation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub load_deviation: Option<f64>,
    /// When flows had settled, where the same kind of flows starts all the time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub settled: Option<Settled>,
    /// Bits of applications in counted flows that were completed, per second of the same time; [`None`] as above.
    pub goodput_bps: Option<f64>,
    /// Bits on the wire that went to hosts, per second of `counted_ns`.
    pub delivered_bps: Option<f64>,
    /// Counts of senders of counted flows.
    pub senders: SenderCounts,
    /// Counts of ports of switches.
    pub switches: PortSums,
    /// Counts of network cards of hosts.
    pub cards: PortSums,
    /// The link of a switch that sent for the greatest share of the time; [`None`] without switches or time.
    pub busiest: Option<NamedShare>,
    /// The port of a switch where most bytes waited at a time.
    pub longest_queue: Option<NamedBytes>,
    /// Over the whole run, by cause.
    pub drops: DropCounts,
    /// Packets that endpoints have sent, over the whole run.
    pub packets_injected: u64,
    /// Packets that have arrived at a host, over the whole run.
    pub packets_delivered: u64,
    /// Packets that waited or were on a link when the run ended.
    pub packets_in_network: u64,
    /// Packets sent over a link, those over several counted on each, over the whole run.
    pub packet_hops: u64,
    /// Events of the simulation.
    pub events: u64,
    /// Counters of everything that stands at ports, added up; those that are not zero.
    pub counters: BTreeMap<String, u64>,
    /// All flows, then each size class; where there are several workloads, the same for each.
    pub groups: Vec<GroupResult>,
    /// At each link where they were to be counted, over the whole run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inversions: Vec<LinkInversions>,
    /// Of each `[[state]]`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub states: Vec<StateResult>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub series: Option<SeriesResult>,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// No flow was left.
    Finished,
    /// Flows were left, but nothing was to happen any more.
    Stalled,
    /// It reached the end that was asked for.
    TimeIsUp,
    /// It was interrupted.
    Stopped,
}

/// What senders did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct SenderCounts {
    pub data_segments: u64,
    pub retransmissions: u64,
    pub timeouts: u64,
    pub handshake_timeouts: u64,
    pub fast_retransmits: u64,
}

/// What several ports did.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct PortSums {
    pub packets_offered: u64,
    pub packets_sent: u64,
    pub bytes_sent: u64,
    /// The discipline dropped them or pushed them out.
    pub packets_dropped: u64,
    /// There was no shared memory left.
    pub packets_dropped_shared: u64,
    /// The link had failed, or loses packets.
    pub packets_lost: u64,
    /// They reached a switch without a route.
    pub packets_no_route: u64,
    pub packets_marked: u64,
    /// Mean share of the time that they sent.
    pub utilisation: Option<f64>,
    /// Mean of the bytes that waited at each.
    pub mean_queue_bytes: Option<f64>,
}

impl RunResult {
    /// Packets that switches dropped because they knew no way on.
    pub(crate) fn dropped_no_route(&self) -> u64 {
        self.switches.packets_no_route + self.cards.packets_no_route
    }

    /// Packets that were to wait for a state in a switch, and found no room.
    pub(crate) fn dropped_state(&self) -> u64 {
        self.states.iter().map(|state| state.dropped).sum()
    }

    /// Packets that did not arrive.
    pub(crate) fn dropped(&self) -> u64 {
        self.switches.drops() + self.cards.drops() + self.dropped_no_route() + self.dropped_state()
    }
}

impl PortSums {
    /// Packets that did not leave or did not arrive at the other end of the link.
    pub(crate) fn drops(&self) -> u64 {
        self.packets_dropped + self.packets_dropped_shared + self.packets_lost
    }
}

/// A share at a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedShare {
    pub link: String,
    pub utilisation: f64,
}

/// Inversions at a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkInversions {
    pub link: String,
    /// Packets that left while one of lower rank waited.
    pub inversions: u64,
    /// Packets of lower rank that they left behind.
    pub overtaken: u64,
    pub by_rank: RankCounts,
}

/// Packets that left a link, by rank, in bins of equal width from rank 0 on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankCounts {
    /// Ranks in a bin: a power of two.
    pub bin_width: u64,
    /// Packets that left, in each bin up to that of the greatest rank.
    pub packets_out: Vec<u64>,
    /// Packets that departed while one of lower rank waited.
    pub inversions: Vec<u64>,
}

/// Bytes at a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedBytes {
    pub link: String,
    pub bytes: u64,
}

/// Packets that did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct DropCounts {
    pub discipline: u64,
    pub shared_buffer: u64,
    pub on_link: u64,
    pub link_down: u64,
    pub no_route: u64,
    /// They were to wait for a state, and there was no room.
    #[serde(default)]
    pub state: u64,
}

/// Flows of a workload and a size class, or of all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct GroupResult {
    /// [`None`]: all workloads.
    pub workload: Option<String>,
    /// [`None`]: all sizes.
    pub sizes: Option<SizeClass>,
    pub flows: u64,
    pub completed: u64,
    pub unfinished: u64,
    pub endless: u64,
    /// Bytes of applications, of flows that end.
    pub bytes: u64,
    pub bytes_completed: u64,
    /// Jain's index over the goodput of all flows.
    pub fairness: Option<f64>,
    /// Share of the flows with a deadline that missed it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub deadlines_missed: Option<f64>,
    /// Flow completion times of completed flows.
    pub fct_ns: Spread,
    /// Lower bounds of these with unfinished flows among them, as if these had been complete at the end of the run.
    pub fct_at_least_ns: AtLeast,
    /// Flow completion times of completed flows over those of the same flows alone, for those that had a way when they
    /// started.
    pub slowdown: Spread,
}

/// Sizes of flows in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeClass {
    /// As `100 KB to 1 MB`.
    pub name: String,
    pub from_bytes: u64,
    /// Not this any more.
    pub below_bytes: Option<u64>,
}

/// How values are spread. Percentiles are values that occurred: the least that is not below so many of all (nearest rank).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Spread {
    /// How many there are.
    pub count: u64,
    pub mean: Option<f64>,
    pub p50: Option<f64>,
    pub p90: Option<f64>,
    pub p99: Option<f64>,
    pub p999: Option<f64>,
    pub max: Option<f64>,
    /// At each of [`quantiles`](super::measure::quantiles); nothing if there are no values, or this group has no curve.
    pub curve: Vec<f64>,
}

/// Lower bounds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct AtLeast {
    pub mean: Option<f64>,
    pub p99: Option<f64>,
}

/// The samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesResult {
    pub times_ns: Vec<f64>,
    pub queues: Vec<QueueSeries>,
    pub windows: Vec<WindowSeries>,
    pub received: Vec<ReceivedSeries>,
}

/// Bytes that waited, at each time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueSeries {
    pub link: String,
    pub bytes: Vec<u64>,
}

/// The window of a sender, at each time; [`None`] while it has none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WindowSeries {
    pub flow: u32,
    pub bytes: Vec<Option<u64>>,
}

/// Bytes that the receiver of a flow has, at each time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceivedSeries {
    pub flow: u32,
    pub bytes: Vec<u64>,
}

#[cfg(test)]
impl RunResult {
    /// The flows of all workloads in a size class, from 0; of all sizes for [`None`].
    pub(crate) fn group(&self, size_class: Option<usize>) -> Option<&GroupResult> {
        let of_all = || self.groups.iter().filter(|group| group.workload.is_none());
        match size_class {
            None => of_all().find(|group| group.sizes.is_none()),
            Some(place) => of_all().filter(|group| group.sizes.is_some()).nth(place),
        }
    }
}
