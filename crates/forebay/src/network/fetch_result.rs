//! Results of fetches that travelled over the network.

use forebay_sim::net::FetchCounts;
use serde::{Deserialize, Serialize};

/// Of one cache, or of several together, in whole runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FetchResult {
    /// Fetches that began.
    pub begun: u64,
    /// Of these, those that ended.
    pub answered: u64,
    /// Requests that were sent again.
    pub repeated: u64,
    /// From the first request to the answer, over those that ended, added up.
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

    /// Over the fetches that ended.
    pub(crate) fn mean_latency_ns(&self) -> Option<f64> {
        (self.answered > 0).then(|| self.latency_ns / self.answered as f64)
    }
}
