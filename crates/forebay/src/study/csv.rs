//! A study as CSV in long form: one line per number, so that every tool can filter,
//! group and plot it.

use super::quantity::{Quantity, RankQuantity};
use super::report::{CellReport, StudyReport};
use crate::output::csv::lines;

const HEADER: [&str; 8] = ["ranks", "load", "queue", "rank", "quantity", "seeds", "mean", "ci95"];

/// The whole table with its header. `rank` is `all`, or the lowest rank of a bin.
pub fn report(report: &StudyReport) -> String {
    lines(&HEADER, report.results.iter().flat_map(|cell| totals(cell).chain(per_rank(cell))))
}

fn totals(cell: &CellReport) -> impl Iterator<Item = Vec<String>> {
    Quantity::ALL.into_iter().map(|quantity| {
        let estimate = cell.estimate(quantity);
        line(cell, "all", quantity.name(), estimate.mean, estimate.ci95)
    })
}

fn per_rank(cell: &CellReport) -> impl Iterator<Item = Vec<String>> {
    RankQuantity::ALL.into_iter().flat_map(move |quantity| {
        let column = cell.per_rank.column(quantity);
        let numbers = column.mean.iter().zip(&column.ci95);
        cell.per_rank
            .lowest_rank
            .iter()
            .zip(numbers)
            .map(move |(rank, (&mean, &ci95))| line(cell, &rank.to_string(), quantity.name(), mean, ci95))
    })
}

fn line(cell: &CellReport, rank: &str, quantity: &str, mean: Option<f64>, ci95: Option<f64>) -> Vec<String> {
    let or_empty = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    vec![
        cell.ranks.clone(),
        cell.load.to_string(),
        cell.queue.clone(),
        rank.to_owned(),
        quantity.to_owned(),
        cell.repetitions.len().to_string(),
        or_empty(mean),
        or_empty(ci95),
    ]
}
