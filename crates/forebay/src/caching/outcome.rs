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
    /// Its format.
    pub format: String,
    /// The unit of latencies: `slots` or `ns`.
    pub latency_unit: String,
    /// The unit of capacities: `entries` or `bytes`.
    pub capacity_unit: String,
    /// How long a fetch takes.
    pub latency: LatencyValue,
    /// Requests of the trace, and not only those that were played or counted.
    pub trace_requests: u64,
    /// The share of the objects that was played.
    pub sample: f64,
    /// False after an interrupt: the numbers are those up to there.
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
    /// Of a policy.
    Policy(PolicyOutcome),
    /// Of a search for bounds.
    Bounds(BoundsOutcome),
    /// Of stack distances.
    StackDistances(StackDistancesOutcome),
}

/// What a policy did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PolicyOutcome {
    /// Whether it knew the future.
    pub offline: bool,
    /// Whether it is the MAD form of a policy.
    pub mad: bool,
    /// At each capacity.
    pub points: Vec<Point>,
    /// The wait of each object, if it was recorded.
    pub objects: Option<Vec<ObjectNumbers>>,
    /// The wait of each user, if users are known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub users: Option<Vec<ObjectNumbers>>,
}

/// An object: its key, its requests, their burstiness, and the sum of its latencies.
pub(super) type ObjectNumbers = (u64, u64, Option<f64>, u64);

/// One capacity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// In entries or bytes.
    pub capacity: u64,
    /// With delayed hits, if that model was played.
    pub delayed: Option<Numbers>,
    /// In the classical model.
    pub classical: Option<Numbers>,
    /// How latencies are spread, in the model with delayed hits if that was played.
    pub spread: Option<Spread>,
    /// Of a MAD form: how well it estimates aggregate delays, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub estimates: Option<Estimates>,
    /// The latencies of pages, if requests follow others, in the first model that was played.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pages: Option<PageNumbers>,
}

/// Between which limits the lowest latency lies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct BoundsOutcome {
    /// In entries or bytes.
    pub capacity: u64,
    /// The limits that were found.
    pub limits: Limits,
    /// The optimum of the linear programme, which no schedule is below, if that was asked for.
    pub programme: Option<f64>,
    /// The wait of each object under the best schedule, if it was asked for.
    pub objects: Option<Vec<ObjectNumbers>>,
    /// How its latencies are spread, if it was played by itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub spread: Option<Box<Spread>>,
}

/// As it is kept.
pub(super) fn object_numbers(objects: Vec<ObjectLatency>) -> Vec<ObjectNumbers> {
    objects.into_iter().map(|object| (object.key, object.requests, object.burstiness, object.latency)).collect()
}

/// As it was kept.
fn object_latencies(objects: &[ObjectNumbers]) -> Vec<ObjectLatency> {
    let object =
        |&(key, requests, burstiness, latency): &ObjectNumbers| ObjectLatency { key, requests, burstiness, latency };
    objects.iter().map(object).collect()
}

/// The miss ratio of LRU in the classical model, exact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StackDistancesOutcome {
    /// Different objects of the trace.
    pub objects: u64,
    /// At each capacity.
    pub points: Vec<MissRatio>,
}

/// A miss ratio at one capacity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MissRatio {
    /// In entries or bytes.
    pub capacity: u64,
    /// Misses over requests.
    pub miss_ratio: f64,
}

/// Counts, and the numbers that follow from them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Requests that were counted.
    pub requests: u64,
    /// Requests whose object was in the cache.
    pub hits: u64,
    /// Requests that waited for a fetch that another one had begun.
    pub delayed_hits: u64,
    /// Requests that began a fetch.
    pub misses: u64,
    /// Over all requests, in ticks.
    pub total_latency: u64,
    /// Of a request, in ticks.
    pub mean_latency: f64,
    /// Hits over requests.
    pub hit_ratio: f64,
    /// Delayed hits over requests.
    pub delayed_hit_ratio: f64,
    /// Misses over requests.
    pub miss_ratio: f64,
    /// Sizes of what was requested.
    pub bytes: u64,
    /// Sizes of what was fetched by misses.
    pub miss_bytes: u64,
    /// `miss_bytes` over `bytes`.
    pub byte_miss_ratio: f64,
    /// Objects that left for want of room.
    pub evictions: u64,
    /// Fetched objects that did not enter.
    pub refused: u64,
    /// Requests for an object that was in the cache, or in flight, with another size.
    pub size_changes: u64,
    /// Requests for an object that was in the cache and had outlived its lifetime.
    pub expired: u64,
    /// Fetches that began before a request asked.
    pub prefetches: u64,
    /// Prefetched objects that were requested before they were evicted.
    pub prefetches_used: u64,
    /// Of these, those whose first request waited for the rest of the fetch.
    pub prefetches_late: u64,
}

impl Numbers {
    /// Of these counts. A sample has a few requests more or less than its share, mostly since very popular objects are in it or not. A
    /// sample with too few requests lacks hits of such objects (SHARDS-adj), so ratios and means are over the requests `expected` of it.
    /// Surplus requests cannot be told from the rest.
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
    /// The numbers of the model with delayed hits, or of the classical one if that alone was played.
    pub fn numbers(&self) -> Option<&Numbers> {
        self.delayed.as_ref().or(self.classical.as_ref())
    }

    /// The numbers of the classical model beside those with delayed hits.
    pub fn beside(&self) -> Option<&Numbers> {
        self.classical.as_ref().filter(|_| self.delayed.is_some())
    }

    /// By how much the classical model's mean latency is above the real one, as a share of the real one; below 0 if it falls short.
    pub fn classical_error(&self) -> Option<f64> {
        let (classical, real) = (self.beside()?.mean_latency, self.delayed?.mean_latency);
        (real > 0.0).then(|| (classical - real) / real)
    }
}

impl RunResult {
    /// What a policy did, if it is of one.
    pub(super) fn policy(&self) -> Option<&PolicyOutcome> {
        match &self.outcome {
            RunOutcome::Policy(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// What a search found, if it is of one.
    pub(super) fn bounds(&self) -> Option<&BoundsOutcome> {
        match &self.outcome {
            RunOutcome::Bounds(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The miss ratios of LRU, if it is of these.
    pub(super) fn stack_distances(&self) -> Option<&StackDistancesOutcome> {
        match &self.outcome {
            RunOutcome::StackDistances(outcome) => Some(outcome),
            _ => None,
        }
    }
}

impl PolicyOutcome {
    /// What each object waited.
    pub(super) fn latencies(&self) -> Option<Vec<ObjectLatency>> {
        self.objects.as_deref().map(object_latencies)
    }

    /// What each user waited.
    pub(super) fn latencies_of_users(&self) -> Option<Vec<ObjectLatency>> {
        self.users.as_deref().map(object_latencies)
    }
}

impl BoundsOutcome {
    /// What each object waits under the best schedule.
    pub(super) fn latencies(&self) -> Option<Vec<ObjectLatency>> {
        self.objects.as_deref().map(object_latencies)
    }
}
