//! LRFU: every object with the times of all its requests, of which the weights are added up.

use super::harness::{Paper, agree, victims};
use crate::conformance::{in_slots, play, requests, setup};
use forebay_cache::{Access, Cache, Choice, Fetched, Future, Model, Shape};
use forebay_core::Seed;

/// The definition of the CRF, term by term.
struct Lrfu {
    lambda: f64,
    clock: u64,
    requests: Vec<(u64, Vec<u64>)>,
}

impl Lrfu {
    fn new(lambda: f64) -> Self {
        Self { lambda, clock: 0, requests: Vec::new() }
    }

    fn crf(&self, times: &[u64]) -> f64 {
        times.iter().map(|&time| 0.5_f64.powf(self.lambda * (self.clock - time) as f64)).sum()
    }
}

impl Paper for Lrfu {
    fn hit(&mut self, key: u64, _: &Access) {
        self.clock += 1;
        let object = self.requests.iter_mut().find(|(other, _)| *other == key).unwrap();
        object.1.push(self.clock);
    }

    fn evict(&mut self, _: &Fetched) -> u64 {
        let order = |(_, one): &&(u64, Vec<u64>), (_, other): &&(u64, Vec<u64>)| {
            self.crf(one).total_cmp(&self.crf(other)).then(one.last().cmp(&other.last()))
        };
        let (key, _) = *self.requests.iter().min_by(order).unwrap();
        self.forget(key);
        key
    }

    fn insert(&mut self, new: &Fetched) {
        let first = self.clock + 1;
        self.clock += new.waiting;
        self.requests.push((new.key, (first..=self.clock).collect()));
    }

    fn forget(&mut self, key: u64) {
        self.requests.retain(|(other, _)| *other != key);
    }
}

#[test]
fn is_the_papers() {
    agree("lrfu", |_| Lrfu::new(0.001));
    for lambda in [0.0, 1e-5, 0.01, 0.1, 0.37, 0.9, 1.0] {
        agree(&format!("lrfu(lambda={lambda})"), |_| Lrfu::new(lambda));
    }
}

/// The ends of the spectrum are LFU, with LRU for equal counts, and LRU; with delayed hits, too.
#[test]
fn spans_lfu_to_lru() {
    let same = |lrfu: &str, other: &str| {
        let (lrfu, other): (Choice, Choice) = (lrfu.parse().unwrap(), other.parse().unwrap());
        for (seed, (capacity, latency)) in (0..).zip([(1, 1), (5, 1), (20, 1), (20, 15), (40, 60)]) {
            let requests = in_slots(requests(seed, 20_000, 120, false));
            let counts =
                |choice: &Choice| play(choice, setup(Model::DelayedHits, capacity, latency), &requests, latency);
            assert_eq!(counts(&lrfu), counts(&other), "{lrfu} and {other}, capacity {capacity}, latency {latency}");
        }
    };
    same("lrfu(lambda=1)", "lru");
    same("lrfu(lambda=0)", "lfu");
    // Near zero the decay only decides between equal counts: the one whose requests are older leaves.
    let last = |lambda: &str| victims(&format!("lrfu(lambda={lambda})"), 3, "aabbcbax").pop().unwrap();
    assert_eq!(last("0"), Some("c".to_owned()));
    assert_eq!(last("1e-9"), Some("c".to_owned()));
}

/// After 2^50 requests, one request more or less still decides.
#[test]
fn long_traces_lose_nothing() {
    let shape = Shape { capacity: 3, entries: 3, seed: Seed(0) };
    for (lambda, expected) in [("1e-6", 1), ("0.001", 1), ("0.3", 1), ("0.6", 0), ("1", 0)] {
        let choice: Choice = format!("lrfu(lambda={lambda})").parse().unwrap();
        let mut cache = Cache::new(&shape, choice.policy(&shape).unwrap());
        let mut left = None;
        for (key, waiting) in (0..).zip([1 << 50, 2, 3, 1]) {
            let new = Fetched { time: key, key, size: 1, latency: 1, last: key, waiting, future: Future::NONE };
            cache.admit(&new, |_, entry| left = Some(entry.key));
        }
        // Object 0 has the CRF 1 / (1 - x) x^5 with x = (1/2)^lambda, object 1 has (1 + x) x^3.
        assert_eq!(left, Some(expected), "lambda {lambda}");
    }
}

#[test]
fn lambda_has_a_range() {
    let error = |text: &str| text.parse::<Choice>().unwrap_err().to_string();
    for wrong in ["lrfu(lambda=-0.1)", "lrfu(lambda=1.5)", "lrfu(lambda=half)"] {
        let error = error(wrong);
        assert!(error.contains("lambda") && error.contains("0 to 1"), "{error}");
    }
    assert!(error("lrfu(decay=1)").contains("unknown parameter `decay`"));
}
