//! Curves as pictures: latency and miss ratio over the capacity.

use super::{CurvePoint, CurveReport, CurveTrace};
use crate::figure::{Axis, Figure, Point, Unit};
use crate::picture::Picture;
use crate::statistics::Estimate;

/// LRU in the classical model, from stack distances.
const STACK: &str = "lru, classical (exact)";

/// Returns all pictures, except for models that were not played.
pub fn curve_pictures(report: &CurveReport) -> Vec<Picture> {
    let Some(first) = report.traces.first() else { return Vec::new() };
    let heading =
        if report.traces.iter().all(|trace| trace.trace == first.trace) { &first.trace } else { &report.scenario };
    let in_unit = |unit: &str| Unit::of_result(if unit == "ns" { "s" } else { unit }, false);
    let (x, ticks) = (in_unit(&first.capacity_unit), in_unit(&first.latency_unit));
    let x = Axis::logarithmic("capacity", x);
    let latency = Axis::linear("mean latency", ticks);
    let scale = if first.latency_unit == "ns" { 1e-9 } else { 1.0 };
    let of_latency = of_each(report, heading, [&x, &latency], scale, ["mean_latency", "classical_mean_latency"]);
    let ratio = Axis::linear("miss ratio", Unit::Share);
    let mut of_ratio = of_each(report, heading, [&x, &ratio], 1.0, ["miss_ratio", "classical_miss_ratio"]);
    for trace in &report.traces {
        let stack = trace.lru_miss_ratio.iter().map(|point| Point::of(point.capacity as f64, point.miss_ratio));
        of_ratio.panel(&title(trace), [&x, &ratio]).add(STACK, stack);
    }
    vec![Picture::new("latency", "lines", of_latency), Picture::new("miss-ratio", "lines", of_ratio)]
}

/// A panel for each trace and value of the axes, with a line for each policy; the second quantity where there is no first.
fn of_each(report: &CurveReport, heading: &str, axes: [&Axis; 2], scale: f64, quantities: [&str; 2]) -> Figure {
    let mut figure = Figure::titled(heading, "policy");
    let point = |point: &CurvePoint| {
        let mut estimates = quantities.iter().filter_map(|name| point.quantities.get(name));
        let estimate: &Estimate = estimates.find(|estimate| estimate.mean.is_some())?;
        let samples = estimate.values.iter().flatten().count();
        let ci95 = estimate.ci95.map(|ci95| ci95 * scale);
        Some(Point { x: point.capacity as f64, y: estimate.mean? * scale, ci95, samples })
    };
    for trace in &report.traces {
        for curve in report.of(trace) {
            let label = if curve.offline { format!("{} (offline)", curve.policy) } else { curve.policy.clone() };
            figure.panel(&title(trace), axes).add(&label, curve.points.iter().filter_map(point));
        }
    }
    figure
}

fn title(trace: &CurveTrace) -> String {
    let others = trace.axes.iter().filter(|(name, _)| name != "latency");
    let others: String = others.map(|(name, value)| format!(", {name} {}", value.text)).collect();
    format!("latency {}{others}", trace.latency.text(&trace.latency_unit))
}
