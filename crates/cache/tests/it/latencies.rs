//! Latencies by origin and drawn ones, and fetches that overtake each other.

use crate::conformance::{requests, setup};
use forebay_cache::latency::Origin;
use forebay_cache::model::simulate;
use forebay_cache::{
    Access, CachePolicy, Choice, Fetched, Latency, Model, Observer, RequestOutcome, Setup, Slot, Victim,
};
use forebay_core::{Request, Seed};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// What happened to each request.
#[derive(Default)]
struct Heard(Vec<(Request, RequestOutcome)>);

impl Observer for Heard {
    fn outcome(&mut self, request: &Request, outcome: RequestOutcome) {
        self.0.push((*request, outcome));
    }
}

fn heard(latency: Latency, requests: &[Request], seed: u64) -> Vec<(Request, RequestOutcome)> {
    let observer: Option<Box<dyn Observer>> = Some(Box::new(Heard::default()));
    let setup = Setup { latency, seed: Seed(seed), observer, ..setup(Model::DelayedHits, 20, 1) };
    let mut simulation = "lru".parse::<Choice>().unwrap().simulation(setup).unwrap();
    simulation.feed(requests, &[]);
    let heard: Box<dyn Any> = simulation.into_observer().unwrap();
    heard.downcast::<Heard>().unwrap().0
}

fn origins() -> Latency {
    // Thesis 2.6.2, in ms.
    let origin = |(latency, weight)| Origin { latency, weight };
    Latency::Origins([(68, 29.0), (103, 39.0), (226, 32.0)].map(origin).to_vec())
}

/// Each request is for another object, so that each is a fetch of its own.
fn fetches(count: u64) -> Vec<Request> {
    (0..count).map(|key| Request { time: key, key, size: 1 }).collect()
}

#[test]
fn means_are_those_that_were_asked_for() {
    let uniform = Latency::Uniform(101, 899);
    let of_origins = (68.0 * 29.0 + 103.0 * 39.0 + 226.0 * 32.0) / 100.0;
    let cases = [
        (Latency::Exponential(500.0), 500.0),
        (Latency::LogNormal(500.0, 0.5), 500.0),
        (uniform, 500.0),
        (origins(), of_origins),
    ];
    for (latency, mean) in cases {
        for seed in 0..3 {
            let heard = heard(latency.clone(), &fetches(200_000), seed);
            let sum: u64 = heard.iter().map(|(_, outcome)| outcome.latency()).sum();
            let found = sum as f64 / heard.len() as f64;
            assert!((found / mean - 1.0).abs() < 0.01, "{latency:?}: {found}, not {mean}");
        }
    }
}

#[test]
fn drawn_latencies_have_their_shape() {
    let drawn = |latency: Latency| -> Vec<f64> {
        let heard = heard(latency, &fetches(200_000), 1);
        heard.into_iter().map(|(_, outcome)| outcome.latency() as f64).collect()
    };
    let above = |drawn: &[f64], limit: f64| {
        drawn.iter().filter(|&&latency| latency > limit).count() as f64 / drawn.len() as f64
    };
    // 1/e of an exponential distribution is above its mean.
    assert!((above(&drawn(Latency::Exponential(500.0)), 500.0) - 1.0 / 1.0_f64.exp()).abs() < 0.005);
    // Half of a log-normal one is above its mean / exp(sigma^2 / 2).
    assert!((above(&drawn(Latency::LogNormal(500.0, 0.5)), 500.0 / 0.125_f64.exp()) - 0.5).abs() < 0.005);
    let uniform = drawn(Latency::Uniform(3, 7));
    for latency in 3..=7 {
        let share = above(&uniform, f64::from(latency) - 0.5) - above(&uniform, f64::from(latency) + 0.5);
        assert!((share - 0.2).abs() < 0.005, "{latency}: {share}");
    }
}

#[test]
fn an_object_belongs_to_one_origin_for_ever() {
    let requests = requests(70, 20_000, 500, false);
    let of = |seed: u64| {
        let mut of_object = BTreeMap::new();
        let mut fetched_again = 0;
        for (request, outcome) in heard(origins(), &requests, seed) {
            if let RequestOutcome::Miss(latency) = outcome {
                fetched_again += u32::from(of_object.contains_key(&request.key));
                assert_eq!(*of_object.entry(request.key).or_insert(latency), latency, "object {}", request.key);
            }
        }
        assert!(fetched_again > 1_000, "{fetched_again}");
        of_object
    };
    let one = of(1);
    assert_eq!(one.values().copied().collect::<BTreeSet<_>>(), BTreeSet::from([68, 103, 226]));
    let latencies = origins().prepare(Seed(1)).unwrap();
    assert!(one.iter().all(|(&key, &latency)| latencies.expected(key, 1) == latency), "as it is said to be expected");
    assert_ne!(one, of(2), "another seed, other origins");
}

/// Keeps everything, and writes down who entered and when.
struct Keeper(Arc<Mutex<Vec<Fetched>>>);

impl CachePolicy for Keeper {
    fn hit(&mut self, _: Slot, _: &Access) {}

    fn victim(&mut self, _: &Fetched) -> Victim {
        Victim::New
    }

    fn insert(&mut self, _: Slot, new: &Fetched) {
        self.0.lock().unwrap().push(*new);
    }

    fn remove(&mut self, _: Slot) {}
}

#[test]
fn fetches_overtake_each_other_and_end_when_they_are_due() {
    for latency in [Latency::Uniform(1, 60), Latency::Exponential(20.0), origins()] {
        let requests = requests(71, 5_000, 600, false);
        let entered = Arc::new(Mutex::new(Vec::new()));
        let observer: Option<Box<dyn Observer>> = Some(Box::new(Heard::default()));
        let setup = Setup { latency, observer, ..setup(Model::DelayedHits, 100_000, 1) };
        let mut simulation = simulate(setup, |_| Ok(Keeper(Arc::clone(&entered)))).unwrap();
        simulation.feed(&requests, &[]);
        let heard: Box<dyn Any> = simulation.into_observer().unwrap();
        // Of each object: when its only fetch began and how long it took.
        let mut fetches: BTreeMap<u64, (u64, usize, u64)> = BTreeMap::new();
        for (number, (Request { time, key, .. }, outcome)) in
            heard.downcast::<Heard>().unwrap().0.into_iter().enumerate()
        {
            match (fetches.get(&key), outcome) {
                (None, RequestOutcome::Miss(latency)) => {
                    fetches.insert(key, (time + latency, number, latency));
                }
                (Some((end, ..)), RequestOutcome::DelayedHit(rest)) => assert_eq!(time + rest, *end),
                (Some((end, ..)), RequestOutcome::Hit(_)) => assert!(time >= *end),
                (fetch, outcome) => panic!("{outcome:?} after {fetch:?}"),
            }
        }
        let last = requests.last().unwrap().time;
        let mut due: Vec<_> =
            fetches.iter().map(|(&key, &(end, number, latency))| (end, number, key, latency)).collect();
        due.retain(|&(end, ..)| end <= last);
        due.sort_unstable();
        let expected: Vec<_> = due.iter().map(|&(end, _, key, latency)| (end, key, latency)).collect();
        let entered: Vec<_> = entered.lock().unwrap().iter().map(|new| (new.time, new.key, new.latency)).collect();
        assert_eq!(entered, expected);
        assert!(due.windows(2).any(|pair| pair[0].1 > pair[1].1), "some overtake others");
    }
}
