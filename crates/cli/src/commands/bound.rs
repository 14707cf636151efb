//! `forebay bound TRACE`.

use crate::args::{BoundArgs, Format, Sizes};
use crate::caching::{LatencySpec, ticks_text, unit};
use crate::error::{Result, UserError};
use crate::output::{csv, folder};
use crate::requests::RequestTrace;
use crate::{Done, interrupt, progress, warn};
use cpu_time::ProcessTime;
use forebay_belatedly::{Options, Progress, bound};
use forebay_cache::Latency;
use forebay_core::{Clock, Request, Seed};
use serde::Serialize;
use std::ops::ControlFlow;

/// Between which limits the least total latency lies.
#[derive(Debug, Serialize)]
struct BoundReport {
    trace: String,
    capacity: u64,
    /// `entries` or `bytes`.
    capacity_unit: &'static str,
    latency: String,
    /// `slots` or `ns`: what latencies are counted in.
    latency_unit: &'static str,
    requests: u64,
    /// No schedule has a lower total latency.
    lower: u64,
    /// The total latency of a schedule, as simulated.
    upper: u64,
    /// (upper - lower) / upper.
    gap: f64,
    lower_mean_latency: f64,
    upper_mean_latency: f64,
    /// What the schedule does.
    hits: u64,
    delayed_hits: u64,
    misses: u64,
    iterations: u32,
    cpu_seconds: f64,
    /// Whether it ended by itself: at the gap, the time or the iterations asked for.
    complete: bool,
}

/// How many requests are read at a time.
const CHUNK: usize = 1 << 16;

pub(crate) fn run(args: &BoundArgs) -> Result<Done> {
    let start = ProcessTime::now();
    interrupt::watch();
    let trace = RequestTrace::new(&args.trace, &args.reading)?;
    let (requests, clock) = read(&trace, args.sizes)?;
    let sized = args.sizes == Sizes::Bytes;
    let capacity = args.capacity.resolve(sized, None).map_err(|error| UserError::at("--capacity", error))?;
    let latency_of = latencies(&args.latency, clock, args.seed)?;
    let options = Options { iterations: args.iterations, gap: args.gap / 100.0, ..Options::default() };
    let bar = progress::steps(options.iterations.into());
    let watch = |now: &Progress| {
        bar.set_position(now.iteration.into());
        bar.set_message(format!(
            "lower {:.6e}, upper {:.6e}, gap {:.3} %",
            now.lower,
            now.upper as f64,
            now.gap() * 100.0
        ));
        let late = args.seconds.is_some_and(|seconds| start.elapsed().as_secs_f64() >= seconds);
        if late || interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let found = bound(&requests, capacity, latency_of, &options, watch);
    bar.finish_and_clear();
    let found = found.map_err(|error| UserError::at(trace.place(), error.to_string()))?;
    let mean = |total: u64| total as f64 / found.requests.max(1) as f64;
    let report = BoundReport {
        trace: trace.place(),
        capacity,
        capacity_unit: if sized { "bytes" } else { "entries" },
        latency: args.latency.to_string(),
        latency_unit: unit(clock),
        requests: found.requests as u64,
        lower: found.lower,
        upper: found.upper,
        gap: found.gap(),
        lower_mean_latency: mean(found.lower),
        upper_mean_latency: mean(found.upper),
        hits: found.outcome.hits,
        delayed_hits: found.outcome.delayed_hits,
        misses: found.outcome.misses,
        iterations: found.iterations,
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

/// The whole trace.
fn read(trace: &RequestTrace, sizes: Sizes) -> Result<(Vec<Request>, Clock)> {
    let mut reader = trace.open()?;
    let facts = reader.facts();
    if sizes == Sizes::Bytes && !facts.sizes {
        return Err(UserError::at(trace.place(), "this trace has no sizes; leave --sizes bytes out"));
    }
    let mut requests = Vec::new();
    while reader.fill(&mut requests, CHUNK).map_err(|error| trace.error(error))? {}
    for warning in reader.warnings() {
        warn(&format!("{}: {warning}", trace.place()));
    }
    if sizes == Sizes::Unit {
        requests.iter_mut().for_each(|request| request.size = 1);
    }
    Ok((requests, facts.clock))
}

/// The latency of each request's fetch.
fn latencies(spec: &LatencySpec, clock: Clock, seed: u64) -> Result<impl Fn(&Request) -> u64> {
    let wrong = |message: String| UserError::at("--latency", message);
    let latency = spec.resolve(clock).map_err(wrong)?;
    if !matches!(latency, Latency::Constant(_) | Latency::Origins(_)) {
        return Err(wrong("a bound needs to know every latency; write one, or origins(...)".to_owned()));
    }
    let latencies = latency.prepare(Seed(seed)).map_err(|error| wrong(error.to_string()))?;
    Ok(move |request: &Request| latencies.expected(request.key))
}

fn describe(report: &BoundReport) -> String {
    let BoundReport { trace, capacity, capacity_unit, latency, latency_unit, requests, .. } = report;
    let unit = if latency.bytes().all(|byte| byte.is_ascii_digit()) { " slots" } else { "" };
    let total = |total: u64, mean: f64| format!("{total} {latency_unit}, {} a request", ticks_text(latency_unit, mean));
    let share = |part: u64| format!("{:.1} %", part as f64 / (*requests).max(1) as f64 * 100.0);
    let mut out = format!("{trace}: {capacity} {capacity_unit}, latency {latency}{unit}, {requests} requests\n\n");
    let mut row = |name: &str, text: String| out += &format!("{name:16}{text}\n");
    row("lower bound", total(report.lower, report.lower_mean_latency));
    row("upper bound", total(report.upper, report.upper_mean_latency));
    row("gap", format!("{:.3} % of the upper bound", report.gap * 100.0));
    let (hits, delayed, misses) = (share(report.hits), share(report.delayed_hits), share(report.misses));
    row("its schedule", format!("{hits} hits, {delayed} delayed hits, {misses} misses"));
    row("work", format!("{} iterations, {:.1} s of CPU time", report.iterations, report.cpu_seconds));
    if !report.complete {
        out += "\ninterrupted: both bounds hold; more time would bring them closer\n";
    }
    out
}

fn line(report: &BoundReport) -> String {
    let header = ["trace", "capacity", "latency", "requests", "lower", "upper", "gap", "iterations", "cpu_seconds"];
    let row = vec![
        report.trace.clone(),
        report.capacity.to_string(),
        report.latency.clone(),
        report.requests.to_string(),
        report.lower.to_string(),
        report.upper.to_string(),
        report.gap.to_string(),
        report.iterations.to_string(),
        report.cpu_seconds.to_string(),
    ];
    csv::lines(&header, std::iter::once(row))
}
