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
    /// Its rank function.
    pub rank: String,
    /// Its queue.
    pub queue: String,
    /// The parameters given to the queue, bounds that are optimal as numbers; of a policy in OpenQueue its file and its constants.
    pub parameters: BTreeMap<String, Value>,
    /// Its drop rule.
    pub drop: String,
    /// The mark rule, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mark: Option<String>,
    /// The pace rule, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pace: Option<String>,
    /// Room for waiting packets; `null` for a policy in OpenQueue, which says it itself.
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
    /// False if the run was interrupted, or the clock reached its end; the numbers are then up to that point.
    pub complete: bool,
    /// Whether the clock reached its end.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub clock_ended: bool,
    /// When the last thing happened.
    pub end_ns: f64,
    /// Bits that arrived over the bits that the link could have sent until the end.
    pub offered_load: f64,
    /// Bits sent over the bits that the link could have sent until the end.
    pub utilisation: f64,
    /// Packets that waited, mean over time.
    pub mean_queue_packets: f64,
    /// Most packets that waited at a time.
    pub max_queue_packets: u64,
    /// All packets.
    #[serde(flatten)]
    pub counts: Counts,
    /// Counters of the discipline itself, by name.
    pub counters: BTreeMap<String, u64>,
    /// Fingerprint of what was sent and when.
    pub departures: String,
    /// Of a policy in OpenQueue.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub openqueue: Option<OpenQueueReport>,
    /// Packets by class.
    pub classes: Vec<ClassReport>,
    /// Counts for each rank, where packets carry drawn ranks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ranks: Option<RankNumbers>,
    /// The queue length over time; of the first repetition alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub queue_length: Option<QueueLengthSeries>,
    /// Delays in nanoseconds at fixed quantiles, for plots only; of the first repetition alone.
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
    /// Links that packets left on.
    pub links: usize,
    /// Constants and their values, in the order of the file.
    pub params: Vec<ParamReport>,
    /// Planned changes, in order of time.
    pub changes: Vec<ChangeReport>,
}

/// A constant of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParamReport {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A change of a policy under traffic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeReport {
    /// When it was planned, in nanoseconds.
    pub at_ns: f64,
    /// The policy file.
    pub file: String,
    /// How packets that wait move over.
    pub transition: String,
    /// `null` if it was rejected, or the run ended before its time.
    pub version: Option<u32>,
    /// Packets that waited then.
    pub packets_waiting: u64,
    /// When the last of them had left; `null`: not yet.
    pub last_left_ns: Option<f64>,
    /// Why it was not made.
    pub refused: Option<String>,
}

/// Counts of the packets of a class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassReport {
    /// The number of the class.
    pub class: u8,
    /// Its name.
    pub name: String,
    /// All packets.
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
    /// From arrival to the last bit sent, in nanoseconds.
    pub delay_ns: Delay,
    /// Packets that departed while one of lower rank waited.
    pub inversions: u64,
    /// Waiting packets of lower rank, summed over all departures.
    pub overtaken: u64,
}

impl Counts {
    /// From what the probes counted in `seconds`.
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

    /// Dropped packets over arrived ones.
    pub fn drop_share(&self) -> f64 {
        self.packets_dropped as f64 / self.packets_in.max(1) as f64
    }
}

impl ClassReport {
    /// Of a class with its usual name.
    pub(super) fn new(class: u8, counts: Counts) -> Self {
        Self { class, name: ClassId(class).to_string(), counts }
    }
}

/// Counters of a discipline that are not zero.
pub(super) fn counters(counters: &[Counter]) -> BTreeMap<String, u64> {
    counters
        .iter()
        .filter(|counter| counter.value > 0)
        .map(|counter| (counter.name.to_owned(), counter.value))
        .collect()
}

/// Points of the delay curve: close together at the tail.
pub(super) fn quantiles() -> impl Iterator<Item = f64> {
    (0..100).map(|percent| f64::from(percent) / 100.0).chain((0..=10).map(|tenth| 0.99 + f64::from(tenth) / 1000.0))
}
