//! Curves as pictures: latency and miss ratio over the capacity.

use super::{CurveReport, Point};
use crate::caching::units::{LatencyValue, nanoseconds, plain};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, panels};

/// The files with their names; none for a model that was not played.
pub fn curve_pictures(report: &CurveReport) -> Result<Vec<(String, String)>> {
    let x = match report.capacity_unit {
        "bytes" => Axis::logarithmic("capacity in bytes"),
        _ => Axis::logarithmic("capacity in entries"),
    };
    let latency = match report.latency_unit {
        "ns" => Axis::linear("mean latency").labelled(nanoseconds),
        _ => Axis::linear("mean latency in slots").labelled(plain),
    };
    let ratio = Axis::linear("miss ratio").labelled(|share| format!("{:.0} %", share * 100.0));
    let mut files = Vec::new();
    let of_latency = of_each_latency(report, |point| point.mean_latency.or(point.classical_mean_latency));
    files.push(("latency.svg".to_owned(), panels(&report.trace, [x, latency], &of_latency)?));
    let mut of_ratio = of_each_latency(report, |point| point.miss_ratio.or(point.classical_miss_ratio));
    let stack = report.lru_miss_ratio.iter().map(|point| (point.capacity as f64, point.miss_ratio));
    let stack = Curve { label: "lru, classical (exact)".to_owned(), points: stack.collect() };
    of_ratio.iter_mut().for_each(|panel| panel.curves.push(stack.clone()));
    files.push(("miss-ratio.svg".to_owned(), panels(&report.trace, [x, ratio], &of_ratio)?));
    Ok(files)
}

/// A panel for each latency, with a line for each policy.
fn of_each_latency(report: &CurveReport, quantity: impl Fn(&Point) -> Option<f64>) -> Vec<Panel> {
    let panel = |latency: &LatencyValue| {
        let curve = |curve: &super::Curve| {
            let point = |point: &Point| Some((point.capacity as f64, quantity(point)?));
            let label = if curve.offline { format!("{} (offline)", curve.policy) } else { curve.policy.clone() };
            Curve { label, points: curve.points.iter().filter_map(point).collect() }
        };
        let title = format!("latency {}", latency.text(report.latency_unit));
        Panel { title, curves: report.of(latency).map(curve).collect() }
    };
    report.latencies().into_iter().map(panel).collect()
}
