//! Plays a policy beside the procedure that its paper prints for a whole request, for
//! objects of size 1. Where a paper says only what a hit and a victim are, there is
//! `harness`, which knows sizes and invalidations.

use crate::conformance::requests;
use forebay_cache::{Access, Cache, CachePolicy, Choice, Fetched, Future, Shape};
use forebay_core::{Request, Seed};

/// A policy and its cache as its paper prints them, for objects of size 1.
pub(crate) trait Model {
    /// A request for an object, whose fetch is complete at once if it is missing: whether it was there, and the
    /// victims.
    fn request(&mut self, key: u64, waiting: u64) -> (bool, Vec<u64>);

    /// What must hold after every request.
    fn check(&self) {}
}

/// The registry's policy in a cache.
pub(crate) fn cache(name: &str, capacity: u64) -> Cache<Box<dyn CachePolicy + Send>> {
    let choice: Choice = name.parse().unwrap();
    let shape = Shape { capacity, entries: 4, seed: Seed(1) };
    Cache::new(&shape, choice.policy(&shape).unwrap())
}

/// A request whose fetch is complete at once: whether it hit, and who left.
pub(crate) fn request<P: CachePolicy>(cache: &mut Cache<P>, request: &Request, waiting: u64) -> (bool, Vec<u64>) {
    let Request { time, key, size } = *request;
    let mut left = Vec::new();
    let access = Access { time, key, size, latency: 1, future: Future::NONE };
    let hit = cache.request(&access).is_some();
    if !hit {
        let time = time + 1;
        let new = Fetched { time, key, size, latency: 1, last: time - 1, waiting, future: Future::NONE };
        cache.admit(&new, |_, entry| left.push(entry.key));
    }
    (hit, left)
}

/// Plays random requests to both; some objects come with waiting requests if `waits`.
pub(crate) fn same(name: &str, waits: bool, model: impl Fn(u64) -> Box<dyn Model>) {
    for (seed, capacity) in (0..).zip([1, 2, 3, 5, 8, 16, 33]) {
        for objects in [capacity + 1, 3 * capacity, 10 * capacity] {
            let (mut cache, mut model) = (cache(name, capacity), model(capacity));
            for (index, next) in requests(seed, 3_000, objects, false).iter().enumerate() {
                let waiting = if waits { 1 + next.key.wrapping_mul(next.time) % 5 / 3 } else { 1 };
                let (fast, slow) = (request(&mut cache, next, waiting), model.request(next.key, waiting));
                assert_eq!(fast, slow, "{name}: request {index}, capacity {capacity}, {objects} objects");
                model.check();
            }
        }
    }
}
