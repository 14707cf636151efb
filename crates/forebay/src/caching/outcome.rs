//! The result of one run. It is kept as JSON, read again, and combined into a report.

use super::bounds::Limits;
use super::chained::PageNumbers;
use super::estimates::Estimates;
use super::spread::Spread;
use super::units::LatencyValue;
use forebay_cache::Counts;
use forebay_cache::attribution::ObjectLatency;
use serde::{Deserialize, Serialize};

/// The result of a task on a trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunResult {
    /// The name of the trace.
    pub trace: String,
    /// The trace's format.
    pub format: String,
    /// The unit of latencies: `slots` or `ns`.
    pub latency_unit: String,
    /// The unit of capacities: `entries` or `bytes`.
    pub capacity_unit: String,
    /// The latency of a fetch.
    pub latency: LatencyValue,
    /// The number of requests in the trace, including those that were not played or not counted.
    pub trace_requests: u64,
    /// The share of the objects that was played.
    pub sample: f64,
    /// Whether the run was completed; after an interrupt, the numbers end there.
    pub complete: bool,
    /// Warnings about the trace.
    pub warnings: Vec<String>,
    /// The numbers.
    pub(super) outcome: RunOutcome,
}

/// The numbers of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RunOutcome {
    /// The outcome of a policy.
    Policy(PolicyOutcome),
    /// The outcome of a search for bounds.
    Bounds(BoundsOutcome),
    /// The outcome of stack distances.
    StackDistances(StackDistancesOutcome),
}

/// The results of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PolicyOutcome {
    /// Whether the policy knew the future.
    pub offline: bool,
    /// Whether the policy is a MAD form.
    pub mad: bool,
    /// The results at each capacity.
    pub points: Vec<Point>,
    /// The total latency of each object, if it was recorded.
    pub objects: Option<Vec<ObjectNumbers>>,
    /// The total latency of each user, if users are known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub users: Option<Vec<ObjectNumbers>>,
}

/// An object: its key, its requests, their burstiness, and the sum of its latencies.
pub(super) type ObjectNumbers = (u64, u64, Option<f64>, u64);

/// The results at one capacity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The capacity in entries or bytes.
    pub capacity: u64,
    /// The numbers with delayed hits, if that model was played.
    pub delayed: Option<Numbers>,
    /// The numbers in the classical model.
    pub classical: Option<Numbers>,
    /// The distribution of latencies; in the model with delayed hits, if that was played.
    pub spread: Option<Spread>,
    /// For a MAD form, the quality of its estimates of aggregate delays, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub estimates: Option<Estimates>,
    /// The latencies of pages in the first model that was played, if requests follow others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pages: Option<PageNumbers>,
}

/// The limits of the lowest latency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct BoundsOutcome {
    /// The capacity in entries or bytes.
    pub capacity: u64,
    /// The limits that were found.
    pub limits: Limits,
    /// The optimum of the linear programme, which no schedule is below, if it was asked for.
    pub programme: Option<f64>,
    /// The total latency of each object under the best schedule, if it was asked for.
    pub objects: Option<Vec<ObjectNumbers>>,
    /// The distribution of the schedule's latencies, if it was played on its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub spread: Option<Box<Spread>>,
}

/// Converts latencies of objects to the form in which they are kept.
pub(super) fn object_numbers(objects: Vec<ObjectLatency>) -> Vec<ObjectNumbers> {
    objects.into_iter().map(|object| (object.key, object.requests, object.burstiness, object.latency)).collect()
}

/// Converts latencies of objects from the form in which they are kept.
fn object_latencies(objects: &[ObjectNumbers]) -> Vec<ObjectLatency> {
    let object =
        |&(key, requests, burstiness, latency): &ObjectNumbers| ObjectLatency { key, requests, burstiness, latency };
    objects.iter().map(object).collect()
}

/// The miss ratio of LRU in the classical model, exact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StackDistancesOutcome {
    /// The number of different objects in the trace.
    pub objects: u64,
    /// The miss ratio at each capacity.
    pub points: Vec<MissRatio>,
}

/// A miss ratio at one capacity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MissRatio {
    /// The capacity in entries or bytes.
    pub capacity: u64,
    /// Misses over requests.
    pub miss_ratio: f64,
}

/// Counts, and the numbers that follow from them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// The number of requests that were counted.
    pub requests: u64,
    /// The number of requests whose object was in the cache.
    pub hits: u64,
    /// The number of requests that waited for a fetch that another request had begun.
    pub delayed_hits: u64,
    /// The number of requests that began a fetch.
    pub misses: u64,
    /// The sum of the latencies of all requests, in ticks.
    pub total_latency: u64,
    /// The mean latency of a request, in ticks.
    pub mean_latency: f64,
    /// Hits over requests.
    pub hit_ratio: f64,
    /// Delayed hits over requests.
    pub delayed_hit_ratio: f64,
    /// Misses over requests.
    pub miss_ratio: f64,
    /// The sum of the sizes of all requested objects.
    pub bytes: u64,
    /// The sum of the sizes of the objects that misses fetched.
    pub miss_bytes: u64,
    /// `miss_bytes` over `bytes`.
    pub byte_miss_ratio: f64,
    /// The number of objects that were evicted to make room.
    pub evictions: u64,
    /// The number of fetched objects that were not inserted.
    pub refused: u64,
    /// The number of requests for an object that was in the cache, or in flight, with another size.
    pub size_changes: u64,
    /// The number of requests for an object that was in the cache and had outlived its lifetime.
    pub expired: u64,
    /// The number of fetches that began before a request for their object.
    pub prefetches: u64,
    /// The number of prefetched objects that were requested before they were evicted.
    pub prefetches_used: u64,
    /// The number of these objects whose first request waited for the rest of the fetch.
    pub prefetches_late: u64,
}

impl Numbers {
    /// Returns the numbers that follow from these counts. A sample can have more or fewer requests than its share, mostly because very
    /// popular objects are in it or not. A sample with too few requests lacks hits of such objects (SHARDS-adj), so ratios and means are
    /// over the `expected` requests. Surplus requests cannot be told from the rest.
    pub(super) fn new(counts: Counts, expected: Option<f64>) -> Self {
        let Counts { requests, hits, delayed_hits, misses, total_latency, bytes, miss_bytes, .. } = counts;
        let over = expected.unwrap_or(0.0).max(requests as f64);
        let share = |part: f64| if over > 0.0 { part / over } else { 0.0 };
        Self {
            requests,
            hits,
            delayed_hits,
            misses,
            total_latency,
            mean_latency: share(total_latency as f64),
            hit_ratio: share(hits as f64 + (over - requests as f64)),
            delayed_hit_ratio: share(delayed_hits as f64),
            miss_ratio: share(misses as f64),
            bytes,
            miss_bytes,
            byte_miss_ratio: if bytes > 0 { miss_bytes as f64 / bytes as f64 } else { 0.0 },
            evictions: counts.evictions,
            refused: counts.refused,
            size_changes: counts.size_changes,
            expired: counts.expired,
            prefetches: counts.prefetches,
            prefetches_used: counts.prefetches_used,
            prefetches_late: counts.prefetches_late,
        }
    }
}

impl Point {
    /// Returns the numbers of the model with delayed hits, or of the classical model if only that was played.
    pub fn numbers(&self) -> Option<&Numbers> {
        self.delayed.as_ref().or(self.classical.as_ref())
    }

    /// Returns the numbers of the classical model if both models were played.
    pub fn beside(&self) -> Option<&Numbers> {
        self.classical.as_ref().filter(|_| self.delayed.is_some())
    }

    /// Returns the amount by which the classical model's mean latency is above the real one, as a share of the real one; negative if it is
    /// below.
    pub fn classical_error(&self) -> Option<f64> {
        let (classical, real) = (self.beside()?.mean_latency, self.delayed?.mean_latency);
        (real > 0.0).then(|| (classical - real) / real)
    }
}

impl RunResult {
    /// Returns the results of a policy, if the run has a policy.
    pub(super) fn policy(&self) -> Option<&PolicyOutcome> {
        match &self.outcome {
            RunOutcome::Policy(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Returns the results of a search, if the run is one.
    pub(super) fn bounds(&self) -> Option<&BoundsOutcome> {
        match &self.outcome {
            RunOutcome::Bounds(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Returns the miss ratios of LRU, if the run calculated them.
    pub(super) fn stack_distances(&self) -> Option<&StackDistancesOutcome> {
        match &self.outcome {
            RunOutcome::StackDistances(outcome) => Some(outcome),
            _ => None,
        }
    }
}

impl PolicyOutcome {
    /// Returns the total latency of each object.
    pub(super) fn latencies(&self) -> Option<Vec<ObjectLatency>> {
        self.objects.as_deref().map(object_latencies)
    }

    /// Returns the total latency of each user.
    pub(super) fn latencies_of_users(&self) -> Option<Vec<ObjectLatency>> {
        self.users.as_deref().map(object_latencies)
    }
}

impl BoundsOutcome {
    /// Returns the total latency of each object under the best schedule.
    pub(super) fn latencies(&self) -> Option<Vec<ObjectLatency>> {
        self.objects.as_deref().map(object_latencies)
    }
}
