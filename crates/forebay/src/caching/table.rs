//! The result of `forebay cache` for people.

use super::attribution;
use super::bounds::Limits;
use super::report::{CacheReport, Place, Row, TraceReport, Verdict};
use super::units::{mean_text, percent};
use crate::output::table::plain_table;
use std::fmt::Write as _;

/// What the lower bound is called among policies.
pub const LOWER_BOUND: &str = "(lower bound)";
/// What the schedule of the upper bound is called.
pub const BEST_SCHEDULE: &str = "(best schedule found)";

/// The table for each trace, capacity and latency, and what is to be learnt from it.
pub fn table(report: &CacheReport) -> String {
    let mut out = String::new();
    for block in report.results.chunk_by(|a, b| a.place == b.place) {
        let place = &block[0].place;
        let Some(trace) = report.traces.iter().find(|trace| trace.trace == place.trace) else { continue };
        if !out.is_empty() {
            out.push('\n');
        }
        let Place { trace: name, capacity, latency, .. } = place;
        let latency = latency.text(&trace.latency_unit);
        let requests = block[0].mean("requests");
        let _ = writeln!(out, "{name}: {capacity} {}, latency {latency}, {requests} requests\n", trace.capacity_unit);
        let limits = report.bounds.iter().find(|bounded| &bounded.place == place).map(|bounded| &bounded.limits);
        out.push_str(&rows(trace, block, limits));
        let verdict = report.verdicts.iter().find(|verdict| &verdict.place == place);
        let sentences: Vec<_> =
            [verdict.map(choice), limits.and_then(|limits| distance(block, limits))].into_iter().flatten().collect();
        if !sentences.is_empty() {
            let _ = writeln!(out, "\n{}", sentences.join("\n"));
        }
        if let Some(own) = report.attributions.iter().find(|attribution| &attribution.place == place) {
            out += &attribution::table(own, &trace.latency_unit);
        }
    }
    out += &notes(report);
    if !report.complete {
        out.push_str("\ninterrupted: these are the numbers up to there\n");
    }
    out
}

fn rows(trace: &TraceReport, block: &[Row], limits: Option<&Limits>) -> String {
    let both = block.iter().any(Row::has_classical);
    let least = block.iter().map(|row| row.mean("mean_latency")).fold(f64::INFINITY, f64::min);
    let ticks = |mean: f64| mean_text(&trace.latency_unit, mean);
    let mut header = vec!["policy", "hits", "delayed", "misses", "mean latency"];
    header.push(if limits.is_some() { "above bound" } else { "above least" });
    if both {
        header.extend(["classical hits", "classical latency", "its error"]);
    }
    let columns = header.len();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in block {
        let latency = row.mean("mean_latency");
        let above = if limits.is_some() { row.above_lower_bound } else { (least > 0.0).then(|| latency / least - 1.0) };
        let name = if row.offline { format!("{} (offline)", row.policy) } else { row.policy.clone() };
        let mut fields = vec![name];
        fields.extend(["hit_ratio", "delayed_hit_ratio", "miss_ratio"].map(|ratio| percent(row.mean(ratio))));
        fields.extend([with_interval(trace, row), or_dash(above)]);
        if row.has_classical() {
            let (classical, error) = (row.mean("classical_miss_ratio"), row.classical_error);
            fields.extend([percent(1.0 - classical), ticks(row.mean("classical_mean_latency")), or_dash(error)]);
        }
        rows.push(fields);
    }
    if let Some(limits) = limits {
        let outcomes = [limits.hits, limits.delayed_hits, limits.misses];
        let mut upper = vec![BEST_SCHEDULE.to_owned()];
        upper.extend(outcomes.map(|count| share(count, limits.requests)));
        upper.extend([ticks(limits.upper_mean_latency), or_dash(limits.above_lower(limits.upper_mean_latency))]);
        let mut lower = vec![LOWER_BOUND.to_owned()];
        lower.extend([const { String::new() }; 3]);
        lower.push(ticks(limits.lower_mean_latency));
        rows.extend([upper, lower]);
    }
    rows.iter_mut().for_each(|fields| fields.resize(columns, String::new()));
    plain_table(header.into_iter().map(str::to_owned).collect(), rows)
}

/// The mean latency, with its confidence interval if there is one.
fn with_interval(trace: &TraceReport, row: &Row) -> String {
    let text = |ticks: f64| mean_text(&trace.latency_unit, ticks);
    let latency = row.quantities.get("mean_latency");
    let mean = text(latency.and_then(|latency| latency.mean).unwrap_or(0.0));
    match latency.and_then(|latency| latency.ci95) {
        Some(ci95) => format!("{mean} +- {}", text(ci95)),
        None => mean,
    }
}

/// What repetitions say, and when they say nothing.
fn notes(report: &CacheReport) -> String {
    let repetitions = report.cache.repetitions;
    if repetitions < 2 {
        return String::new();
    }
    let is_same = |row: &Row| row.runs.windows(2).all(|pair| pair[0].points == pair[1].points);
    let mut out = format!("\nmeans over {repetitions} repetitions; +- is the 95 % confidence interval of the mean\n");
    if report.results.iter().all(is_same) {
        out += "all repetitions have the same numbers: nothing here is random, so one is enough\n";
    }
    out
}

fn share(part: u64, all: u64) -> String {
    percent(part as f64 / all.max(1) as f64)
}

fn or_dash(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), percent)
}

/// Which policy is best, and what the hit rate would have said.
fn choice(verdict: &Verdict) -> String {
    let Verdict { best_by_latency, best_by_hit_rate, regret, .. } = verdict;
    if *regret <= 0.0 {
        return format!("Lowest latency without knowing the future: {best_by_latency}; the hit rate says the same.");
    }
    format!(
        "Lowest latency without knowing the future: {best_by_latency}. The hit rate alone would have chosen \
         {best_by_hit_rate}: {} more latency.",
        percent(*regret)
    )
}

/// How far the best policy is from the optimum; one that does not know the future, if
/// there is any.
fn distance(block: &[Row], limits: &Limits) -> Option<String> {
    let best = |offline: bool| {
        let own = block.iter().filter(|row| row.offline == offline);
        own.min_by(|a, b| a.mean("mean_latency").total_cmp(&b.mean("mean_latency")))
    };
    let best = best(false).or_else(|| best(true))?;
    let (least, most) = limits.above_optimum(best.mean("mean_latency"))?;
    let (least, most) = (percent(least), percent(most));
    let distance = if least == most { most } else { format!("{least} to {most}") };
    Some(format!("{} is {distance} above the optimum.", best.policy))
}
