//! A search as CSV: a line for each row of the result.

use super::report::{Row, SearchReport};
use crate::output::csv::lines;

const HEADER: [&str; 11] = [
    "policy",
    "innocent_gbps",
    "attack_gbps",
    "displacement",
    "displacement_ci95",
    "bound",
    "closed_form",
    "closed_form_ci95",
    "tried",
    "complete",
    "attack",
];

/// Returns the whole table with its header.
pub fn report(report: &SearchReport) -> String {
    lines(&HEADER, report.results.iter().map(row))
}

fn row(row: &Row) -> Vec<String> {
    let or_empty = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let closed = row.closed_form.as_ref();
    vec![
        row.policy.clone(),
        row.innocent_gbps.to_string(),
        or_empty(row.attack_gbps),
        or_empty(row.displacement),
        or_empty(row.displacement_ci95),
        or_empty(row.bound),
        or_empty(closed.and_then(|closed| closed.displacement)),
        or_empty(closed.and_then(|closed| closed.displacement_ci95)),
        row.tried.to_string(),
        row.complete.to_string(),
        row.words.clone().unwrap_or_default(),
    ]
}
