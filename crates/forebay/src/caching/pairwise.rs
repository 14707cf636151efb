//! Compares each pair of policies by the number of objects, and of users, for which one is better.

use super::BEST_SCHEDULE;
use super::report::{Place, Row};
use crate::output::columns::{Column, tables};
use forebay_cache::attribution::ObjectLatency;
use serde::Serialize;

/// The comparison of all pairs at one place of the sweep, in the first repetition.
#[derive(Debug, Serialize)]
pub struct Pairwise {
    /// The place of the sweep.
    #[serde(flatten)]
    pub place: Place,
    /// The number of objects that were requested.
    pub objects: u64,
    /// The policies of the rows and columns; with bounds, the last is the best schedule that was found.
    pub policies: Vec<String>,
    /// The number of objects for which the row's policy has a lower total latency than the column's policy.
    pub better: Vec<Vec<u64>>,
    /// The comparison by users, if users are known.
    #[serde(flatten)]
    pub users: Option<OfUsers>,
}

/// The comparison user by user.
#[derive(Debug, Serialize)]
pub struct OfUsers {
    /// The number of users that have sent a request.
    pub users: u64,
    /// The policies of the rows and columns.
    pub policies_of_users: Vec<String>,
    /// The number of users for whom the row's policy has a lower total latency than the column's policy.
    pub better_for_users: Vec<Vec<u64>>,
}

/// A policy's name, and the latencies of each object or user under it.
type Watched = (String, Vec<ObjectLatency>);

/// Compares the policies of a place, if their objects were watched, and with them the best schedule, if there is one.
pub(super) fn pairwise(rows: &[Row], best: Option<Vec<ObjectLatency>>) -> Option<Pairwise> {
    let watched = |row: &Row| Some((row.policy.clone(), row.runs.first()?.latencies()?));
    let mut objects: Vec<Watched> = rows.iter().filter_map(watched).collect();
    objects.extend(best.map(|own| (BEST_SCHEDULE.to_owned(), own)));
    let users = |row: &Row| Some((row.policy.clone(), row.runs.first()?.latencies_of_users()?));
    let users: Vec<Watched> = rows.iter().filter_map(users).collect();
    let of_users = users.first().map(|first| OfUsers {
        users: first.1.len() as u64,
        policies_of_users: names(&users),
        better_for_users: matrix(&users),
    });
    Some(Pairwise {
        place: rows[0].place.clone(),
        objects: objects.first()?.1.len() as u64,
        policies: names(&objects),
        better: matrix(&objects),
        users: of_users,
    })
}

fn names(watched: &[Watched]) -> Vec<String> {
    watched.iter().map(|(name, _)| name.clone()).collect()
}

/// Returns the matrix. Every policy saw the same objects and users, which are sorted by key.
fn matrix(watched: &[Watched]) -> Vec<Vec<u64>> {
    let better = |a: &[ObjectLatency], b: &[ObjectLatency]| {
        a.iter().zip(b).filter(|(a, b)| a.latency < b.latency).count() as u64
    };
    watched.iter().map(|(_, a)| watched.iter().map(|(_, b)| better(a, b)).collect()).collect()
}

/// Returns the matrices for people.
pub(super) fn table(pairwise: &Pairwise) -> String {
    let Pairwise { objects, policies, better, users, .. } = pairwise;
    let of_users = users.as_ref().map(|own| one(own.users, "users", &own.policies_of_users, &own.better_for_users));
    one(*objects, "objects", policies, better) + &of_users.unwrap_or_default()
}

fn one(count: u64, what: &str, policies: &[String], better: &[Vec<u64>]) -> String {
    let keys = [Column::new("better than", policies.iter().cloned())];
    let columns = policies.iter().enumerate().map(|(column, policy)| {
        let cell =
            |(row, counts): (usize, &Vec<u64>)| if row == column { "-".to_owned() } else { counts[column].to_string() };
        Column::new(policy, better.iter().enumerate().map(cell))
    });
    let columns = vec![columns.collect::<Vec<_>>()];
    format!(
        "\nnumber of {what}, of {count}, for which the policy of the row has a lower latency than the policy of the column\n\n{}",
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
        let text = table(&Pairwise { place, objects: 9, policies, better: vec![vec![0, 2], vec![7, 0]], users: None });
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(lines.contains(&vec!["lru", "-", "2"]) && lines.contains(&vec!["arc", "7", "-"]), "{text}");
    }
}
