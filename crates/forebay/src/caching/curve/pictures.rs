//! Curves as pictures: latency and miss ratio over the capacity.

use super::{CurvePoint, CurveReport, CurveTrace};
use crate::caching::units::{nanoseconds, plain};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, panels};

/// The files with their names; none for a model that was not played.
pub fn curve_pictures(report: &CurveReport) -> Result<Vec<(String, String)>> {
    let Some(first) = report.traces.first() else { return Ok(Vec::new()) };
    let x = match first.capacity_unit.as_str() {
        "bytes" => Axis::logarithmic("capacity in bytes"),
        _ => Axis::logarithmic("capacity in entries"),
    };
    let latency = match first.latency_unit.as_str() {
        "ns" => Axis::linear("mean latency").labelled(nanoseconds),
        _ => Axis::linear("mean latency in slots").labelled(plain),
    };
    let ratio = Axis::linear("miss ratio").labelled(|share| format!("{:.0} %", share * 100.0));
    let heading =
        if report.traces.iter().all(|trace| trace.trace == first.trace) { &first.trace } else { &report.scenario };
    let of_latency = of_each(report, |point| point.mean_latency.or(point.classical_mean_latency));
    let mut of_ratio = of_each(report, |point| point.miss_ratio.or(point.classical_miss_ratio));
    for (panel, trace) in of_ratio.iter_mut().zip(&report.traces) {
        let stack = trace.lru_miss_ratio.iter().map(|point| (point.capacity as f64, point.miss_ratio));
        panel.curves.push(Curve { label: "lru, classical (exact)".to_owned(), points: stack.collect() });
    }
    Ok(vec![
        ("latency.svg".to_owned(), panels(heading, [x, latency], &of_latency)?),
        ("miss-ratio.svg".to_owned(), panels(heading, [x, ratio], &of_ratio)?),
    ])
}

/// A panel for each trace and value of the axes, with a line for each policy.
fn of_each(report: &CurveReport, quantity: impl Fn(&CurvePoint) -> Option<f64>) -> Vec<Panel> {
    let panel = |trace: &CurveTrace| {
        let curve = |curve: &super::Curve| {
            let point = |point: &CurvePoint| Some((point.capacity as f64, quantity(point)?));
            let label = if curve.offline { format!("{} (offline)", curve.policy) } else { curve.policy.clone() };
            Curve { label, points: curve.points.iter().filter_map(point).collect() }
        };
        Panel { title: title(trace), curves: report.of(trace).map(curve).collect() }
    };
    report.traces.iter().map(panel).collect()
}

fn title(trace: &CurveTrace) -> String {
    let others = trace.axes.iter().filter(|(name, _)| name != "latency");
    let others: String = others.map(|(name, value)| format!(", {name} {}", value.text)).collect();
    format!("latency {}{others}", trace.latency.text(&trace.latency_unit))
}
