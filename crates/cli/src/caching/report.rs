//! The result of `forebay cache`; the JSON is this, the CSV is its rows.

use super::attribution::Attribution;
use forebay_cache::Counts;
use forebay_cache::attribution::PerObject;
use serde::Serialize;

/// What happened, for all traces.
#[derive(Debug, Serialize)]
pub(crate) struct CacheReport {
    /// What a latency is counted in: `slots` or `ns`, by trace.
    pub(crate) traces: Vec<TraceReport>,
    pub(crate) seed: u64,
    pub(crate) ways: Option<u64>,
    pub(crate) warmup_requests: u64,
    /// Whether every request was played; an interrupted run says what it has.
    pub(crate) complete: bool,
    pub(crate) results: Vec<Row>,
    pub(crate) verdicts: Vec<Verdict>,
    /// What changes for each object, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) attributions: Vec<Attribution>,
}

/// A trace that was played.
#[derive(Debug, Serialize)]
pub(crate) struct TraceReport {
    pub(crate) trace: String,
    pub(crate) format: &'static str,
    /// `slots` or `ns`.
    pub(crate) latency_unit: &'static str,
    /// `entries` or `bytes`.
    pub(crate) capacity_unit: &'static str,
}

/// One policy with one capacity and one latency on one trace.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) trace: String,
    pub(crate) policy: String,
    /// Whether the policy knew the future.
    pub(crate) offline: bool,
    pub(crate) capacity: u64,
    /// A number of ticks, or the text of a distribution.
    pub(crate) latency: LatencyValue,
    /// The model that the numbers are of: `delayed-hits` or `classical`.
    pub(crate) model: &'static str,
    #[serde(flatten)]
    pub(crate) numbers: Numbers,
    /// Beside those with delayed hits: the same in the classical model, where a missed
    /// object is there at once.
    pub(crate) classical: Option<Numbers>,
    /// By how much the classical model's mean latency falls short of the real one, as a
    /// share of the real one.
    pub(crate) classical_error: Option<f64>,
}

/// A latency in ticks, or how it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum LatencyValue {
    Ticks(u64),
    Drawn(String),
}

/// What was counted, with what follows from it.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Numbers {
    pub(crate) requests: u64,
    pub(crate) hits: u64,
    pub(crate) delayed_hits: u64,
    pub(crate) misses: u64,
    pub(crate) total_latency: u64,
    pub(crate) mean_latency: f64,
    pub(crate) hit_ratio: f64,
    pub(crate) bytes: u64,
    pub(crate) miss_bytes: u64,
    pub(crate) evictions: u64,
    pub(crate) refused: u64,
}

/// Who is best at one capacity and one latency, by latency and by hit rate, among the
/// policies that do not know the future.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Verdict {
    pub(crate) trace: String,
    pub(crate) capacity: u64,
    pub(crate) latency: LatencyValue,
    pub(crate) best_by_latency: String,
    /// By the hits of the classical model.
    pub(crate) best_by_hit_rate: String,
    /// How much higher the mean latency is with the latter, as a share of the former's.
    pub(crate) regret: f64,
}

/// What a simulation counted, in each model that was played.
#[derive(Debug, Clone, Default)]
pub(super) struct Played {
    pub(super) delayed: Option<Counts>,
    pub(super) classical: Option<Counts>,
    /// What each object waited, if that was watched.
    pub(super) objects: Option<PerObject>,
}

impl From<Counts> for Numbers {
    fn from(counts: Counts) -> Self {
        let Counts { requests, hits, delayed_hits, misses, total_latency, bytes, miss_bytes, evictions, refused } =
            counts;
        let hit_ratio = if requests == 0 { 0.0 } else { hits as f64 / requests as f64 };
        let mean_latency = counts.mean_latency();
        Self {
            requests,
            hits,
            delayed_hits,
            misses,
            total_latency,
            mean_latency,
            hit_ratio,
            bytes,
            miss_bytes,
            evictions,
            refused,
        }
    }
}

/// By how much `predicted` falls short of `real`.
pub(super) fn shortfall(real: f64, predicted: f64) -> Option<f64> {
    (real > 0.0).then(|| (real - predicted) / real)
}

/// The verdict on rows of one trace, capacity and latency; `None` unless both models
/// were played and there is something to choose from.
pub(super) fn verdict(rows: &[Row]) -> Option<Verdict> {
    let online = || rows.iter().filter(|row| !row.offline);
    if online().count() < 2 {
        return None;
    }
    let latency = |row: &Row| row.numbers.mean_latency;
    let by_latency = online().min_by(|a, b| latency(a).total_cmp(&latency(b)))?;
    // The first of equals, as they were named.
    let hits = |row: &&Row| row.classical.map_or(0, |numbers| numbers.hits);
    let most = online().map(|row| hits(&row)).max()?;
    let by_hits = online().find(|row| hits(row) == most)?;
    by_hits.classical?;
    let (least, chosen) = (latency(by_latency), latency(by_hits));
    Some(Verdict {
        trace: by_latency.trace.clone(),
        capacity: by_latency.capacity,
        latency: by_latency.latency.clone(),
        best_by_latency: by_latency.policy.clone(),
        best_by_hit_rate: by_hits.policy.clone(),
        regret: if least > 0.0 { chosen / least - 1.0 } else { 0.0 },
    })
}

const HEADER: [&str; 21] = [
    "trace",
    "policy",
    "offline",
    "capacity",
    "latency",
    "model",
    "requests",
    "hits",
    "delayed_hits",
    "misses",
    "total_latency",
    "mean_latency",
    "hit_ratio",
    "bytes",
    "miss_bytes",
    "evictions",
    "refused",
    "classical_hits",
    "classical_misses",
    "classical_mean_latency",
    "classical_error",
];

/// The rows as CSV.
pub(crate) fn csv(report: &CacheReport) -> String {
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    let rows = report.results.iter().map(|row| {
        let own = &row.numbers;
        let classical = |of: fn(&Numbers) -> String| or_empty(row.classical.as_ref().map(of));
        vec![
            row.trace.clone(),
            row.policy.clone(),
            row.offline.to_string(),
            row.capacity.to_string(),
            row.latency.to_string(),
            row.model.to_owned(),
            own.requests.to_string(),
            own.hits.to_string(),
            own.delayed_hits.to_string(),
            own.misses.to_string(),
            own.total_latency.to_string(),
            own.mean_latency.to_string(),
            own.hit_ratio.to_string(),
            own.bytes.to_string(),
            own.miss_bytes.to_string(),
            own.evictions.to_string(),
            own.refused.to_string(),
            classical(|numbers| numbers.hits.to_string()),
            classical(|numbers| numbers.misses.to_string()),
            classical(|numbers| numbers.mean_latency.to_string()),
            or_empty(row.classical_error.map(|error| error.to_string())),
        ]
    });
    crate::output::csv::lines(&HEADER, rows)
}

impl std::fmt::Display for LatencyValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ticks(ticks) => write!(f, "{ticks}"),
            Self::Drawn(text) => f.write_str(text),
        }
    }
}
