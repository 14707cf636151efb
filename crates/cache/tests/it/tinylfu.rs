//! TinyLFU in front of policies: section 3 of the paper, with a list for the cache.

use crate::conformance::{in_slots, play, requests, setup};
use crate::policies::paper_procedure::{Model, cache, request, same};
use forebay_cache::structures::Sketch;
use forebay_cache::{Access, Admission, Cache, Choice, Counts, Fetched, Future, Model as Fetches, Shape};
use forebay_core::{Request, Seed};
use rand::RngExt as _;

/// FIFO, or LRU where a hit `renews` an object; the first one of the list is the victim.
struct Section3 {
    capacity: usize,
    renews: bool,
    list: Vec<u64>,
    sketch: Sketch,
}

impl Model for Section3 {
    fn request(&mut self, key: u64, _: u64) -> (bool, Vec<u64>) {
        self.sketch.add(key);
        if let Some(at) = self.list.iter().position(|&other| other == key) {
            if self.renews {
                self.list.remove(at);
                self.list.push(key);
            }
            return (true, Vec::new());
        }
        let mut left = Vec::new();
        if self.list.len() == self.capacity {
            if self.sketch.count(key) <= self.sketch.count(self.list[0]) {
                return (false, left);
            }
            left.push(self.list.remove(0));
        }
        self.list.push(key);
        self.sketch.fit(self.list.len());
        (false, left)
    }
}

#[test]
fn is_section_3() {
    for (name, renews) in [("fifo-tinylfu(reset=3)", false), ("lru-tinylfu(reset=3)", true)] {
        same(name, false, |capacity| {
            let sketch = Sketch::new(Seed(1).part("tinylfu").0, 3);
            Box::new(Section3 { capacity: usize::try_from(capacity).unwrap(), renews, list: Vec::new(), sketch })
        });
    }
}

/// An announced object stays while others do not, also where TinyLFU does not admit the new one.
#[test]
fn what_is_announced_is_not_evicted_in_place_of_a_popular_object() {
    let shape = Shape { capacity: 2, entries: 2, seed: Seed(1) };
    let choice: Choice = "lru-tinylfu".parse().unwrap();
    let mut cache = Cache::new(&shape, choice.policy(&shape).unwrap());
    let new = |key| Fetched { time: 9, key, size: 1, latency: 1, last: 9, waiting: 1, future: Future::NONE };
    for time in 0..8 {
        let access = Access { time, key: 2, size: 1, latency: 1, future: Future::NONE };
        cache.request(&access);
    }
    for key in [2, 1] {
        assert!(matches!(cache.admit(&new(key), |_, _| ()), Admission::Entered(_)));
    }
    // The new object comes before the one that is announced.
    let comes = |key| [(1, 50), (3, 20)].into_iter().find(|(known, _)| *known == key).map(|(_, at)| at);
    let admission = cache.admit_knowing(&new(3), comes, |_, entry| panic!("{entry:?} leaves"));
    assert_eq!((admission, cache.find(1).is_some()), (Admission::Refused, true));
}

/// Popular objects by Zipf's law, and scans of objects that are never requested again.
fn zipf_with_scans() -> Vec<Request> {
    let mut rng = Seed(11).stream("test/tinylfu");
    let weights = (1..=2_000_u32).scan(0.0, |sum, rank| {
        *sum += 1.0 / f64::from(rank);
        Some(*sum)
    });
    let weights: Vec<f64> = weights.collect();
    let total = weights[weights.len() - 1];
    let mut scanned = 1_000_000;
    let request = |time: u64| {
        let key = if time % 1_000 < 300 {
            scanned += 1;
            scanned
        } else {
            let drawn = rng.random_range(0.0..total);
            weights.partition_point(|&sum| sum < drawn) as u64
        };
        Request { time, key, size: 1 }
    };
    (0..100_000).map(request).collect()
}

fn counts(name: &str, capacity: u64, requests: &[Request]) -> Counts {
    let choice: Choice = name.parse().unwrap();
    play(&choice, setup(Fetches::Classical, capacity, 1), requests, 1)
}

#[test]
fn lowers_the_misses_of_zipf_requests_with_scans() {
    let requests = zipf_with_scans();
    for policy in ["lru", "fifo", "clock", "random"] {
        for capacity in [50, 200] {
            let plain = counts(policy, capacity, &requests);
            let admitted = counts(&format!("{policy}-tinylfu"), capacity, &requests);
            let saved = 1.0 - admitted.misses as f64 / plain.misses as f64;
            assert!(saved > 0.05, "{policy}, {capacity} entries: {saved} of {} misses saved", plain.misses);
            assert!(admitted.refused > 10_000, "{admitted:?}");
        }
    }
}

/// An object is not admitted until it was requested more often than the victim.
#[test]
fn who_was_requested_more_often_wins() {
    let mut cache = cache("lru-tinylfu", 2);
    let mut ask = |time: u64, key: u64| request(&mut cache, &Request { time, key, size: 1 }, 1);
    (0..6).for_each(|time| _ = ask(time, time % 2));
    assert_eq!(ask(6, 7), (false, vec![]));
    assert_eq!([ask(7, 7), ask(8, 7)], [(false, vec![]), (false, vec![])]);
    assert_eq!(ask(9, 7), (false, vec![0]));
    assert_eq!(ask(10, 7), (true, vec![]));
}

/// MAD changes nothing where all aggregate delays are alike, and nothing else is between them.
#[test]
fn at_latency_one_the_mad_form_is_that_of_the_base() {
    let requests = in_slots(requests(12, 8_000, 80, false));
    for base in ["lru", "arc", "fifo", "lfuda", "sieve", "slru"] {
        for capacity in [1, 8, 30] {
            let delayed = |form: &str| {
                let choice: Choice = format!("{base}{form}").parse().unwrap();
                play(&choice, setup(Fetches::DelayedHits, capacity, 1), &requests, 1)
            };
            assert_eq!(delayed("-mad-tinylfu"), delayed("-tinylfu"), "{base}, capacity {capacity}");
        }
    }
}
