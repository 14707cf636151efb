//! Summary of a trace: sizes, rates, classes, flows.

use crate::recording::Account;
use crate::trace::Trace;
use serde::Serialize;
use std::collections::BTreeMap;

/// The numbers of a trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Packets.
    pub packets: u64,
    /// Bytes on the wire.
    pub bytes: u64,
    /// The seconds from the first arrival to the last.
    pub duration_s: f64,
    /// The bits per second over that time; `None` if the time is zero.
    pub mean_rate_bps: Option<f64>,
    /// The bits per second in the busiest window, if the trace is cut into windows of equal length.
    pub peak_rate_bps: f64,
    /// Length of such a window in seconds: a tenth of a second, or a tenth of a
    /// shorter trace.
    pub peak_window_s: f64,
    /// Flows.
    pub flows: u64,
    /// The share of bytes in the largest tenth of flows.
    pub bytes_in_top_tenth_of_flows: f64,
    /// Smallest packet in bytes.
    pub min_packet_bytes: u32,
    /// Mean packet in bytes.
    pub mean_packet_bytes: f64,
    /// Largest packet in bytes.
    pub max_packet_bytes: u32,
    /// Per class, in order of its number.
    pub classes: Vec<ClassSummary>,
    /// Warnings of reading.
    pub warnings: Vec<String>,
    /// The account of a recording: its packets, and those left out. `None` for other formats.
    pub recording: Option<Account>,
}

/// The numbers of a class of a trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassSummary {
    /// The number of the class.
    pub class: u8,
    /// The DSCP's name.
    pub name: String,
    /// Packets.
    pub packets: u64,
    /// Bytes on the wire.
    pub bytes: u64,
    /// Flows.
    pub flows: u64,
}

impl Summary {
    /// Summarises `trace`.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        const LONGEST_WINDOW_PS: u64 = 100_000_000_000;
        let length_ps = trace.packets.last().map_or(0, |last| last.arrival.as_ps());
        let window_ps = (length_ps / 10).clamp(1, LONGEST_WINDOW_PS);
        let mut flow_bytes = vec![0_u64; trace.flow_count()];
        let mut classes: BTreeMap<_, (u64, u64, Vec<u32>)> = BTreeMap::new();
        let mut bins: BTreeMap<u64, u64> = BTreeMap::new();
        for packet in &trace.packets {
            let bytes = u64::from(packet.size_bytes);
            flow_bytes[packet.flow.index()] += bytes;
            let class = classes.entry(packet.class).or_default();
            class.0 += 1;
            class.1 += bytes;
            class.2.push(packet.flow.0);
            *bins.entry(packet.arrival.as_ps() / window_ps).or_default() += bytes;
        }
        let packets = trace.packets.len() as u64;
        let bytes: u64 = flow_bytes.iter().sum();
        let duration_s = trace.packets.last().map_or(0.0, |last| last.arrival.as_secs_f64());
        flow_bytes.sort_unstable_by(|a, b| b.cmp(a));
        let top: u64 = flow_bytes.iter().take(flow_bytes.len().div_ceil(10)).sum();
        let sizes = || trace.packets.iter().map(|packet| packet.size_bytes);
        Self {
            packets,
            bytes,
            duration_s,
            mean_rate_bps: (duration_s > 0.0).then(|| bytes as f64 * 8.0 / duration_s),
            peak_rate_bps: bins.values().max().map_or(0.0, |&bytes| bytes as f64 * 8e12 / window_ps as f64),
            peak_window_s: window_ps as f64 / 1e12,
            flows: flow_bytes.iter().filter(|&&bytes| bytes > 0).count() as u64,
            bytes_in_top_tenth_of_flows: top as f64 / (bytes.max(1)) as f64,
            min_packet_bytes: sizes().min().unwrap_or(0),
            mean_packet_bytes: bytes as f64 / (packets.max(1)) as f64,
            max_packet_bytes: sizes().max().unwrap_or(0),
            classes: classes
                .into_iter()
                .map(|(class, (packets, bytes, mut flows))| {
                    flows.sort_unstable();
                    flows.dedup();
                    ClassSummary { class: class.0, name: class.to_string(), packets, bytes, flows: flows.len() as u64 }
                })
                .collect(),
            warnings: trace.warnings.clone(),
            recording: trace.account.clone(),
        }
    }
}
