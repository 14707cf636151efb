//! What depends on sizes and costs, and on drawing.

use super::harness::{Paper, agree};
use forebay_cache::{Access, Cache, Choice, Fetched, Future, Shape};
use forebay_core::{Rng, Seed};
use rand::RngExt as _;

/// Draws from the keys in the order of a vector from which the last takes the slot of the victim.
struct Random {
    keys: Vec<u64>,
    rng: Rng,
}

impl Paper for Random {
    fn hit(&mut self, _: u64, _: &Access) {}

    fn evict(&mut self, _: &Fetched) -> u64 {
        let at = self.rng.random_range(0..self.keys.len());
        self.keys.swap_remove(at)
    }

    fn insert(&mut self, new: &Fetched) {
        self.keys.push(new.key);
    }

    fn forget(&mut self, key: u64) {
        let at = self.keys.iter().position(|other| *other == key).unwrap();
        self.keys.swap_remove(at);
    }
}

#[test]
fn random_draws_evenly_from_what_is_there() {
    agree("random", |shape| Random { keys: Vec::new(), rng: shape.seed.stream("policy/random") });
}

/// Two objects, then one for which one of them must go.
fn who_leaves(policy: &str, objects: [(u64, u64); 2]) -> Vec<u64> {
    let shape = Shape { capacity: 10, entries: 4, seed: Seed(0) };
    let mut cache = Cache::new(&shape, policy.parse::<Choice>().unwrap().policy(&shape).unwrap());
    let mut left = Vec::new();
    let third = (2, 1);
    for (key, (size, latency)) in (0..).zip(objects.into_iter().chain([third])) {
        let new =
            Fetched { time: 100 * (key + 1), key, size, latency, last: 100 * key, waiting: 1, future: Future::NONE };
        cache.admit(&new, |_, entry| left.push(entry.key));
    }
    left
}

#[test]
fn gdsf_weighs_size_and_cost() {
    // Of equal cost the larger leaves, of equal size the cheaper; unless cost is one.
    assert_eq!(who_leaves("gdsf(new=enters)", [(3, 10), (7, 10)]), [1]);
    assert_eq!(who_leaves("gdsf(new=enters)", [(5, 50), (5, 10)]), [1]);
    assert_eq!(who_leaves("gdsf(cost=one)", [(5, 50), (5, 10)]), [0]);
    // The third object is cheaper for its size than the others, so it does not enter.
    assert_eq!(who_leaves("gdsf", [(5, 50), (5, 10)]), []);
    assert!("gdsf(cost=size)".parse::<Choice>().is_err());
}

/// With so many draws that all are found, a sample is all.
#[test]
fn hyperbolic_with_a_large_sample_is_exact() {
    let shape = Shape { capacity: 5, entries: 5, seed: Seed(3) };
    let evicted = |policy: &str| {
        let mut cache = Cache::new(&shape, policy.parse::<Choice>().unwrap().policy(&shape).unwrap());
        let mut rng = Seed(3).stream("test/hyperbolic");
        let mut left = Vec::new();
        for time in 0..2_000 {
            let key = rng.random_range(0..20_u64).min(rng.random_range(0..20));
            let access = Access { time, key, size: 1, latency: 1, future: Future::NONE };
            if cache.request(&access).is_none() {
                let (last, future) = (time, Future::NONE);
                let new = Fetched { time: time + 1, key, size: 1, latency: 1, last, waiting: 1, future };
                cache.admit(&new, |_, entry| left.push(entry.key));
            }
        }
        left
    };
    assert_eq!(evicted("hyperbolic(sample=200)"), evicted("hyperbolic"));
    assert_ne!(evicted("hyperbolic(sample=1)"), evicted("hyperbolic"));
}

/// Of three objects the one leaves whose next miss costs least for its size and the time until then.
#[test]
fn belady_ad_size_weighs_delay_size_and_time() {
    let leaves = |objects: [(u64, u64, u64); 2]| {
        let shape = Shape { capacity: 10, entries: 4, seed: Seed(0) };
        let mut cache = Cache::new(&shape, "belady-ad-size".parse::<Choice>().unwrap().policy(&shape).unwrap());
        let mut left = Vec::new();
        let third = (1, 11, 1_000);
        for (key, (size, next, delay)) in (0..).zip(objects.into_iter().chain([third])) {
            let future = Future { next, number: next, delay };
            let new = Fetched { time: 1, key, size, latency: 1, last: 0, waiting: 1, future };
            cache.admit(&new, |_, entry| left.push(entry.key));
        }
        left
    };
    assert_eq!(leaves([(5, 101, 10), (5, 201, 10)]), [1], "the later");
    assert_eq!(leaves([(5, 101, 10), (5, 101, 30)]), [0], "the cheaper");
    assert_eq!(leaves([(3, 101, 10), (7, 101, 10)]), [1], "the larger");
    assert_eq!(leaves([(3, 101, 10), (7, 101, 30)]), [0], "30 / 7 is above 10 / 3");
    assert_eq!(leaves([(5, Future::NEVER, 9), (5, 1_000_000, 1)]), [0], "what is never requested again");
}
