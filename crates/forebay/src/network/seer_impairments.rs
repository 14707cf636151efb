//! Impairments of notifications, and the links that take part: fields of `seer = { ... }`.

use crate::document::Table;
use crate::error::Result;
use crate::scenario::{positive, quantity};
use forebay_core::{Duration, Seed};
use forebay_sim::net::Impairments;
use rand::seq::SliceRandom;

/// The greatest error of the rate of a clock, in either direction.
const MOST_CLOCK_RATE: f64 = 1_000.0;

/// Reads the fields for impairments of notifications on their way.
pub(super) fn impairments(table: &Table<'_>) -> Result<Impairments> {
    let default = Impairments::default();
    let rate = |node: &crate::document::Node| node.number_from("clock_rate", 1.0 / MOST_CLOCK_RATE, MOST_CLOCK_RATE);
    let time =
        |key: &'static str| table.get(key).map_or(Ok(Duration::ZERO), |node| quantity(node, key, Duration::parse));
    Ok(Impairments {
        loss: share(table, "loss", default.loss)?,
        jitter: time("jitter")?,
        clock_rate: table.get("clock_rate").map_or(Ok(default.clock_rate), rate)?,
        clock_error: time("clock_error")?,
        clock_step: table.get("clock_step").map_or(Ok(default.clock_step), |node| positive(node, "clock_step"))?,
    })
}

/// Reads a number from 0 to 1.
pub(super) fn share(table: &Table<'_>, key: &'static str, default: f64) -> Result<f64> {
    table.get(key).map_or(Ok(default), |node| node.number_from(key, 0.0, 1.0))
}

/// Returns this share of `links`, rounded. With the same seed, a larger share includes the links of a smaller one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a length")]
pub(super) fn taking_part(share: f64, mut links: Vec<usize>, seed: Seed) -> Vec<usize> {
    let count = (share * links.len() as f64).round() as usize;
    if count < links.len() {
        links.shuffle(&mut seed.stream("taking-part"));
        links.truncate(count);
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_share_has_all_of_a_smaller_one() {
        let of = |share| taking_part(share, (0..7).collect(), Seed(5));
        let shares = [0.0, 0.2, 0.5, 0.9, 1.0].map(of);
        assert_eq!(shares.each_ref().map(Vec::len), [0, 1, 4, 6, 7]);
        for (fewer, more) in shares.iter().zip(&shares[1..]) {
            assert!(fewer.iter().all(|link| more.contains(link)), "{shares:?}");
        }
        assert_ne!(shares[2], taking_part(0.5, (0..7).collect(), Seed(6)));
    }
}
