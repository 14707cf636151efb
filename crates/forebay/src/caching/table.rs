//! The result of `forebay cache` for people.

use super::attribution;
use super::bounds::Limits;
use super::pairwise;
use super::report::{CacheReport, Place, Row, TraceReport};
use super::units::{mean_text, nanoseconds, percent, plain};
use crate::output::columns::{Column, tables};
use std::fmt::Write as _;

/// The name of the lower bound among policies.
pub const LOWER_BOUND: &str = "(lower bound)";
/// The name of the schedule of the upper bound.
pub const BEST_SCHEDULE: &str = "(best schedule found)";

/// The name of the schedule from a file.
pub const SCHEDULE_OF_FILE: &str = "(schedule)";

/// Returns the table for each trace, capacity and latency, with its conclusions.
pub fn table(report: &CacheReport) -> String {
    let mut out = String::new();
    for block in report.results.chunk_by(|a, b| a.place == b.place) {
        let place = &block[0].place;
        let Some(trace) = report.traces.iter().find(|trace| trace.trace == place.trace) else { continue };
        if !out.is_empty() {
            out.push('\n');
        }
        let Place { trace: name, capacity, latency, axes } = place;
        let latency = latency.text(&trace.latency_unit);
        let requests = block[0].mean("requests");
        let swept: String = axes.iter().map(|(axis, value)| format!(", {axis} {}", value.text)).collect();
        let _ = writeln!(
            out,
            "{name}: {capacity} {}, latency {latency}{swept}, {requests} requests\n",
            trace.capacity_unit
        );
        let limits = report.bounds.iter().find(|bounded| &bounded.place == place).map(|bounded| &bounded.limits);
        out.push_str(&rows(trace, block, limits));
        let verdict = report.verdicts.iter().find(|verdict| &verdict.place == place);
        let sentences: Vec<_> =
            [verdict.map(|verdict| verdict.sentence(trace.sample)), limits.and_then(|limits| distance(block, limits))]
                .into_iter()
                .flatten()
                .collect();
        if !sentences.is_empty() {
            let _ = writeln!(out, "\n{}", sentences.join("\n"));
        }
        if let Some(own) = report.pairwise.iter().find(|pairwise| &pairwise.place == place) {
            out += &pairwise::table(own);
        }
        if let Some(own) = report.attributions.iter().find(|attribution| &attribution.place == place) {
            out += &attribution::table(own, &trace.latency_unit);
        }
    }
    out += &notes(report);
    if !report.complete {
        out.push_str("\ninterrupted: the numbers are those up to the interruption\n");
    }
    out
}

/// The policies, and behind them the bounds.
fn rows(trace: &TraceReport, block: &[Row], limits: Option<&Limits>) -> String {
    let least = block.iter().map(|row| row.mean("mean_latency")).fold(f64::INFINITY, f64::min);
    let ticks = |mean: f64| mean_text(&trace.latency_unit, mean);
    let short = |ticks: f64| if trace.latency_unit == "ns" { nanoseconds(ticks) } else { plain(ticks) };
    let named = |name: &str, is_offline: bool| {
        if is_offline && name != SCHEDULE_OF_FILE { format!("{name} (offline)") } else { name.to_owned() }
    };
    // What the bounds have of a column; without one, nothing.
    let column = |head: &str, of: &dyn Fn(&Row) -> String, of_bounds: &dyn Fn(&Limits) -> [String; 2]| {
        let bounds = limits.map(of_bounds).into_iter().flatten();
        Column::new(head, block.iter().map(of).chain(bounds))
    };
    let none = |_: &Limits| [String::new(), String::new()];
    let ratio = |head: &str, name: &'static str, count: fn(&Limits) -> u64| {
        let of_bounds = |limits: &Limits| [share(count(limits), limits.requests), String::new()];
        column(head, &|row| percent(row.mean(name)), &of_bounds)
    };
    let quantile = |head: &str, name: &'static str| {
        column(head, &|row| row.quantities.mean(name).map_or_else(|| "-".to_owned(), short), &none)
    };
    let keys = [column("policy", &|row| named(&row.policy, row.offline), &|_| {
        [BEST_SCHEDULE.to_owned(), LOWER_BOUND.to_owned()]
    })];
    let mut own = vec![
        ratio("hits", "hit_ratio", |limits| limits.hits),
        ratio("delayed", "delayed_hit_ratio", |limits| limits.delayed_hits),
        ratio("misses", "miss_ratio", |limits| limits.misses),
    ];
    if trace.capacity_unit == "bytes" {
        own.push(column("byte misses", &|row| percent(row.mean("byte_miss_ratio")), &none));
    }
    own.push(column("mean latency", &|row| with_interval(trace, row, "mean_latency"), &|limits| {
        [limits.upper_mean_latency, limits.lower_mean_latency].map(ticks)
    }));
    own.push(if limits.is_some() {
        column("above bound", &|row| or_dash(row.above_lower_bound), &|limits| {
            [or_dash(limits.above_lower(limits.upper_mean_latency)), String::new()]
        })
    } else {
        let above = |row: &Row| or_dash((least > 0.0).then(|| row.mean("mean_latency") / least - 1.0));
        column("above least", &above, &none)
    });
    if block.iter().any(|row| row.mean("prefetches") > 0.0) {
        let share = |row: &Row, of: &str, over: &str| percent(row.mean(of) / row.mean(over).max(1.0));
        own.push(column("prefetches", &|row| share(row, "prefetches", "requests"), &none));
        own.push(column("of them used", &|row| share(row, "prefetches_used", "prefetches"), &none));
    }
    own.extend([quantile("p50", "latency_p50"), quantile("p99", "latency_p99"), quantile("p99.9", "latency_p999")]);
    let policies = tables(&keys, &[own]) + &pages(trace, block) + &estimates(block);
    if !block.iter().any(Row::has_classical) {
        return policies;
    }
    let column = |head: &str, of: &dyn Fn(&Row) -> String| Column::new(head, block.iter().map(of));
    let mean = |row: &Row, name: &str| row.quantities.mean(name);
    let classical = vec![
        column("classical hits", &|row| or_dash(mean(row, "classical_miss_ratio").map(|misses| 1.0 - misses))),
        column("classical latency", &|row| mean(row, "classical_mean_latency").map_or_else(|| "-".to_owned(), ticks)),
        column("its error", &|row| or_dash(row.classical_error)),
    ];
    let keys = [column("policy", &|row| named(&row.policy, row.offline))];
    format!("{policies}\n{}", tables(&keys, &[classical]))
}

/// Describes the latencies of pages, if requests follow others.
fn pages(trace: &TraceReport, block: &[Row]) -> String {
    let paged: Vec<&Row> = block.iter().filter(|row| row.quantities.mean("pages").is_some()).collect();
    let short = |ticks: f64| if trace.latency_unit == "ns" { nanoseconds(ticks) } else { plain(ticks) };
    let mean = |row: &Row| row.quantities.mean("page_mean_latency").unwrap_or(0.0);
    let least = paged.iter().map(|row| mean(row)).fold(f64::INFINITY, f64::min);
    let quantile = |head: &str, name: &'static str| {
        Column::new(head, paged.iter().map(|row| row.quantities.mean(name).map_or_else(|| "-".to_owned(), short)))
    };
    let above = |row: &&Row| or_dash((least > 0.0).then(|| mean(row) / least - 1.0));
    if paged.is_empty() {
        return String::new();
    }
    let keys = [Column::new("latency of pages under", paged.iter().map(|row| row.policy.clone()))];
    let own = vec![
        Column::new("pages", paged.iter().map(|row| plain(row.mean("pages")))),
        Column::new("mean latency", paged.iter().map(|row| with_interval(trace, row, "page_mean_latency"))),
        Column::new("above least", paged.iter().map(above)),
        quantile("p50", "page_latency_p50"),
        quantile("p99", "page_latency_p99"),
        quantile("max", "page_latency_max"),
    ];
    format!("\n{}", tables(&keys, &[own]))
}

/// Describes how well MAD forms estimate aggregate delays, if it was asked for.
fn estimates(block: &[Row]) -> String {
    let forms: Vec<&Row> = block.iter().filter(|row| row.quantities.mean("delay_estimates").is_some()).collect();
    if forms.is_empty() {
        return String::new();
    }
    let column = |head: &str, name: &'static str, digits: usize| {
        let text =
            |row: &&Row| row.quantities.mean(name).map_or_else(|| "-".to_owned(), |own| format!("{own:.digits$}"));
        Column::new(head, forms.iter().map(text))
    };
    let keys = [Column::new("aggregate delays estimated by", forms.iter().map(|row| row.policy.clone()))];
    let own = vec![
        column("requests", "delay_estimates", 0),
        column("Pearson", "delay_pearson", 3),
        column("rank (Spearman)", "delay_rank_correlation", 3),
    ];
    format!("\n{}", tables(&keys, &[own]))
}

/// A mean latency, with its confidence interval if there is one.
fn with_interval(trace: &TraceReport, row: &Row, name: &str) -> String {
    let text = |ticks: f64| mean_text(&trace.latency_unit, ticks);
    let latency = row.quantities.get(name);
    let mean = text(latency.and_then(|latency| latency.mean).unwrap_or(0.0));
    match latency.and_then(|latency| latency.ci95) {
        Some(ci95) => format!("{mean} +- {}", text(ci95)),
        None => mean,
    }
}

/// Returns notes about repetitions, and about missing ones.
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

/// Describes the distance of the best policy from the optimum; a policy that does not know the future, if there is any.
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
