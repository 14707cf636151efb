//! Curves for people.

use super::{Curve, CurvePoint, CurveReport, CurveTrace};
use crate::caching::units::mean_text;
use crate::output::table::plain_table;

/// Returns a table of mean latencies and one of miss ratios, with one row for each capacity.
pub fn curve_table(report: &CurveReport) -> String {
    let mut out = String::new();
    let mut last = None;
    for trace in &report.traces {
        if last != Some((&trace.trace, trace.requests)) {
            out += &heading(trace);
            last = Some((&trace.trace, trace.requests));
        }
        let own: Vec<&Curve> = report.of(trace).collect();
        out += &tables(trace, &own);
    }
    if report.cache.repetitions > 1 {
        out += &format!("\nmeans over {} repetitions\n", report.cache.repetitions);
    }
    if !report.complete {
        out.push_str("\ninterrupted: the numbers are those up to the interruption\n");
    }
    out
}

fn heading(trace: &CurveTrace) -> String {
    let mut out = format!("{}: {} requests, {} objects", trace.trace, trace.requests, trace.objects);
    if trace.sample < 1.0 {
        out += &format!("; {:.1} % of the objects played", trace.sample * 100.0);
    }
    out + "\n"
}

fn tables(trace: &CurveTrace, own: &[&Curve]) -> String {
    let latency = trace.latency.text(&trace.latency_unit);
    let mut out = String::new();
    let mut block = |title: String, cell: &dyn Fn(&CurvePoint) -> Option<String>| {
        let header = std::iter::once(trace.capacity_unit.clone());
        let header = header.chain(own.iter().map(|curve| curve.policy.clone())).collect();
        let capacities = own.first().map_or(&[][..], |curve| &curve.points);
        let rows: Vec<Vec<String>> = (0..capacities.len())
            .map(|index| {
                let cells = own.iter().map(|curve| cell(&curve.points[index]).unwrap_or_default());
                std::iter::once(capacities[index].capacity.to_string()).chain(cells).collect()
            })
            .collect();
        out += &format!("\n{title}\n\n{}", plain_table(header, rows));
    };
    let has = |of: fn(&CurvePoint) -> Option<f64>| {
        own.iter().any(|curve| curve.points.iter().any(|point| of(point).is_some()))
    };
    if has(|point| point.mean_latency) {
        block(format!("mean latency, with fetches of {latency}"), &|point| {
            point.mean_latency.map(|mean| mean_text(&trace.latency_unit, mean))
        });
    }
    let ratio = |ratio: Option<f64>| ratio.map(|ratio| format!("{:.2} %", ratio * 100.0));
    if has(|point| point.classical_miss_ratio) {
        block("miss ratio in the classical model".to_owned(), &|point| ratio(point.classical_miss_ratio));
    } else {
        block("miss ratio with delayed hits".to_owned(), &|point| ratio(point.miss_ratio));
    }
    out
}
