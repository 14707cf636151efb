//! Curves as CSV.

use super::CurveReport;
use crate::output::csv;

/// One line for each point.
pub fn curve_csv(report: &CurveReport) -> String {
    let header = [
        "policy",
        "latency",
        "capacity",
        "miss_ratio",
        "delayed_ratio",
        "mean_latency",
        "classical_miss_ratio",
        "classical_mean_latency",
    ];
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let rows = report.curves.iter().flat_map(|curve| {
        curve.points.iter().map(move |point| {
            vec![
                curve.policy.clone(),
                curve.latency.to_string(),
                point.capacity.to_string(),
                number(point.miss_ratio),
                number(point.delayed_ratio),
                number(point.mean_latency),
                number(point.classical_miss_ratio),
                number(point.classical_mean_latency),
            ]
        })
    });
    csv::lines(&header, rows)
}
