//! The picture of `forebay cache`: mean latencies, and how low they could be.

use super::report::{Bounded, CacheReport, Place, Row, TraceReport};
use super::table::{BEST_SCHEDULE, LOWER_BOUND};
use super::units::{LatencyValue, nanoseconds, plain};
use crate::error::Result;
use crate::output::bars::{Bar, BarPanel, bars};
use crate::output::curves::{Axis, Curve, Panel, panels};

/// Lines over the latency where there are several, else bars.
pub fn plot(report: &CacheReport) -> Result<String> {
    let known = |row: &Row| matches!(row.place.latency, LatencyValue::Ticks(_));
    let over_latency = report.results.iter().all(known)
        && capacities(report).iter().all(|rows| rows.iter().any(|row| row.place.latency != rows[0].place.latency));
    if over_latency { lines(report) } else { all_bars(report) }
}

/// The rows of each trace and capacity.
fn capacities(report: &CacheReport) -> Vec<Vec<&Row>> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in &report.results {
        let of = |row: &Row| (row.place.trace.clone(), row.place.capacity);
        match groups.iter_mut().find(|group| of(group[0]) == of(row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

fn trace_of<'a>(report: &'a CacheReport, row: &Row) -> Option<&'a TraceReport> {
    report.traces.iter().find(|trace| trace.trace == row.place.trace)
}

/// The name of the trace stands above the panels, or in each if there are several.
fn heading(report: &CacheReport) -> String {
    match report.traces.as_slice() {
        [only] => only.trace.clone(),
        _ => "mean latency".to_owned(),
    }
}

fn before(report: &CacheReport, place: &Place) -> String {
    if report.traces.len() > 1 { format!("{}, ", place.trace) } else { String::new() }
}

fn name(row: &Row) -> String {
    if row.offline { format!("{} (offline)", row.policy) } else { row.policy.clone() }
}

/// A panel for each capacity. Mean latencies are shares of the latency of a fetch, since
/// they would lie on one diagonal otherwise.
fn lines(report: &CacheReport) -> Result<String> {
    let panel = |rows: Vec<&Row>| {
        let place = &rows[0].place;
        let unit = trace_of(report, rows[0]).map_or("", |trace| trace.capacity_unit.as_str());
        let mut curves: Vec<Curve> = Vec::new();
        let mut add = |label: String, latency: &LatencyValue, mean: f64| {
            let LatencyValue::Ticks(ticks) = latency else { return };
            let point = (*ticks as f64, mean / *ticks as f64);
            match curves.iter_mut().find(|curve| curve.label == label) {
                Some(curve) => curve.points.push(point),
                None => curves.push(Curve { label, points: vec![point] }),
            }
        };
        for row in &rows {
            add(name(row), &row.place.latency, row.mean("mean_latency"));
        }
        let own = |bounded: &&Bounded| (&bounded.place.trace, bounded.place.capacity) == (&place.trace, place.capacity);
        for bounded in report.bounds.iter().filter(own) {
            add(LOWER_BOUND.to_owned(), &bounded.place.latency, bounded.limits.lower_mean_latency);
        }
        curves.iter_mut().for_each(|curve| curve.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
        Panel { title: format!("{}{} {unit}", before(report, place), place.capacity), curves }
    };
    let is_time = report.traces.iter().any(|trace| trace.latency_unit == "ns");
    let x = match is_time {
        true => Axis::logarithmic("latency of a fetch").labelled(nanoseconds),
        false => Axis::logarithmic("latency of a fetch in slots").labelled(plain),
    };
    let y = Axis::linear("mean latency / latency of a fetch").labelled(|share| format!("{:.0} %", share * 100.0));
    panels(&heading(report), [x, y], &capacities(report).into_iter().map(panel).collect::<Vec<_>>())
}

/// A panel for each capacity and latency.
fn all_bars(report: &CacheReport) -> Result<String> {
    let panel = |rows: &[Row]| {
        let trace = trace_of(report, &rows[0])?;
        let place = &rows[0].place;
        let mut all: Vec<Bar> = rows
            .iter()
            .map(|row| Bar { label: name(row), value: row.mean("mean_latency"), is_reference: row.offline })
            .collect();
        if let Some(bounded) = report.bounds.iter().find(|bounded| &bounded.place == place) {
            let bar = |label: &str, value| Bar { label: label.to_owned(), value, is_reference: true };
            all.push(bar(BEST_SCHEDULE, bounded.limits.upper_mean_latency));
            all.push(bar(LOWER_BOUND, bounded.limits.lower_mean_latency));
        }
        let latency = place.latency.text(&trace.latency_unit);
        Some(BarPanel {
            title: format!("{}{} {}, latency {latency}", before(report, place), place.capacity, trace.capacity_unit),
            axis: if trace.latency_unit == "ns" { "mean latency" } else { "mean latency in slots" },
            format: if trace.latency_unit == "ns" { nanoseconds } else { plain },
            bars: all,
        })
    };
    let blocks = report.results.chunk_by(|a, b| a.place == b.place);
    bars(&heading(report), &blocks.filter_map(panel).collect::<Vec<_>>())
}
