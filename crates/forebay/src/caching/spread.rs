//! The distribution of the latencies of requests, the load of the origin, and the latency along the trace.

use forebay_cache::Counts;
use forebay_cache::request_latencies::Waits;
use forebay_core::Clock;
use serde::{Deserialize, Serialize};

/// Distributions and series, beside the counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The latency below which half of the requests lie, in ticks, with three significant digits (HDR histogram), as all quantiles.
    pub latency_p50: u64,
    /// The same of nine tenths.
    pub latency_p90: u64,
    /// The same of 99 %.
    pub latency_p99: u64,
    /// The same of 99.9 %.
    pub latency_p999: u64,
    /// The greatest latency, exact.
    pub latency_max: u64,
    /// Sizes of the objects of hits over those of all requests.
    pub byte_hit_ratio: f64,
    /// Fetches in a second of the trace, prefetches included; none where it has slots.
    pub origin_fetches_per_s: Option<f64>,
    /// Bytes that are fetched in a second of the trace.
    pub origin_bytes_per_s: Option<f64>,
    /// Requests of a block.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(super) block_requests: u64,
    /// The latency of each full block of the trace, in ticks.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(super) blocks: Vec<u64>,
    /// The tick of the first request of each block.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(super) block_starts: Vec<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Spread {
    /// Of what was watched in a sample of this share.
    pub(super) fn new(waits: &Waits, counts: &Counts, clock: Clock, sample: f64) -> Self {
        let [latency_p50, latency_p90, latency_p99, latency_p999] = waits.quantiles([0.5, 0.9, 0.99, 0.999]);
        let seconds = waits.ticks() as f64 / 1e9;
        let per_second =
            |count: u64| (clock == Clock::Nanoseconds && seconds > 0.0).then(|| count as f64 / sample / seconds);
        let (block_requests, blocks) = waits.blocks();
        Self {
            latency_p50,
            latency_p90,
            latency_p99,
            latency_p999,
            latency_max: waits.max(),
            byte_hit_ratio: if counts.bytes > 0 { waits.hit_bytes() as f64 / counts.bytes as f64 } else { 0.0 },
            origin_fetches_per_s: per_second(counts.misses + counts.prefetches),
            // Prefetched objects have a size of 1.
            origin_bytes_per_s: per_second(counts.miss_bytes.saturating_add(counts.prefetches)),
            block_requests,
            blocks: blocks.to_vec(),
            block_starts: waits.block_starts().to_vec(),
        }
    }

    /// The same without blocks, which are for comparisons alone.
    pub(super) fn without_blocks(&self) -> Self {
        Self { block_requests: 0, blocks: Vec::new(), block_starts: Vec::new(), ..self.clone() }
    }

    /// The mean latency of a request in each block.
    pub(super) fn block_means(&self) -> impl Iterator<Item = f64> {
        self.blocks.iter().map(|latency| *latency as f64 / self.block_requests as f64)
    }
}
