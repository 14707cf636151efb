//! A network scenario as CSV in long form: one line per number, so that every tool can filter, group and plot it.

use super::report::{CellReport, NetworkReport, Quantities};
use crate::output::csv::lines;

/// The whole table with its header: `scheme`, every axis, then the flows (workload and sizes; `run` for what is not of
/// flows, `state` and the name for states in switches), the quantity, and its mean over repetitions.
pub fn report(report: &NetworkReport) -> String {
    let mut axes: Vec<&str> = Vec::new();
    for (name, _) in report.results.iter().flat_map(|cell| &cell.axes) {
        if !axes.contains(&name.as_str()) {
            axes.push(name);
        }
    }
    let of_flows = ["workload", "sizes", "quantity", "repetitions", "mean", "ci95"];
    let header: Vec<&str> = std::iter::once("policy").chain(axes.iter().copied()).chain(of_flows).collect();
    lines(&header, report.results.iter().flat_map(|cell| rows(cell, &axes)))
}

fn rows(cell: &CellReport, axes: &[&str]) -> Vec<Vec<String>> {
    let value = |axis: &&str| {
        let value = cell.axes.iter().find(|(name, _)| name == axis);
        value.map_or_else(String::new, |(_, value)| value.text.clone())
    };
    let keys: Vec<String> = std::iter::once(cell.policy.clone()).chain(axes.iter().map(value)).collect();
    let or_empty = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let of_group = |workload: &str, sizes: &str, quantities: &Quantities| -> Vec<Vec<String>> {
        let row = |(name, estimate): (&str, &crate::study::Estimate)| {
            let count = estimate.values.iter().flatten().count().to_string();
            let own = [workload.to_owned(), sizes.to_owned(), name.to_owned(), count];
            let numbers = [or_empty(estimate.mean), or_empty(estimate.ci95)];
            keys.iter().cloned().chain(own).chain(numbers).collect()
        };
        quantities.iter().map(row).collect()
    };
    let groups = cell
        .groups
        .iter()
        .flat_map(|group| of_group(group.workload.as_deref().unwrap_or("all"), group.size_name(), &group.quantities));
    let states = cell.states.iter().flat_map(|state| of_group("state", &state.name, &state.quantities));
    of_group("run", "run", &cell.quantities).into_iter().chain(groups).chain(states).collect()
}

#[cfg(test)]
#[path = "csv_tests.rs"]
mod tests;
