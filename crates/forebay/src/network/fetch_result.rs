//! Results of fetches that travelled over the network.

use forebay_sim::net::FetchCounts;
use serde::{Deserialize, Serialize};

/// The counts of one cache, or of several caches together, in whole runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FetchResult {
    /// The number of fetches that began.
    pub begun: u64,
    /// The number of these fetches that ended.
    pub answered: u64,
    /// The number of requests that were sent again.
    pub repeated: u64,
    /// The sum of the times from the first request to the answer, over fetches that ended.
    pub latency_ns: f64,
}

impl FetchResult {
    pub(super) fn of(counts: &FetchCounts) -> Self {
        let &FetchCounts { begun, answered, repeated, latency_ps, .. } = counts;
        Self { begun, answered, repeated, latency_ns: latency_ps as f64 / 1e3 }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            begun: self.begun + other.begun,
            answered: self.answered + other.answered,
            repeated: self.repeated + other.repeated,
            latency_ns: self.latency_ns + other.latency_ns,
        }
    }

    /// Returns the mean latency of the fetches that ended.
    pub(crate) fn mean_latency_ns(&self) -> Option<f64> {
        (self.answered > 0).then(|| self.latency_ns / self.answered as f64)
    }
}
