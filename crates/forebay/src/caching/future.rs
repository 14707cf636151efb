//! The knowledge of the future that offline policies get.

use super::pass::{Pass, too_long};
use super::scenario::Setting;
use crate::error::Result;
use forebay_cache::Future;
use forebay_cache::future::futures_while;
use forebay_cache::latency::Latencies;
use forebay_core::Request;
use std::collections::HashMap;

/// The future after each request.
pub(super) struct Known {
    /// The futures in the order of the trace; empty after an interrupt.
    pub(super) futures: Vec<Future>,
    latencies: Latencies,
    /// Where latencies go by size, that of each object at first.
    sizes: HashMap<u64, u64>,
}

impl Known {
    /// Returns the future of all requests of a trace; rejects the trace if its latencies do not fit into 64 bits.
    pub(super) fn of(pass: &Pass<'_>, setting: &Setting, whole: &[Request]) -> Result<Self> {
        let latencies = setting.latency.1.prepare(pass.seed);
        let latencies = latencies.map_err(|error| setting.places.latency.error(error.to_string()))?;
        let longest =
            whole.iter().try_fold(0_u64, |sum, request| sum.checked_add(latencies.expected(request.key, request.size)));
        if longest.is_none() {
            return Err(too_long(setting, whole.len() as u64));
        }
        // An object keeps the latency of its first size here, so that all that would wait for it waits for one fetch.
        let mut sizes = HashMap::new();
        if setting.latency.0.is_by_size() {
            whole.iter().for_each(|request| _ = sizes.entry(request.key).or_insert(request.size));
        }
        let mut known = Self { futures: Vec::new(), latencies, sizes };
        known.futures = futures_while(whole, |key| known.of_key(key), || pass.progress.goes_on()).unwrap_or_default();
        Ok(known)
    }

    fn of_key(&self, key: u64) -> u64 {
        self.latencies.expected(key, self.sizes.get(&key).copied().unwrap_or(1))
    }

    /// Returns the expected time of a fetch for a request, in ticks.
    pub(super) fn latency(&self, request: &Request) -> u64 {
        self.of_key(request.key)
    }
}
