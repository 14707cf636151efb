//! The rules of the model, by hand.

use crate::conformance::{play, setup};
use forebay_cache::{Choice, Model};
use forebay_core::Request;

/// Thesis 2.1: a cache with Z = 10; requests at 3, 5 and 11 wait 10, 8 and 2; the one
/// at 13 hits.
#[test]
fn the_example_of_the_thesis() {
    let requests: Vec<_> = [3, 5, 11, 13].into_iter().map(|time| Request { time, key: 1, size: 1 }).collect();
    let lru: Choice = "lru".parse().unwrap();
    let counts = play(&lru, setup(Model::DelayedHits, 1, 10), &requests, 10);
    assert_eq!((counts.misses, counts.delayed_hits, counts.hits), (1, 2, 1));
    assert_eq!(counts.total_latency, 10 + 8 + 2);
    let classical = play(&lru, setup(Model::Classical, 1, 10), &requests, 10);
    assert_eq!((classical.misses, classical.hits, classical.total_latency), (1, 3, 10));
}
