//! The result of one run. It is kept as JSON, read again, and combined into a report.
//!
//! Names and units are documented in `docs/result.md`; tools are built on them.

use super::by_rank::RankNumbers;
use super::run_evidence::Seen;
use forebay_core::{ClassId, Counter};
use forebay_sim::probes::{ClassTraffic, Delay, InversionCount, QueueLengthSeries};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The parts of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// The policy's rank function.
    pub rank: String,
    /// The policy's queue.
    pub queue: String,
    /// The parameters of the queue, with optimal bounds as numbers; for a policy in OpenQueue its file and its constants.
    pub parameters: BTreeMap<String, Value>,
    /// The policy's drop rule.
    pub drop: String,
    /// The mark rule, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mark: Option<String>,
    /// The pace rule, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pace: Option<String>,
    /// The buffer; `null` for a policy in OpenQueue, which states it itself.
    pub buffer: Option<String>,
    /// The unit of ranks in the queue, as a scenario gives it.
    pub rank_unit: Value,
}

/// The result of one policy in one repetition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// The parts of the policy.
    #[serde(flatten)]
    pub parts: Parts,
    /// Whether the run was completed. It is false if the run was interrupted, or the clock reached its end; the numbers end there.
    pub complete: bool,
    /// Whether the clock reached its end.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub clock_ended: bool,
    /// The time of the last event.
    pub end_ns: f64,
    /// Bits that arrived over the bits that the link could have sent until the end.
    pub offered_load: f64,
    /// Bits sent over the bits that the link could have sent until the end.
    pub utilisation: f64,
    /// The number of packets that waited, mean over time.
    pub mean_queue_packets: f64,
    /// The largest number of packets that waited at a time.
    pub max_queue_packets: u64,
    /// The counts of all packets.
    #[serde(flatten)]
    pub counts: Counts,
    /// Counters of the discipline itself, by name.
    pub counters: BTreeMap<String, u64>,
    /// A fingerprint of the departed packets and their times.
    pub departures: String,
    /// The report of a policy in OpenQueue.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub openqueue: Option<OpenQueueReport>,
    /// Packets by class.
    pub classes: Vec<ClassReport>,
    /// Counts for each rank, if packets carry drawn ranks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ranks: Option<RankNumbers>,
    /// The queue length over time; only in the first repetition.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub queue_length: Option<QueueLengthSeries>,
    /// Delays in nanoseconds at fixed quantiles, for plots only; only in the first repetition.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub delay_curve: Vec<f64>,
    /// Evidence of the run for its plausibility.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seen: Option<Seen>,
}

/// The report of a policy in OpenQueue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenQueueReport {
    /// The policy file.
    pub file: String,
    /// The engine that ran it.
    pub engine: String,
    /// The number of links on which packets departed.
    pub links: usize,
    /// Constants and their values, in the order of the file.
    pub params: Vec<ParamReport>,
    /// Planned changes, in order of time.
    pub changes: Vec<ChangeReport>,
}

/// A constant of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParamReport {
    /// The constant's name.
    pub name: String,
    /// The constant's value.
    pub value: String,
}

/// A change of a policy under traffic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeReport {
    /// The planned time of the change, in nanoseconds.
    pub at_ns: f64,
    /// The policy file.
    pub file: String,
    /// The way in which waiting packets move to the new version.
    pub transition: String,
    /// The number of the new version; `null` if the change was rejected, or the run ended before its time.
    pub version: Option<u32>,
    /// The number of packets that waited at the change.
    pub packets_waiting: u64,
    /// The time at which the last of these packets had left; `null` if some are still there.
    pub last_left_ns: Option<f64>,
    /// The reason why the change was rejected.
    pub refused: Option<String>,
}

/// Counts of the packets of a class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassReport {
    /// The number of the class.
    pub class: u8,
    /// The name of the class.
    pub name: String,
    /// The counts of the class's packets.
    #[serde(flatten)]
    pub counts: Counts,
}

/// The numbers that are given for all packets and for each class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Packets that arrived.
    pub packets_in: u64,
    /// Packets that departed.
    pub packets_out: u64,
    /// Packets that were dropped or pushed out.
    pub packets_dropped: u64,
    /// Packets that still wait at the end.
    pub packets_queued: u64,
    /// Packets that were marked.
    pub packets_marked: u64,
    /// Bytes that arrived.
    pub bytes_in: u64,
    /// Bytes that departed.
    pub bytes_out: u64,
    /// Bytes that were dropped or pushed out.
    pub bytes_dropped: u64,
    /// Sum of the values of packets that arrived.
    pub value_in: u64,
    /// Sum of the values of packets that departed.
    pub value_out: u64,
    /// Sum of the values of packets that were dropped or pushed out.
    pub value_dropped: u64,
    /// Bits that departed per second.
    pub throughput_bps: f64,
    /// The time from arrival until the last bit is sent, in nanoseconds.
    pub delay_ns: Delay,
    /// The number of packets that departed while a packet of lower rank waited.
    pub inversions: u64,
    /// The number of waiting packets of lower rank, summed over all departures.
    pub overtaken: u64,
}

impl Counts {
    /// Computes the counts from those of the probes in `seconds`.
    pub(super) fn new(traffic: &ClassTraffic, inversions: InversionCount, seconds: f64) -> Self {
        Self {
            packets_in: traffic.packets_in,
            packets_out: traffic.packets_out,
            packets_dropped: traffic.packets_dropped,
            packets_queued: traffic.packets_queued(),
            packets_marked: traffic.packets_marked,
            bytes_in: traffic.bytes_in,
            bytes_out: traffic.bytes_out,
            bytes_dropped: traffic.bytes_dropped,
            value_in: traffic.value_in,
            value_out: traffic.value_out,
            value_dropped: traffic.value_dropped,
            throughput_bps: if seconds > 0.0 { traffic.bytes_out as f64 * 8.0 / seconds } else { 0.0 },
            delay_ns: traffic.delay(),
            inversions: inversions.inversions,
            overtaken: inversions.overtaken,
        }
    }

    /// Returns the dropped packets over the arrived ones.
    pub fn drop_share(&self) -> f64 {
        self.packets_dropped as f64 / self.packets_in.max(1) as f64
    }
}

impl ClassReport {
    /// Creates the report of a class with its usual name.
    pub(super) fn new(class: u8, counts: Counts) -> Self {
        Self { class, name: ClassId(class).to_string(), counts }
    }
}

/// Returns the counters of a discipline that are not zero.
pub(super) fn counters(counters: &[Counter]) -> BTreeMap<String, u64> {
    counters
        .iter()
        .filter(|counter| counter.value > 0)
        .map(|counter| (counter.name.to_owned(), counter.value))
        .collect()
}

/// Returns the points of the delay curve: close together at the tail.
pub(super) fn quantiles() -> impl Iterator<Item = f64> {
    (0..100).map(|percent| f64::from(percent) / 100.0).chain((0..=10).map(|tenth| 0.99 + f64::from(tenth) / 1000.0))
}
