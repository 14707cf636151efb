//! The result of a run: what `--format json` prints and `result.json` holds.
//!
//! Names and units are documented in `docs/result.md`; tools are built on them.

use forebay_core::{ClassId, Counter};
use forebay_sim::probes::{ClassTraffic, Delay, InversionCount, QueueLengthSeries};
use serde::Serialize;
use std::collections::BTreeMap;

/// A whole run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Report {
    /// Version of forebay.
    pub(crate) forebay: &'static str,
    pub(crate) scenario: String,
    pub(crate) seed: u64,
    pub(crate) port: PortReport,
    pub(crate) warnings: Vec<String>,
    pub(crate) results: Vec<PolicyReport>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct PortReport {
    pub(crate) rate_bps: u64,
    /// `null` if the port has none of its own.
    pub(crate) buffer: Option<String>,
}

/// What one policy did.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PolicyReport {
    pub(crate) policy: String,
    pub(crate) rank: String,
    pub(crate) queue: String,
    pub(crate) drop: String,
    /// The mark rule, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mark: Option<String>,
    /// False if the run was interrupted, or the clock came to its end; the numbers
    /// are then up to that point.
    pub(crate) complete: bool,
    /// When the last thing happened.
    pub(crate) end_ns: f64,
    /// Bits that arrived over the bits that the link could have sent until the end.
    pub(crate) offered_load: f64,
    /// Bits sent over the bits that the link could have sent until the end.
    pub(crate) utilisation: f64,
    #[serde(flatten)]
    pub(crate) counts: Counts,
    pub(crate) counters: BTreeMap<&'static str, u64>,
    /// Fingerprint of what was sent and when.
    pub(crate) departures: String,
    /// Of a policy in OpenQueue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) openqueue: Option<OpenQueueReport>,
    pub(crate) classes: Vec<ClassReport>,
    pub(crate) queue_length: QueueLengthSeries,
    /// Delays in nanoseconds at [`quantiles`], for plots only.
    #[serde(skip)]
    pub(crate) delay_curve: Vec<f64>,
}

/// What there is to say of a policy in OpenQueue.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OpenQueueReport {
    pub(crate) file: String,
    pub(crate) engine: &'static str,
    /// Links that packets left on.
    pub(crate) links: usize,
    /// Constants and their values, in the order of the file.
    pub(crate) params: Vec<ParamReport>,
    pub(crate) changes: Vec<ChangeReport>,
}

/// A constant of a policy.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ParamReport {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// A change of a policy under traffic.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ChangeReport {
    pub(crate) at_ns: f64,
    pub(crate) file: String,
    pub(crate) transition: String,
    /// `null` if it was refused, or its time did not come.
    pub(crate) version: Option<u32>,
    /// Packets that waited then.
    pub(crate) packets_waiting: u64,
    /// When the last of them had left; `null`: not yet.
    pub(crate) last_left_ns: Option<f64>,
    /// Why it was not made.
    pub(crate) refused: Option<String>,
}

/// What happened to the packets of a class.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ClassReport {
    pub(crate) class: u8,
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

/// The numbers that are given for all packets and for each class.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Counts {
    pub(crate) packets_in: u64,
    pub(crate) packets_out: u64,
    pub(crate) packets_dropped: u64,
    pub(crate) packets_queued: u64,
    pub(crate) packets_marked: u64,
    pub(crate) bytes_in: u64,
    pub(crate) bytes_out: u64,
    pub(crate) bytes_dropped: u64,
    pub(crate) throughput_bps: f64,
    pub(crate) delay_ns: Delay,
    pub(crate) inversions: u64,
    pub(crate) overtaken: u64,
}

impl Counts {
    pub(crate) fn new(traffic: &ClassTraffic, inversions: InversionCount, seconds: f64) -> Self {
        Self {
            packets_in: traffic.packets_in,
            packets_out: traffic.packets_out,
            packets_dropped: traffic.packets_dropped,
            packets_queued: traffic.packets_queued(),
            packets_marked: traffic.packets_marked,
            bytes_in: traffic.bytes_in,
            bytes_out: traffic.bytes_out,
            bytes_dropped: traffic.bytes_dropped,
            throughput_bps: if seconds > 0.0 { traffic.bytes_out as f64 * 8.0 / seconds } else { 0.0 },
            delay_ns: traffic.delay(),
            inversions: inversions.inversions,
            overtaken: inversions.overtaken,
        }
    }

    /// Dropped packets over arrived ones.
    pub(crate) fn drop_share(&self) -> f64 {
        self.packets_dropped as f64 / self.packets_in.max(1) as f64
    }
}

impl ClassReport {
    pub(crate) fn new(class: u8, counts: Counts) -> Self {
        Self { class, name: ClassId(class).to_string(), counts }
    }
}

/// Counters of a discipline that are not zero.
pub(crate) fn counters(counters: &[Counter]) -> BTreeMap<&'static str, u64> {
    counters.iter().filter(|counter| counter.value > 0).map(|counter| (counter.name, counter.value)).collect()
}

/// Points of the delay curve: close together at the tail.
pub(crate) fn quantiles() -> impl Iterator<Item = f64> {
    (0..100).map(|percent| f64::from(percent) / 100.0).chain((0..=10).map(|tenth| 0.99 + f64::from(tenth) / 1000.0))
}
