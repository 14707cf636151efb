//! The result of `forebay cache` as CSV: one line for each row and each bound.

use super::bounded::Bounded;
use super::report::{CacheReport, Numbers, Row};
use super::table::{BEST_SCHEDULE, LOWER_BOUND};
use crate::output::csv;

const HEADER: [&str; 22] = [
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
    "above_lower_bound",
];

/// The rows as CSV; behind those of a place, its bounds.
pub fn rows_csv(report: &CacheReport) -> String {
    let blocks = report.results.chunk_by(|a, b| a.place == b.place);
    let rows = blocks.flat_map(|block| {
        let bounded = report.bounds.iter().find(|bounded| bounded.place == block[0].place);
        block.iter().map(fields).chain(bounded.map(|bounded| [lower(bounded), upper(bounded)]).into_iter().flatten())
    });
    csv::lines(&HEADER, rows)
}

fn fields(row: &Row) -> Vec<String> {
    let own = &row.numbers;
    let classical = |of: fn(&Numbers) -> String| row.classical.as_ref().map(of).unwrap_or_default();
    let share = |share: Option<f64>| share.map(|share| share.to_string()).unwrap_or_default();
    vec![
        row.place.trace.clone(),
        row.policy.clone(),
        row.offline.to_string(),
        row.place.capacity.to_string(),
        row.place.latency.to_string(),
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
        share(row.classical_error),
        share(row.above_lower_bound),
    ]
}

/// A bound is no policy: what it does not have is empty.
fn lower(bounded: &Bounded) -> Vec<String> {
    let limits = &bounded.limits;
    line(bounded, LOWER_BOUND, [None; 3], limits.lower, limits.lower_mean_latency)
}

fn upper(bounded: &Bounded) -> Vec<String> {
    let limits = &bounded.limits;
    let outcomes = [limits.hits, limits.delayed_hits, limits.misses].map(Some);
    line(bounded, BEST_SCHEDULE, outcomes, limits.upper, limits.upper_mean_latency)
}

fn line(bounded: &Bounded, name: &str, outcomes: [Option<u64>; 3], total: u64, mean: f64) -> Vec<String> {
    let Bounded { place, limits } = bounded;
    let mut fields = vec![
        place.trace.clone(),
        name.to_owned(),
        true.to_string(),
        place.capacity.to_string(),
        place.latency.to_string(),
        "delayed-hits".to_owned(),
        limits.requests.to_string(),
    ];
    fields.extend(outcomes.map(|outcome| outcome.map(|count| count.to_string()).unwrap_or_default()));
    fields.extend([total.to_string(), mean.to_string()]);
    fields.resize(HEADER.len() - 1, String::new());
    fields.push(limits.above_lower(mean).map(|share| share.to_string()).unwrap_or_default());
    fields
}
