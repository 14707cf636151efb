//! `forebay bound TRACE`.

use crate::args::{BoundArgs, Format, Sizes};
use crate::terminal::TERMINAL;
use crate::{Done, interrupt};
use cpu_time::ProcessTime;
use forebay::caching::{self, Effort, LatencyValue, Limits, Reading, capacity_unit, ticks_text, unit};
use forebay::error::{Result, UserError};
use forebay::output::{csv, folder};
use forebay::requests::RequestTrace;
use forebay::{Meter, Unit};
use forebay_cache::Latency;
use forebay_core::Seed;
use serde::Serialize;

/// Between which limits the least total latency lies.
#[derive(Debug, Serialize)]
struct BoundReport {
    trace: String,
    capacity: u64,
    /// `entries` or `bytes`.
    capacity_unit: &'static str,
    latency: LatencyValue,
    /// `slots` or `ns`: what latencies are counted in.
    latency_unit: &'static str,
    #[serde(flatten)]
    limits: Limits,
    /// With --exact: the optimum of the linear programme, which is below every schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    programme: Option<f64>,
    cpu_seconds: f64,
    /// Whether it ended by itself: at the gap, the time or the iterations asked for.
    complete: bool,
}

pub(crate) fn run(args: &BoundArgs) -> Result<Done> {
    let start = ProcessTime::now();
    interrupt::watch();
    let trace = RequestTrace::new(&args.trace, args.reading.format_in.as_ref())?;
    let sized = args.sizes == Sizes::Bytes;
    let population = if args.capacity.is_share() {
        trace.refuse_pipe("a capacity that is a share")?;
        Some(caching::seen(&trace, sized, &TERMINAL, |_| {})?.population)
    } else {
        None
    };
    let capacity = args.capacity.resolve(sized, population).map_err(|error| UserError::argument("capacity", error))?;
    let mut reading = Reading::open(&trace, sized)?;
    let clock = reading.facts().clock;
    let latency = args.latency.resolve(clock).map_err(|error| UserError::argument("latency", error))?;
    let latencies = caching::known(&latency, Seed(args.seed))?;
    let requests = reading.rest(&TERMINAL)?;
    reading.warn(&TERMINAL);
    let programme = if args.exact { Some(caching::programme(&requests, capacity, &latencies)?) } else { None };
    let effort = Effort { iterations: args.iterations, gap: args.gap / 100.0 };
    let bar = Meter::new(&TERMINAL, Unit::Steps, Some(effort.iterations.into()));
    let found = caching::limits(&requests, capacity, &latencies, effort, &TERMINAL, |now| {
        bar.set(now.iteration.into());
        bar.describe(&caching::progress_text(now));
        args.seconds.is_none_or(|seconds| start.elapsed().as_secs_f64() < seconds)
    });
    bar.finish();
    let report = BoundReport {
        trace: trace.place(),
        capacity,
        capacity_unit: capacity_unit(sized),
        latency: match latency {
            Latency::Constant(ticks) => LatencyValue::Ticks(ticks),
            _ => LatencyValue::Drawn(args.latency.to_string()),
        },
        latency_unit: unit(clock),
        limits: found.map_err(|error| UserError::at(trace.place(), error.to_string()))?,
        programme,
        cpu_seconds: start.elapsed().as_secs_f64(),
        complete: !interrupt::requested(),
    };
    let status = if report.complete { 0 } else { interrupt::EXIT_STATUS };
    let text = match args.format {
        Format::Table => describe(&report),
        Format::Json => folder::json(&report)?,
        Format::Csv => line(&report),
    };
    Ok(Done { text, status })
}

fn describe(report: &BoundReport) -> String {
    let BoundReport { trace, capacity, capacity_unit, latency, latency_unit, limits, .. } = report;
    let latency = latency.text(latency_unit);
    let total = |total: u64, mean: f64| format!("{total} {latency_unit}, {} a request", ticks_text(latency_unit, mean));
    let share = |part: u64| format!("{:.1} %", part as f64 / limits.requests.max(1) as f64 * 100.0);
    let mut out = format!("{trace}: {capacity} {capacity_unit}, latency {latency}, {} requests\n\n", limits.requests);
    let mut row = |name: &str, text: String| out += &format!("{name:16}{text}\n");
    row("lower bound", total(limits.lower, limits.lower_mean_latency));
    if let Some(programme) = report.programme {
        row("programme", format!("{programme:.3} {latency_unit}: the exact linear programme"));
    }
    row("upper bound", total(limits.upper, limits.upper_mean_latency));
    row("gap", format!("{:.3} % of the upper bound", limits.gap * 100.0));
    let (hits, delayed, misses) = (share(limits.hits), share(limits.delayed_hits), share(limits.misses));
    row("its schedule", format!("{hits} hits, {delayed} delayed hits, {misses} misses"));
    row("work", format!("{} iterations, {:.1} s of CPU time", limits.iterations, report.cpu_seconds));
    if !report.complete {
        out += "\ninterrupted: both bounds hold; more time would bring them closer\n";
    }
    out
}

fn line(report: &BoundReport) -> String {
    let header = ["trace", "capacity", "latency", "requests", "lower", "upper", "gap", "iterations", "cpu_seconds"];
    let limits = &report.limits;
    let row = vec![
        report.trace.clone(),
        report.capacity.to_string(),
        report.latency.to_string(),
        limits.requests.to_string(),
        limits.lower.to_string(),
        limits.upper.to_string(),
        limits.gap.to_string(),
        limits.iterations.to_string(),
        report.cpu_seconds.to_string(),
    ];
    csv::lines(&header, std::iter::once(row))
}
