//! The result of one run of a network. It is kept as JSON, read again, and combined into a report.
//!
//! Times are nanoseconds, rates bits per second. Everything except [`RunResult::drops`], `packets_*`, `packet_hops`, `events` and
//! `counters` is about the counted window alone: flows that start in it, and the counts of ports in it.

use super::lateness::LatenessPlan;
use super::state_result::StateResult;
use crate::statistics::Settled;
use forebay_core::{Duration, Rate, Time};
use forebay_sim::net::Sampling;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The facts that the measurement of a run needs besides the run's outcome.
#[derive(Debug, Clone)]
pub(super) struct MeasureContext {
    /// The links in the order of the graph.
    pub links: Vec<LinkContext>,
    /// The earliest start of a flow that is counted.
    pub counted_from: Time,
    /// The end of the counted starts, exclusive; [`Time::MAX`] if there is none.
    pub counted_until: Time,
    pub completion: Completion,
    /// The upper limits of the size classes in bytes, rising; sizes of a class are below its limit, and the last class has none.
    pub size_classes: Vec<u64>,
    /// The workloads in the order of [`FlowSpec::workload`](forebay_sim::net::FlowSpec::workload).
    pub workloads: Vec<WorkloadContext>,
    /// The names of all hosts, by number.
    pub host_names: Vec<String>,
    /// The rate at which all hosts together can send.
    pub access_bps: u64,
    /// The samples, if there are any.
    pub sampling: Option<Sampling>,
    /// The load that the scenario asks for, if any, in the same units as [`RunResult::offered_load`].
    pub asked_load: Option<f64>,
    /// Whether the same kind of flows starts all the time, and the network does not change.
    pub is_steady: bool,
}

/// A directed link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LinkContext {
    /// The link's name, such as `leaf0>spine1`.
    pub name: String,
    pub rate: Rate,
    pub propagation: Duration,
    /// Whether a switch sends on the link.
    pub from_switch: bool,
    /// Whether the link leads to a host.
    pub to_host: bool,
}

/// A workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WorkloadContext {
    pub name: String,
    /// The bytes on the wire of a full segment and of a segment without data, as the transport defines them.
    pub segment_bytes: (u32, u32),
    /// Whether senders learn that a flow is complete. If not, [`Completion::Received`] applies.
    pub acknowledges: bool,
    /// The flow with which the workload ends, if this flow starts before the workload's time is over.
    pub most_flows: Option<u64>,
    /// The permitted lateness of the workload's packets.
    pub lateness: Option<LatenessPlan>,
}

/// The event at which a flow is complete.
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
    /// The reason why the run ended.
    pub ended: Ended,
    /// The time of the last event, or the end that was asked for.
    pub end_ns: f64,
    /// The time for which ports were counted: from the end of the warm-up to the end of the counted window, or of the run.
    pub counted_ns: f64,
    pub hosts: u64,
    /// The rate at which all hosts together can send.
    pub access_bps: u64,
    /// The number of flows that started, counted or not.
    pub flows_started: u64,
    /// The number of counted flows; `completed`, `unfinished` and `endless` add up to it.
    pub flows: u64,
    pub completed: u64,
    /// The number of counted flows that were not complete when the run ended.
    pub unfinished: u64,
    /// The number of counted flows that have no end.
    pub endless: u64,
    /// The bits that counted flows need on the wire, with headers and without retransmissions, over the bits that access links can send
    /// while flows start. [`None`] if there is no such time, or if every flow is endless. Endless flows are left out.
    pub offered_load: Option<f64>,
    /// The load that the scenario asks for, if it does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub asked_load: Option<f64>,
    /// The share by which chance moves the offered load, calculated from the sizes of its flows: a standard deviation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub load_deviation: Option<f64>,
    /// The time at which flows had settled, if the same kind of flows starts all the time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub settled: Option<Settled>,
    /// The bits of applications in counted flows that were completed, per second of the time while flows start; [`None`] as for
    /// `offered_load`.
    pub goodput_bps: Option<f64>,
    /// Bits on the wire that went to hosts, per second of `counted_ns`.
    pub delivered_bps: Option<f64>,
    /// The counts of senders of counted flows.
    pub senders: SenderCounts,
    /// The counts of ports of switches.
    pub switches: PortSums,
    /// The counts of network cards of hosts.
    pub cards: PortSums,
    /// The link of a switch that sent for the greatest share of the time; [`None`] without switches or time.
    pub busiest: Option<NamedShare>,
    /// The port of a switch that had the longest queue in bytes.
    pub longest_queue: Option<NamedBytes>,
    /// The drops over the whole run, by cause.
    pub drops: DropCounts,
    /// The number of packets that endpoints have sent, over the whole run.
    pub packets_injected: u64,
    /// The number of packets that have arrived at a host, over the whole run.
    pub packets_delivered: u64,
    /// The number of packets that waited or were on a link when the run ended.
    pub packets_in_network: u64,
    /// The number of transmissions over links, over the whole run. A packet counts once for each of its links.
    pub packet_hops: u64,
    /// The number of events of the simulation.
    pub events: u64,
    /// The sums of the counters of all policies at ports; zeros are left out.
    pub counters: BTreeMap<String, u64>,
    /// All flows, then each size class; if there are several workloads, then the same for each workload.
    pub groups: Vec<GroupResult>,
    /// The inversions at each link where they are counted, over the whole run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inversions: Vec<LinkInversions>,
    /// The states of each `[[state]]`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub states: Vec<StateResult>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub series: Option<SeriesResult>,
}

/// The reasons why a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// No flow was left.
    Finished,
    /// Flows were left, but nothing was to happen any more.
    Stalled,
    /// The run reached the end that was asked for.
    TimeIsUp,
    /// The run was interrupted.
    Stopped,
}

/// The counts of senders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct SenderCounts {
    pub data_segments: u64,
    pub retransmissions: u64,
    pub timeouts: u64,
    pub handshake_timeouts: u64,
    pub fast_retransmits: u64,
}

/// The counts of several ports.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct PortSums {
    pub packets_offered: u64,
    pub packets_sent: u64,
    pub bytes_sent: u64,
    /// The number of packets that the discipline dropped or pushed out.
    pub packets_dropped: u64,
    /// The number of packets that were dropped because no shared memory was left.
    pub packets_dropped_shared: u64,
    /// The number of packets that were lost because the link had failed or loses packets.
    pub packets_lost: u64,
    /// The number of packets that were dropped at a switch without a route.
    pub packets_no_route: u64,
    pub packets_marked: u64,
    /// The mean share of the time in which the ports sent.
    pub utilisation: Option<f64>,
    /// The mean of the bytes that waited at each port.
    pub mean_queue_bytes: Option<f64>,
}

impl RunResult {
    /// Returns the number of packets that switches dropped because they had no route.
    pub(crate) fn dropped_no_route(&self) -> u64 {
        self.switches.packets_no_route + self.cards.packets_no_route
    }

    /// Returns the number of packets that needed to wait for a state in a switch that had no room.
    pub(crate) fn dropped_state(&self) -> u64 {
        self.states.iter().map(|state| state.dropped).sum()
    }

    /// Returns the number of packets that did not arrive.
    pub(crate) fn dropped(&self) -> u64 {
        self.switches.drops() + self.cards.drops() + self.dropped_no_route() + self.dropped_state()
    }
}

impl PortSums {
    /// Returns the number of packets that did not depart, or did not reach the other end of the link.
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
    /// The number of packets that departed while a packet of lower rank waited.
    pub inversions: u64,
    /// The number of waiting packets of lower rank that these packets overtook.
    pub overtaken: u64,
    pub by_rank: RankCounts,
}

/// Packets that departed on a link, by rank, in bins of equal width from rank 0 on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankCounts {
    /// The number of ranks in a bin: a power of two.
    pub bin_width: u64,
    /// The number of departed packets, in each bin up to the bin of the greatest rank.
    pub packets_out: Vec<u64>,
    /// The number of packets that departed while a packet of lower rank waited.
    pub inversions: Vec<u64>,
}

/// Bytes at a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedBytes {
    pub link: String,
    pub bytes: u64,
}

/// Packets that did not arrive, by cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct DropCounts {
    pub discipline: u64,
    pub shared_buffer: u64,
    pub on_link: u64,
    pub link_down: u64,
    pub no_route: u64,
    /// The number of packets that needed to wait for a state and found no room.
    #[serde(default)]
    pub state: u64,
}

/// Flows of a workload and a size class, or all flows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct GroupResult {
    /// The workload; [`None`] for all.
    pub workload: Option<String>,
    /// The size class; [`None`] for all.
    pub sizes: Option<SizeClass>,
    pub flows: u64,
    pub completed: u64,
    pub unfinished: u64,
    pub endless: u64,
    /// The bytes of applications in flows that end.
    pub bytes: u64,
    pub bytes_completed: u64,
    /// Jain's index over the goodput of all flows.
    pub fairness: Option<f64>,
    /// Share of the flows with a deadline that missed it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub deadlines_missed: Option<f64>,
    /// Flow completion times of completed flows.
    pub fct_ns: Spread,
    /// Lower bounds of flow completion times that include unfinished flows, as if these had been complete at the end of the run.
    pub fct_at_least_ns: AtLeast,
    /// The flow completion times of completed flows over the completion times of the same flows alone, for flows that had a route when they
    /// started.
    pub slowdown: Spread,
}

/// Sizes of flows in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeClass {
    /// The name, such as `100 KB to 1 MB`.
    pub name: String,
    pub from_bytes: u64,
    /// The upper limit in bytes, exclusive.
    pub below_bytes: Option<u64>,
}

/// A distribution of values. A percentile is a value that occurred: the least that at least this share of all values does not exceed
/// (nearest rank).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Spread {
    /// The number of values.
    pub count: u64,
    pub mean: Option<f64>,
    pub p50: Option<f64>,
    pub p90: Option<f64>,
    pub p99: Option<f64>,
    pub p999: Option<f64>,
    pub max: Option<f64>,
    /// The values at the measured quantiles; empty if there are no values, or this group has no curve.
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

/// The queued bytes at each time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueSeries {
    pub link: String,
    pub bytes: Vec<u64>,
}

/// The window of a sender at each time; [`None`] while the sender has none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WindowSeries {
    pub flow: u32,
    pub bytes: Vec<Option<u64>>,
}

/// The bytes that the receiver of a flow has at each time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceivedSeries {
    pub flow: u32,
    pub bytes: Vec<u64>,
}

#[cfg(test)]
impl RunResult {
    /// Returns the flows of all workloads in a size class, from 0; of all sizes for [`None`].
    pub(crate) fn group(&self, size_class: Option<usize>) -> Option<&GroupResult> {
        let of_all = || self.groups.iter().filter(|group| group.workload.is_none());
        match size_class {
            None => of_all().find(|group| group.sizes.is_none()),
            Some(place) => of_all().filter(|group| group.sizes.is_some()).nth(place),
        }
    }
}
