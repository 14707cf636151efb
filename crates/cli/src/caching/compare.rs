//! Plays all traces and puts the rows together.

use super::attribution::{Attribution, attribution};
use super::capacity::Population;
use super::plan::{Cell, Plan};
use super::play::{CHUNK, play};
use super::report::{CacheReport, LatencyValue, Numbers, Played, Row, TraceReport, shortfall, verdict};
use super::table::unit;
use crate::error::{Result, UserError};
use crate::interrupt;
use crate::requests::RequestTrace;
use forebay_cache::{Choice, Latency};
use forebay_core::Request;
use forebay_traces::requests::Collector;

/// Plays the plan on every trace.
pub(crate) fn compare(plan: &Plan, traces: &[RequestTrace]) -> Result<CacheReport> {
    let mut report = CacheReport {
        traces: Vec::new(),
        seed: plan.seed.0,
        ways: plan.ways,
        warmup_requests: plan.warmup,
        complete: true,
        results: Vec::new(),
        verdicts: Vec::new(),
        attributions: Vec::new(),
    };
    for trace in traces {
        let facts = trace.open()?.facts();
        if plan.sized && !facts.sizes {
            return Err(UserError::at(trace.place(), "this trace has no sizes; leave --sizes bytes out"));
        }
        let population = if plan.needs_population() { Some(seen(trace, plan.sized, |_| {})?.population) } else { None };
        let cells = plan.cells(facts.clock, population)?;
        let played = play(plan, trace, &cells)?;
        let rows: Vec<_> =
            cells.iter().zip(&played).filter_map(|(cell, played)| row(plan, &trace.place(), cell, played)).collect();
        let groups = rows.chunk_by(|a, b| (a.capacity, &a.latency) == (b.capacity, &b.latency));
        report.verdicts.extend(groups.filter_map(verdict));
        report.attributions.extend(attributions(plan, &trace.place(), &cells, &played));
        report.results.extend(rows);
        report.traces.push(TraceReport {
            trace: trace.place(),
            format: facts.format,
            latency_unit: unit(facts.clock),
            capacity_unit: if plan.sized { "bytes" } else { "entries" },
        });
        if interrupt::requested() {
            report.complete = false;
            break;
        }
    }
    Ok(report)
}

fn row(plan: &Plan, trace: &str, cell: &Cell, played: &Played) -> Option<Row> {
    let (model, counts) = match (played.delayed, played.classical) {
        (Some(counts), _) => ("delayed-hits", counts),
        (None, counts) => ("classical", counts?),
    };
    let classical = played.classical.filter(|_| played.delayed.is_some());
    Some(Row {
        trace: trace.to_owned(),
        policy: cell.policy.to_string(),
        offline: cell.policy.offline(),
        capacity: cell.capacity,
        latency: latency_value(plan, cell),
        model,
        numbers: Numbers::from(counts),
        classical: classical.map(Numbers::from),
        classical_error: classical.and_then(|classical| shortfall(counts.mean_latency(), classical.mean_latency())),
    })
}

/// What changes for each object, at each capacity and latency.
fn attributions(plan: &Plan, trace: &str, cells: &[Cell], played: &[Played]) -> Vec<Attribution> {
    let Some(pair) = &plan.attribute else { return Vec::new() };
    let all: Vec<_> = cells.iter().zip(played).collect();
    let groups = all.chunk_by(|(a, _), (b, _)| (a.capacity, a.latency_index) == (b.capacity, b.latency_index));
    let of = |group: &[(&Cell, &Played)]| {
        let objects = |policy: &Choice| {
            let own = group.iter().find(|(cell, _)| cell.policy.to_string() == policy.to_string());
            own.and_then(|(_, played)| played.objects.as_ref())
        };
        let cell = group[0].0;
        let place = (trace.to_owned(), cell.capacity, latency_value(plan, cell));
        Some(attribution(place, pair, objects(&pair.before)?, objects(&pair.after)?))
    };
    groups.filter_map(of).collect()
}

/// The latency of a cell in results.
pub(super) fn latency_value(plan: &Plan, cell: &Cell) -> LatencyValue {
    match cell.latency {
        Latency::Constant(ticks) => LatencyValue::Ticks(ticks),
        _ => LatencyValue::Drawn(plan.latencies[cell.latency_index].to_string()),
    }
}

/// What a pass over the trace shows.
pub(super) struct Seen {
    pub(super) requests: u64,
    pub(super) objects: u64,
    /// What shares of the trace are shares of.
    pub(super) population: Population,
}

/// A pass over the trace before it is played; `also` sees every request.
pub(super) fn seen(trace: &RequestTrace, sized: bool, mut also: impl FnMut(&Request)) -> Result<Seen> {
    let mut reader = trace.open()?;
    let mut collector = Collector::default();
    let mut chunk = Vec::new();
    let mut more = true;
    while more && !interrupt::requested() {
        chunk.clear();
        more = reader.fill(&mut chunk, CHUNK).map_err(|error| trace.error(error))?;
        collector.add(&chunk);
        chunk.iter().for_each(&mut also);
    }
    let statistics = collector.finish(reader.facts());
    let bytes = statistics.size_bytes.filter(|_| sized).map(|sizes| sizes.all_objects);
    let active = (!sized).then_some(statistics.most_active_objects);
    let population = Population { objects: bytes.unwrap_or(statistics.objects), active };
    Ok(Seen { requests: statistics.requests, objects: statistics.objects, population })
}
