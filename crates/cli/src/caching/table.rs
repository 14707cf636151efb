//! The result of `forebay cache` for people.

use super::attribution::{self, Attribution};
use super::report::{CacheReport, LatencyValue, Row, TraceReport, Verdict};
use crate::output::table::plain_table;
use forebay_core::{Clock, Duration};
use std::fmt::Write as _;

/// A table for each trace, capacity and latency, and what is to be learnt from it.
pub(crate) fn table(report: &CacheReport) -> String {
    let mut out = String::new();
    let blocks =
        report.results.chunk_by(|a, b| (&a.trace, a.capacity, &a.latency) == (&b.trace, b.capacity, &b.latency));
    for block in blocks {
        let first = &block[0];
        let Some(trace) = report.traces.iter().find(|trace| trace.trace == first.trace) else { continue };
        let latency = match &first.latency {
            LatencyValue::Ticks(ticks) => ticks_text(trace.latency_unit, *ticks as f64),
            LatencyValue::Drawn(text) => text.clone(),
        };
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(
            out,
            "{}: {} {}, latency {latency}, {} requests\n",
            first.trace, first.capacity, trace.capacity_unit, first.numbers.requests
        );
        out.push_str(&rows(trace, block));
        if let Some(verdict) = report.verdicts.iter().find(|verdict| is_about(verdict, first)) {
            let _ = writeln!(out, "\n{}", sentence(verdict));
        }
        let is_own = |own: &&Attribution| {
            (&own.trace, own.capacity, &own.latency) == (&first.trace, first.capacity, &first.latency)
        };
        if let Some(own) = report.attributions.iter().find(is_own) {
            out += &attribution::table(own, trace.latency_unit);
        }
    }
    if !report.complete {
        out.push_str("\ninterrupted: these are the numbers up to there\n");
    }
    out
}

fn is_about(verdict: &Verdict, row: &Row) -> bool {
    (&verdict.trace, verdict.capacity, &verdict.latency) == (&row.trace, row.capacity, &row.latency)
}

fn rows(trace: &TraceReport, block: &[Row]) -> String {
    let both = block.iter().any(|row| row.classical.is_some());
    let least = block.iter().map(|row| row.numbers.mean_latency).fold(f64::INFINITY, f64::min);
    let mut header = vec!["policy", "hits", "delayed", "misses", "mean latency", "above least"];
    if both {
        header.extend(["classical hits", "classical latency", "its error"]);
    }
    let rows = block.iter().map(|row| {
        let numbers = &row.numbers;
        let share = |part: u64| percent(part as f64 / numbers.requests.max(1) as f64);
        let above = if least > 0.0 { percent(numbers.mean_latency / least - 1.0) } else { "-".to_owned() };
        let name = if row.offline { format!("{} (offline)", row.policy) } else { row.policy.clone() };
        let mut fields = vec![
            name,
            share(numbers.hits),
            share(numbers.delayed_hits),
            share(numbers.misses),
            ticks_text(trace.latency_unit, numbers.mean_latency),
            above,
        ];
        if both {
            let classical = row.classical.as_ref();
            fields.push(classical.map_or_else(String::new, |numbers| percent(numbers.hit_ratio)));
            fields.push(
                classical.map_or_else(String::new, |numbers| ticks_text(trace.latency_unit, numbers.mean_latency)),
            );
            fields.push(row.classical_error.map_or_else(|| "-".to_owned(), |error| percent(-error)));
        }
        fields
    });
    plain_table(header.into_iter().map(str::to_owned).collect(), rows.collect())
}

fn sentence(verdict: &Verdict) -> String {
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

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// What a tick is called in results.
pub(crate) fn unit(clock: Clock) -> &'static str {
    match clock {
        Clock::Slots => "slots",
        Clock::Nanoseconds => "ns",
    }
}

/// A latency in that unit, for people.
pub(crate) fn ticks_text(unit: &str, ticks: f64) -> String {
    if unit == "ns" {
        return Duration::from_secs_f64(ticks / 1e9).to_string();
    }
    let digits = if ticks >= 1_000.0 || ticks.fract() == 0.0 { 0 } else { 3 };
    format!("{ticks:.digits$} slots")
}
