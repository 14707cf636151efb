//! Plays all traces and puts the rows together.

use super::attribution::{Attribution, attribution};
use super::bounded::{Bounded, Question};
use super::plan::{Cell, Plan};
use super::play::play;
use super::population::seen;
use super::reading::Reading;
use super::report::{CacheReport, Numbers, Place, Played, Row, TraceReport, error_of, verdict};
use super::units::{LatencyValue, capacity_unit, unit};
use crate::error::{Result, UserError};
use crate::observer::Observer;
use crate::requests::RequestTrace;
use forebay_cache::{Choice, Latency};

/// Plays the plan on every trace.
pub fn compare(plan: &Plan, traces: &[RequestTrace], observer: &dyn Observer) -> Result<CacheReport> {
    let mut report = CacheReport {
        traces: Vec::new(),
        seed: plan.seed.0,
        ways: plan.ways,
        warmup_requests: plan.warmup,
        complete: true,
        results: Vec::new(),
        bounds: Vec::new(),
        verdicts: Vec::new(),
        attributions: Vec::new(),
    };
    // Whatever fits one of the traces only is found before the first is played.
    let opened = traces.iter().map(|trace| Ok((trace, cells(plan, trace, observer)?))).collect::<Result<Vec<_>>>()?;
    for (trace, cells) in opened {
        add(&mut report, plan, trace, &cells, observer)?;
        if !observer.goes_on() {
            report.complete = false;
            break;
        }
    }
    Ok(report)
}

fn cells(plan: &Plan, trace: &RequestTrace, observer: &dyn Observer) -> Result<Vec<Cell>> {
    let facts = Reading::open(trace, plan.sized)?.facts();
    let population =
        if plan.needs_population() { Some(seen(trace, plan.sized, observer, |_| {})?.population) } else { None };
    plan.cells(&trace.place(), facts.clock, population)
}

/// Plays one trace.
fn add(
    report: &mut CacheReport,
    plan: &Plan,
    trace: &RequestTrace,
    cells: &[Cell],
    observer: &dyn Observer,
) -> Result<()> {
    let facts = Reading::open(trace, plan.sized)?.facts();
    let question = Question::new(plan, trace, observer)?;
    let played = play(plan, trace, cells, question.as_ref().map(|question| &question.requests[..]), observer)?;
    if plan.warmup > 0 && observer.goes_on() && played.iter().all(Played::is_empty) {
        let message =
            format!("{}: the trace has no more than {} requests; none is left to count", trace.place(), plan.warmup);
        return Err(UserError::argument("warmup", message));
    }
    let bounds = match &question {
        // A bound is of all requests, and so must be what it is compared with.
        Some(question) if observer.goes_on() => {
            question.bounded(trace, cells, |cell| place(plan, trace, cell), observer)?
        }
        _ => Vec::new(),
    };
    let rows: Vec<_> = cells
        .iter()
        .zip(&played)
        .filter_map(|(cell, played)| row(place(plan, trace, cell), cell, played, &bounds))
        .collect();
    let groups = rows.chunk_by(|a, b| a.place == b.place);
    report.verdicts.extend(groups.filter_map(verdict));
    report.attributions.extend(attributions(plan, trace, cells, &played));
    report.results.extend(rows);
    report.bounds.extend(bounds);
    report.traces.push(TraceReport {
        trace: trace.place(),
        format: facts.format,
        latency_unit: unit(facts.clock),
        capacity_unit: capacity_unit(plan.sized),
    });
    Ok(())
}

fn row(place: Place, cell: &Cell, played: &Played, bounds: &[Bounded]) -> Option<Row> {
    let (model, counts) = match (played.delayed, played.classical) {
        (Some(counts), _) => ("delayed-hits", counts),
        (None, counts) => ("classical", counts?),
    };
    let classical = played.classical.filter(|_| played.delayed.is_some());
    let bounded = bounds.iter().find(|bounded| bounded.place == place);
    Some(Row {
        place,
        policy: cell.policy.to_string(),
        offline: cell.policy.offline(),
        mad: cell.policy.is_mad(),
        model,
        numbers: Numbers::from(counts),
        classical: classical.map(Numbers::from),
        classical_error: classical.and_then(|classical| error_of(classical.mean_latency(), counts.mean_latency())),
        above_lower_bound: bounded.and_then(|bounded| bounded.limits.above_lower(counts.mean_latency())),
    })
}

/// What changes for each object, at each capacity and latency.
fn attributions(plan: &Plan, trace: &RequestTrace, cells: &[Cell], played: &[Played]) -> Vec<Attribution> {
    let Some(pair) = &plan.attribute else { return Vec::new() };
    let all: Vec<_> = cells.iter().zip(played).collect();
    let groups = all.chunk_by(|(a, _), (b, _)| (a.capacity, a.latency_index) == (b.capacity, b.latency_index));
    let of = |group: &[(&Cell, &Played)]| {
        let objects = |policy: &Choice| {
            let own = group.iter().find(|(cell, _)| cell.policy.to_string() == policy.to_string());
            own.and_then(|(_, played)| played.objects.as_ref())
        };
        Some(attribution(place(plan, trace, group[0].0), pair, objects(&pair.before)?, objects(&pair.after)?))
    };
    groups.filter_map(of).collect()
}

fn place(plan: &Plan, trace: &RequestTrace, cell: &Cell) -> Place {
    Place { trace: trace.place(), capacity: cell.capacity, latency: latency_value(plan, cell) }
}

/// The latency of a cell in results.
pub(super) fn latency_value(plan: &Plan, cell: &Cell) -> LatencyValue {
    match cell.latency {
        Latency::Constant(ticks) => LatencyValue::Ticks(ticks),
        _ => LatencyValue::Drawn(plan.latencies[cell.latency_index].to_string()),
    }
}
