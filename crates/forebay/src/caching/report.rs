//! The result of `forebay cache`: the JSON is this.

use super::attribution::Attribution;
use super::bounded::Bounded;
use super::units::LatencyValue;
use forebay_cache::Counts;
use forebay_cache::attribution::PerObject;
use serde::Serialize;

/// What happened, for all traces.
#[derive(Debug, Serialize)]
pub struct CacheReport {
    /// What a latency is counted in: `slots` or `ns`, by trace.
    pub traces: Vec<TraceReport>,
    pub seed: u64,
    pub ways: Option<u64>,
    pub warmup_requests: u64,
    /// Whether every request was played; an interrupted run says what it has.
    pub complete: bool,
    pub results: Vec<Row>,
    /// Of the least latency at each capacity and latency, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bounded>,
    pub verdicts: Vec<Verdict>,
    /// What changes for each object, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributions: Vec<Attribution>,
}

/// A trace that was played.
#[derive(Debug, Serialize)]
pub struct TraceReport {
    pub trace: String,
    pub format: &'static str,
    /// `slots` or `ns`.
    pub latency_unit: &'static str,
    /// `entries` or `bytes`.
    pub capacity_unit: &'static str,
}

/// A trace, a capacity and a latency: what policies are compared at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Place {
    pub trace: String,
    pub capacity: u64,
    /// A number of ticks, or how it is drawn.
    pub latency: LatencyValue,
}

/// One policy at one place.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    #[serde(flatten)]
    pub place: Place,
    pub policy: String,
    /// Whether the policy knew the future.
    pub offline: bool,
    /// Whether it is the MAD form of a policy.
    pub mad: bool,
    /// The model that the numbers are of: `delayed-hits` or `classical`.
    pub model: &'static str,
    #[serde(flatten)]
    pub numbers: Numbers,
    /// Beside those with delayed hits: the same in the classical model, where a missed
    /// object is there at once.
    pub classical: Option<Numbers>,
    /// By how much the classical model's mean latency is above the real one, as a share of
    /// the real one; below 0 if it falls short.
    pub classical_error: Option<f64>,
    /// By how much the mean latency is above the lower bound, as a share of that, if there is one.
    pub above_lower_bound: Option<f64>,
}

/// What was counted, with what follows from it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Numbers {
    pub requests: u64,
    pub hits: u64,
    pub delayed_hits: u64,
    pub misses: u64,
    pub total_latency: u64,
    pub mean_latency: f64,
    pub hit_ratio: f64,
    pub bytes: u64,
    pub miss_bytes: u64,
    pub evictions: u64,
    pub refused: u64,
}

/// Who is best at one capacity and one latency, by latency and by hit rate, among the
/// policies that do not know the future.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    #[serde(flatten)]
    pub place: Place,
    pub best_by_latency: String,
    /// By the hits of the classical model, of those that are no MAD forms.
    pub best_by_hit_rate: String,
    /// How much higher the mean latency is with the latter, as a share of the former's.
    pub regret: f64,
}

/// What a simulation counted, in each model that was played.
#[derive(Debug, Clone, Default)]
pub(super) struct Played {
    pub(super) delayed: Option<Counts>,
    pub(super) classical: Option<Counts>,
    /// What each object waited, if that was watched.
    pub(super) objects: Option<PerObject>,
}

impl Played {
    /// Whether nothing was counted.
    pub(super) fn is_empty(&self) -> bool {
        [self.delayed, self.classical].into_iter().flatten().all(|counts| counts.requests == 0)
    }
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

/// By how much `predicted` is above `real`, as a share of it.
pub(super) fn error_of(predicted: f64, real: f64) -> Option<f64> {
    (real > 0.0).then(|| (predicted - real) / real)
}

/// The verdict on rows of one place; `None` unless both models
/// were played and there is something to choose from.
pub(super) fn verdict(rows: &[Row]) -> Option<Verdict> {
    let online = || rows.iter().filter(|row| !row.offline);
    if online().count() < 2 {
        return None;
    }
    let latency = |row: &Row| row.numbers.mean_latency;
    let by_latency = online().min_by(|a, b| latency(a).total_cmp(&latency(b)))?;
    // The first of equals, as they were named.
    // Nobody would choose a MAD form by its hit rate: without delays it has none.
    let plain = || online().filter(|row| !row.mad);
    let hits = |row: &&Row| row.classical.map_or(0, |numbers| numbers.hits);
    let most = plain().map(|row| hits(&row)).max()?;
    let by_hits = plain().find(|row| hits(row) == most)?;
    by_hits.classical?;
    let (least, chosen) = (latency(by_latency), latency(by_hits));
    Some(Verdict {
        place: by_latency.place.clone(),
        best_by_latency: by_latency.policy.clone(),
        best_by_hit_rate: by_hits.policy.clone(),
        regret: if least > 0.0 { chosen / least - 1.0 } else { 0.0 },
    })
}
