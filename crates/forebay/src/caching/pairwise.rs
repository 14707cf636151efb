//! For how many objects each policy is better than each other one.

use super::report::{Place, Row};
use crate::output::columns::{Column, tables};
use forebay_cache::attribution::ObjectLatency;
use serde::Serialize;

/// The comparison of all pairs at one place, in the first repetition.
#[derive(Debug, Serialize)]
pub struct Pairwise {
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// All objects that were requested.
    pub objects: u64,
    /// In the order of the rows and columns.
    pub policies: Vec<String>,
    /// For how many objects the policy of the row has a lower total latency than that of the column.
    pub better: Vec<Vec<u64>>,
}

/// Compares the policies of a place, if their objects were watched.
pub(super) fn pairwise(rows: &[Row]) -> Option<Pairwise> {
    let watched: Vec<(&Row, Vec<ObjectLatency>)> =
        rows.iter().filter_map(|row| Some((row, row.runs.first()?.latencies()?))).collect();
    let objects = watched.first()?.1.len() as u64;
    // Every policy saw the same objects, which stand by key.
    let better = |a: &[ObjectLatency], b: &[ObjectLatency]| {
        a.iter().zip(b).filter(|(a, b)| a.latency < b.latency).count() as u64
    };
    Some(Pairwise {
        place: rows[0].place.clone(),
        objects,
        policies: watched.iter().map(|(row, _)| row.policy.clone()).collect(),
        better: watched.iter().map(|(_, a)| watched.iter().map(|(_, b)| better(a, b)).collect()).collect(),
    })
}

/// The matrix for people.
pub(super) fn table(pairwise: &Pairwise) -> String {
    let Pairwise { objects, policies, better, .. } = pairwise;
    let keys = [Column::new("better than", policies.iter().cloned())];
    let columns = policies.iter().enumerate().map(|(column, policy)| {
        let cell =
            |(row, counts): (usize, &Vec<u64>)| if row == column { "-".to_owned() } else { counts[column].to_string() };
        Column::new(policy, better.iter().enumerate().map(cell))
    });
    let columns = vec![columns.collect::<Vec<_>>()];
    format!(
        "\nfor how many of {objects} objects the policy of the row has a lower latency than that of the column\n\n{}",
        tables(&keys, &columns)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caching::units::LatencyValue;

    #[test]
    fn rows_are_better_than_columns() {
        let place = Place { trace: "t".to_owned(), capacity: 1, latency: LatencyValue::Ticks(5), axes: Vec::new() };
        let policies = vec!["lru".to_owned(), "arc".to_owned()];
        let text = table(&Pairwise { place, objects: 9, policies, better: vec![vec![0, 2], vec![7, 0]] });
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(lines.contains(&vec!["lru", "-", "2"]) && lines.contains(&vec!["arc", "7", "-"]), "{text}");
    }
}
