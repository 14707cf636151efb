//! LRU with lifetimes, the latency of hits, requests that leave one after another and a store with few places. It is
//! compared with a model that walks through time slot by slot and shares no code with the crate.

use forebay_cache::{Choice, Counts, Latency, Lifetime, Model, Service};
use forebay_core::{Request, Seed};
use rand::RngExt as _;
use std::collections::BTreeMap;

use crate::conformance::setup;

/// The input of both models.
#[derive(Debug, Clone)]
struct Case {
    capacity: usize,
    latency: u64,
    hit_latency: u64,
    release_interval: u64,
    parallel: Option<u32>,
    /// Of each object; absent: for ever.
    lifetimes: BTreeMap<u64, u64>,
}

/// A fetch that has been asked for. `left` counts down once it is served.
struct Fetch {
    key: u64,
    left: u64,
    /// When its requests arrived.
    waiting: Vec<u64>,
}

/// Requests of which each has a slot of its own or shares it with others; what each costs is added up.
fn walk(case: &Case, requests: &[Request]) -> Counts {
    let mut counts = Counts { requests: requests.len() as u64, bytes: requests.len() as u64, ..Counts::default() };
    // Least recently used first: key, and the first slot in which the object is not valid.
    let mut cached: Vec<(u64, Option<u64>)> = Vec::new();
    let mut fetches: Vec<Fetch> = Vec::new();
    let (mut next, mut now) = (0, 0);
    while next < requests.len() || !fetches.is_empty() {
        // Fetches that are complete: their object enters, and their requests leave, one after another.
        while let Some(done) = fetches.iter().position(|fetch| fetch.left == 0) {
            let Fetch { key, waiting, .. } = fetches.remove(done);
            for (place, came) in (0..).zip(&waiting) {
                counts.total_latency += (now + place * case.release_interval - came).max(case.hit_latency);
            }
            // What comes after the last request changes nothing that is compared.
            if next < requests.len() {
                if cached.len() == case.capacity {
                    cached.remove(0);
                    counts.evictions += 1;
                }
                cached.push((key, case.lifetimes.get(&key).map(|lifetime| now + lifetime)));
            }
        }
        while let Some(request) = requests.get(next).filter(|request| request.time == now) {
            next += 1;
            let mut place = cached.iter().position(|(key, _)| *key == request.key);
            if let Some(ended) = place.filter(|&place| cached[place].1.is_some_and(|end| end <= now)) {
                cached.remove(ended);
                counts.expired += 1;
                place = None;
            }
            if let Some(place) = place {
                let object = cached.remove(place);
                cached.push(object);
                counts.hits += 1;
                counts.total_latency += case.hit_latency;
            } else if let Some(fetch) = fetches.iter_mut().find(|fetch| fetch.key == request.key) {
                fetch.waiting.push(now);
                counts.delayed_hits += 1;
            } else {
                fetches.push(Fetch { key: request.key, left: case.latency, waiting: vec![now] });
                counts.misses += 1;
                counts.miss_bytes += 1;
            }
        }
        // The slot passes: the store works at the first fetches.
        let served = case.parallel.map_or(usize::MAX, |count| count as usize);
        for fetch in fetches.iter_mut().take(served) {
            fetch.left -= 1;
        }
        now += 1;
    }
    counts
}

#[test]
fn the_fast_model_is_the_slot_model() {
    let mut rng = Seed(38).stream("slots");
    let mut seen = Counts::default();
    for trace in 0..200 {
        let keys = rng.random_range(2..12);
        let mut time = 0;
        let mut requests = Vec::new();
        for _ in 0..400 {
            time += [0, 1, 1, 2, 5, 30][rng.random_range(0..6)];
            requests.push(Request { time, key: rng.random_range(0..keys), size: 1 });
        }
        let mut or_none = |most: u64| if rng.random() { rng.random_range(0..=most) } else { 0 };
        let (hit_latency, release_interval, parallel, lifetime) = (or_none(8), or_none(5), or_none(3), or_none(60));
        let own = (0..keys).filter(|_| lifetime > 0 && rng.random_range(0..4) > 0);
        let lifetimes = own.map(|key| (key, lifetime + key)).collect();
        let case = Case {
            capacity: rng.random_range(1..6),
            latency: rng.random_range(1..25),
            hit_latency,
            release_interval,
            parallel: u32::try_from(parallel).ok().filter(|parallel| *parallel > 0),
            lifetimes,
        };
        let lifetime = Lifetime::PerObject(case.lifetimes.clone().into_iter().collect());
        let service = Service { hit_latency, release_interval, parallel: case.parallel, lifetime, prefetch: None };
        let mut setup = setup(Model::DelayedHits, case.capacity as u64, case.latency);
        setup.latency = Latency::Constant(case.latency);
        setup.service = service;
        let choice: Choice = "lru".parse().unwrap();
        let mut simulation = choice.simulation(setup).unwrap();
        simulation.feed(&requests, &[]);
        let (counts, expected) = (simulation.counts(), walk(&case, &requests));
        assert_eq!(counts, expected, "trace {trace}: {case:?}");
        seen.expired += counts.expired;
        seen.delayed_hits += counts.delayed_hits;
    }
    assert!(seen.expired > 1_000 && seen.delayed_hits > 5_000, "{seen:?}");
}

#[test]
fn each_part_is_as_stated() {
    let count = |service: Service, latency: Latency, model: Model, requests: &[(u64, u64)]| {
        let mut setup = setup(model, 4, 1);
        setup.latency = latency;
        setup.service = service;
        let requests: Vec<_> = requests.iter().map(|&(time, key)| Request { time, key, size: 50 }).collect();
        setup.capacity = 1_000;
        let choice: Choice = "lru".parse().unwrap();
        let mut simulation = choice.simulation(setup).unwrap();
        simulation.feed(&requests, &[]);
        simulation.counts()
    };
    let ten = || Latency::Constant(10);
    let three = [(0, 1), (3, 1), (5, 1), (20, 1)];
    // The miss 10, then 7 and 5 of the rest, then a hit.
    assert_eq!(count(Service::default(), ten(), Model::DelayedHits, &three).total_latency, 22);
    let service = Service { hit_latency: 6, ..Service::default() };
    assert_eq!(count(service.clone(), ten(), Model::DelayedHits, &three).total_latency, 10 + 7 + 6 + 6);
    assert_eq!(count(service, ten(), Model::Classical, &three).total_latency, 10 + 6 * 3);
    let service = Service { release_interval: 2, ..Service::default() };
    assert_eq!(count(service, ten(), Model::DelayedHits, &three).total_latency, 10 + 9 + 9);
    let service = || Service { lifetime: Lifetime::Constant(11), ..Service::default() };
    let at = |last| count(service(), ten(), Model::DelayedHits, &[(0, 1), (last, 1)]);
    assert_eq!((at(20).hits, at(20).expired), (1, 0), "it came at 10 and is valid until 20");
    assert_eq!((at(21).misses, at(21).expired), (2, 1));
    let at = |last| count(service(), ten(), Model::Classical, &[(0, 1), (last, 1)]);
    assert_eq!((at(10).hits, at(11).expired), (1, 1), "it was there at once");
    // Two fetches at a time of one store: the third begins when the first ends.
    let service = Service { parallel: Some(2), ..Service::default() };
    let fetches = [(0, 1), (0, 2), (1, 3)];
    assert_eq!(count(service, ten(), Model::DelayedHits, &fetches).total_latency, 10 + 10 + 19);
    // 50 bytes at 5 bytes in a tick, after 3 ticks.
    assert_eq!(count(Service::default(), Latency::BySize(3, 5.0), Model::DelayedHits, &fetches).total_latency, 3 * 13);
}

#[test]
fn origins_have_stores_of_their_own() {
    let one = forebay_cache::latency::Origin { latency: 10, weight: 1.0 };
    let play = |origins: usize| {
        let mut setup = setup(Model::DelayedHits, 1_000, 1);
        setup.latency = Latency::Origins(vec![one; origins]);
        setup.service = Service { parallel: Some(1), ..Service::default() };
        let requests: Vec<_> = (0..100).map(|key| Request { time: 0, key, size: 1 }).collect();
        let choice: Choice = "lru".parse().unwrap();
        let mut simulation = choice.simulation(setup).unwrap();
        simulation.feed(&requests, &[]);
        simulation.counts().total_latency
    };
    assert_eq!(play(1), 10 * (1..=100).sum::<u64>());
    // Fifty each would be 25,500.
    assert!((25_500..30_000).contains(&play(2)), "{}", play(2));
}

#[test]
fn a_store_that_serves_nothing_is_refused() {
    let mut setup = setup(Model::DelayedHits, 4, 1);
    setup.service.parallel = Some(0);
    let choice: Choice = "lru".parse().unwrap();
    let error = choice.simulation(setup).err().unwrap().to_string();
    assert!(error.contains("at least one fetch at a time"), "{error}");
}
