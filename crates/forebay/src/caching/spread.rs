//! The distribution of the latencies of requests, the load of the origin, and the latency along the trace.

use forebay_cache::Counts;
use forebay_cache::request_latencies::Waits;
use forebay_core::Clock;
use serde::{Deserialize, Serialize};

/// Distributions and series, in addition to the counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The median latency of requests, in ticks, with three significant digits (HDR histogram), as all quantiles.
    pub latency_p50: u64,
    /// The 90th percentile of the latency.
    pub latency_p90: u64,
    /// The 99th percentile of the latency.
    pub latency_p99: u64,
    /// The 99.9th percentile of the latency.
    pub latency_p999: u64,
    /// The greatest latency, exact.
    pub latency_max: u64,
    /// The sizes of the objects of hits over the sizes of all requested objects.
    pub byte_hit_ratio: f64,
    /// The number of fetches per second of the trace, including prefetches; none if the trace has slots.
    pub origin_fetches_per_s: Option<f64>,
    /// The number of bytes that are fetched per second of the trace.
    pub origin_bytes_per_s: Option<f64>,
    /// The number of requests in a block.
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
    /// Returns the distribution of the waits in a sample of this share.
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

    /// Returns the distribution without blocks, which only comparisons need.
    pub(super) fn without_blocks(&self) -> Self {
        Self { block_requests: 0, blocks: Vec::new(), block_starts: Vec::new(), ..self.clone() }
    }

    /// Returns the mean latency of a request in each block.
    pub(super) fn block_means(&self) -> impl Iterator<Item = f64> {
        self.blocks.iter().map(|latency| *latency as f64 / self.block_requests as f64)
    }
}
