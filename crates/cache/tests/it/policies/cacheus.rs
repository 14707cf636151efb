//! CACHEUS' experts: what the paper says they are good at.

use super::beside::{bear, cache, request};
use crate::conformance::{play, requests, setup};
use forebay_cache::{Choice, Model};
use forebay_core::Request;

fn hits(name: &str, capacity: u64, keys: impl Iterator<Item = u64>) -> usize {
    let mut cache = cache(name, capacity);
    (0..).zip(keys).filter(|&(time, key)| request(&mut cache, &Request { time, key, size: 1 }, 1).0).count()
}

/// Section 2 of the paper: a working set, and scans through twice the cache between.
#[test]
fn a_scan_does_not_drive_out_the_working_set() {
    let keys =
        || (0..20_u64).flat_map(|round| (0..6).flat_map(|_| 0..80).chain(1_000 + 200 * round..1_200 + 200 * round));
    // All but the first 80 requests of the working set could hit.
    let possible = 20 * 6 * 80 - 80;
    let (lru, cacheus) = (hits("lru", 100, keys()), hits("cacheus", 100, keys()));
    assert_eq!(lru, 20 * 5 * 80);
    assert!(cacheus > possible - 150, "{cacheus} of {possible}");
}

/// Section 2 of the paper: churn, a loop a little larger than the cache. LRU never hits.
#[test]
fn a_loop_larger_than_the_cache_hits() {
    let keys = || (0..50).flat_map(|_| 0..120);
    assert_eq!(hits("lru", 100, keys()), 0);
    let cacheus = hits("cacheus", 100, keys());
    assert!(cacheus > 50 * 120 / 2, "{cacheus}");
}

#[test]
fn beats_lru_where_popularity_lasts() {
    let requests = requests(9, 30_000, 300, false);
    let misses = |name: &str| {
        let choice: Choice = name.parse().unwrap();
        play(&choice, setup(Model::Classical, 40, 1), &requests, 1).misses
    };
    assert!(misses("cacheus") < misses("lru"));
}

#[test]
fn bears_sizes_and_invalidation() {
    bear("cacheus");
}
