//! An attack study as CSV: a line for each row of the result.

use super::report::{AttackReport, Row};
use crate::output::csv::lines;

const HEADER: [&str; 17] = [
    "policy",
    "innocent_gbps",
    "attack_gbps",
    "goodput_gbps",
    "goodput_gbps_ci95",
    "baseline_gbps",
    "baseline_gbps_ci95",
    "displacement",
    "displacement_ci95",
    "bound",
    "predicted",
    "strategy",
    "attack_packet_bytes",
    "attack_job_ns",
    "attack_served",
    "seeds",
    "complete",
];

/// The whole table with its header.
pub fn report(report: &AttackReport) -> String {
    lines(&HEADER, report.rows.iter().map(row))
}

fn row(row: &Row) -> Vec<String> {
    let or_empty = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    vec![
        row.policy.clone(),
        row.innocent_gbps.to_string(),
        row.attack_gbps.to_string(),
        or_empty(row.goodput_gbps),
        or_empty(row.goodput_gbps_ci95),
        or_empty(row.baseline_gbps),
        or_empty(row.baseline_gbps_ci95),
        or_empty(row.displacement),
        or_empty(row.displacement_ci95),
        or_empty(row.bound),
        or_empty(row.predicted),
        row.strategy.name().to_owned(),
        row.attack_packet_bytes.map_or_else(String::new, |bytes| bytes.to_string()),
        or_empty(row.attack_job_ns),
        or_empty(row.attack_served),
        row.displacement_values.iter().flatten().count().to_string(),
        row.complete.to_string(),
    ]
}
