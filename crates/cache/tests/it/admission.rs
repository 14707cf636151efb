//! Rules of admission other than TinyLFU, in front of LRU.

use crate::conformance::{play, setup};
use crate::policies::harness::{Paper, agree};
use forebay_cache::admission::BuildAdmission;
use forebay_cache::admissions::bloom::{self, SecondRequest};
use forebay_cache::{Access, AdmissionRule, Choice, Counts, Fetched, Future, Model, Setup, Shape};
use forebay_core::{ParamValue, Params, Request, Seed};
use rand::RngExt as _;
use std::collections::BTreeMap;

/// LRU, the most recently used object at the end; objects above a size do not enter.
struct Threshold {
    list: Vec<u64>,
    largest: u64,
}

impl Paper for Threshold {
    fn admits(&self, new: &Fetched) -> bool {
        new.size <= self.largest
    }

    fn hit(&mut self, key: u64, _: &Access) {
        self.forget(key);
        self.list.push(key);
    }

    fn evict(&mut self, _: &Fetched) -> u64 {
        self.list.remove(0)
    }

    fn insert(&mut self, new: &Fetched) {
        self.list.push(new.key);
    }

    fn forget(&mut self, key: u64) {
        self.list.retain(|&other| other != key);
    }
}

#[test]
fn a_threshold_keeps_larger_objects_out() {
    agree("lru-size-threshold(largest=3)", |_| Threshold { list: Vec::new(), largest: 3 });
    agree("lru-size-threshold", |shape| Threshold { list: Vec::new(), largest: shape.capacity.div_ceil(100) });
}

fn access(time: u64, key: u64) -> Access {
    Access { time, key, size: 1, latency: 1, future: Future::NONE }
}

fn fetched(time: u64, key: u64) -> Fetched {
    Fetched { time, key, size: 1, latency: 1, last: time, waiting: 1, future: Future::NONE }
}

/// A key that was requested before, with fewer other keys in between than a filter remembers, is always admitted. A key
/// that was not requested lately is admitted in less than one of a hundred cases.
#[test]
fn the_second_request_admits() {
    let given = BTreeMap::from([("remembered".to_owned(), ParamValue::Number(2.0))]);
    let params = Params::check(bloom::ENTRY.about.params, given).unwrap();
    for entries in [10, 100, 1_000] {
        let shape = Shape { capacity: entries, entries: 4, seed: Seed(entries) };
        let mut rule = SecondRequest::build(&shape, &params).unwrap();
        rule.fit(usize::try_from(entries).unwrap());
        let remembered = (2 * entries).max(64);
        let mut rng = Seed(entries).stream("test/bloom");
        let mut before: Vec<u64> = Vec::new();
        let (mut again, mut wrong, mut new) = (0, 0, 0);
        for time in 0..40_000 {
            let old = usize::try_from(rng.random_range(1..remembered)).unwrap();
            let key = if rng.random() && old < before.len() { before[before.len() - old] } else { 1_000_000 + time };
            let is_again = before.iter().rev().take(old).any(|&other| other == key);
            rule.request(&access(time, key), false);
            let admits = rule.admits(&fetched(time, key));
            if is_again {
                assert!(admits, "{entries} entries, request {time}");
                again += 1;
            } else {
                (wrong, new) = (wrong + u64::from(admits), new + 1);
            }
            before.push(key);
        }
        assert!(again > 10_000 && new > 10_000 && wrong < new / 100, "{again} {wrong} of {new}");
        // Long ago: forgotten.
        (0..3 * remembered).for_each(|key| rule.request(&access(0, 9_000_000 + key), false));
        let known = before.iter().rev().take(50).filter(|&&key| rule.admits(&fetched(0, key))).count();
        assert!(known <= 1, "{known}");
    }
}

/// Popular objects, which are smaller than others, and scans.
fn sized() -> Vec<Request> {
    let mut rng = Seed(5).stream("test/admission");
    let request = |time: u64| {
        let key = rng.random_range(0..1_000_u64) * rng.random_range(0..1_000) / 1_000;
        let size = if key % 3 == 0 { 400 + key } else { 20 + key % 50 };
        Request { time, key, size }
    };
    (0..60_000).map(request).collect()
}

fn counts(name: &str, requests: &[Request]) -> Counts {
    let choice: Choice = name.parse().unwrap();
    play(&choice, setup(Model::Classical, 10_000, 1), requests, 1)
}

#[test]
fn adaptsize_finds_a_scale_that_saves_misses() {
    let requests = sized();
    // The first interval, in which every object enters, is not counted.
    let misses = |name: &str| {
        let setup = Setup { warmup: 5_000, ..setup(Model::Classical, 10_000, 1) };
        play(&name.parse().unwrap(), setup, &requests, 1).misses
    };
    let lru = misses("lru");
    let tuned = misses("lru-adaptsize(interval=5000)");
    assert_eq!(misses("lru-adaptsize"), lru, "the trace is shorter than the first interval");
    let fixed =
        [20, 40, 80, 160, 320, 640, 1_280, 100_000].map(|scale| misses(&format!("lru-adaptsize(scale={scale})")));
    let best = fixed.into_iter().min().unwrap();
    assert!(best < lru * 9 / 10, "{fixed:?} {lru}");
    // The first of the fixed scales is below the least that AdaptSize tries.
    let (saved, most) = (lru - tuned, lru - best);
    assert!(saved * 10 > most * 9, "tuned {tuned}, fixed {fixed:?}, LRU {lru}");
    assert!(fixed[7] < lru * 101 / 100 && fixed[7] > lru * 99 / 100, "a large scale admits all: {fixed:?} {lru}");
}

#[test]
fn a_probability_is_that_share_of_fetches() {
    let requests = sized();
    for (probability, least, most) in [(0.0, 0.0, 0.0), (0.25, 0.24, 0.26), (0.8, 0.79, 0.81), (1.0, 1.0, 1.0)] {
        let counts = counts(&format!("lru-probability(probability={probability})"), &requests);
        let share = 1.0 - counts.refused as f64 / counts.misses as f64;
        assert!((least..=most).contains(&share), "{probability}: {share}");
    }
    assert_eq!(counts("lru-probability(probability=1)", &requests), counts("lru", &requests));
}

/// In front of the MAD form, and in both models.
#[test]
fn rules_go_in_front_of_mad_forms() {
    let requests = sized();
    for rule in ["bloom", "size-threshold(largest=300)", "adaptsize(interval=2000)", "probability"] {
        for (base, latency) in [("lru-mad", 200), ("arc-mad", 50), ("gdsf-mad", 200), ("s3-fifo", 200)] {
            let choice: Choice = format!("{base}-{rule}").parse().unwrap();
            let counts = play(&choice, setup(Model::DelayedHits, 10_000, latency), &requests, latency);
            assert!(counts.refused > 500 && counts.hits > 5_000 && counts.delayed_hits > 100, "{choice}: {counts:?}");
        }
    }
}
