//! Random small traces: lower bound <= optimum <= upper bound, and below every schedule.

use crate::belatedly::reference::optimum;
use forebay_cache::belatedly::{BoundOptions, Schedule, bound, simulate};
use forebay_core::{Request, Rng, Seed};
use rand::RngExt as _;
use std::ops::ControlFlow;

/// A trace with gaps, bursts and sometimes sizes; in slots, so at most one request per step.
pub(crate) fn random_trace(rng: &mut Rng, requests: usize, objects: u64, sized: bool) -> Vec<Request> {
    let sizes: Vec<u64> = (0..objects).map(|_| if sized { rng.random_range(1..=4) } else { 1 }).collect();
    let mut time = 0;
    let mut key = 0u64;
    (0..requests)
        .map(|_| {
            time += if rng.random_bool(0.7) { 1 } else { rng.random_range(1..6) };
            if rng.random_bool(0.7) {
                key = rng.random_range(0..objects);
            }
            Request { time, key, size: sizes[usize::try_from(key).unwrap()] }
        })
        .collect()
}

/// Brings several requests into one step.
pub(crate) fn crowd(requests: &mut [Request]) {
    for request in requests {
        request.time /= 3;
    }
}

fn quick() -> BoundOptions {
    BoundOptions { iterations: 100, ..BoundOptions::default() }
}

#[test]
fn the_optimum_is_between_the_bounds() {
    let mut rng = Seed(1).stream("bounds");
    let (mut tight, mut rounds) = (0, 0);
    for round in 0..600 {
        let count = rng.random_range(1..=14);
        let objects = rng.random_range(1..=5);
        let mut requests = random_trace(&mut rng, count, objects, round % 3 == 0);
        if round % 5 == 0 {
            crowd(&mut requests);
        }
        let capacity = rng.random_range(0..=5);
        let base = rng.random_range(1..=8);
        let spread = if round % 4 == 0 { 3 } else { 0 };
        let latency_of = |request: &Request| base + request.key * spread;
        let least = optimum(&requests, capacity, &latency_of);
        let bounds = bound(&requests, capacity, latency_of, &quick(), |_| ControlFlow::Continue(())).unwrap();
        let what = format!("capacity {capacity}, latency {base} + {spread} key, {requests:?}");
        assert!(bounds.lower <= least, "{} <= {least}: {what}", bounds.lower);
        assert!(least <= bounds.upper, "{least} <= {}: {what}", bounds.upper);
        rounds += 1;
        tight += u32::from(bounds.lower == bounds.upper);
    }
    // Small traces round well; bounds that seldom meet would be a mistake in either.
    assert!(10 * tight > 9 * rounds, "{tight} of {rounds} optima proven");
}

#[test]
fn the_lower_bound_is_below_every_schedule() {
    let mut rng = Seed(2).stream("schedules");
    for round in 0..60 {
        let requests = random_trace(&mut rng, 400, 30, round % 2 == 0);
        let capacity = rng.random_range(2..20);
        let latency = rng.random_range(1..60);
        let bounds = bound(&requests, capacity, |_| latency, &quick(), |_| ControlFlow::Continue(())).unwrap();
        assert!(bounds.lower <= bounds.upper);
        assert_eq!(bounds.outcome.latency, bounds.upper);
        let mut schedule = Schedule { stays: vec![false; requests.len()] };
        let mut played = simulate(&requests, capacity, |_| latency, &schedule).unwrap();
        for _ in 0..300 {
            // A random change that can be played is kept.
            let change = rng.random_range(0..requests.len());
            schedule.stays[change] ^= true;
            match simulate(&requests, capacity, |_| latency, &schedule) {
                Ok(outcome) => played = outcome,
                Err(_) => schedule.stays[change] ^= true,
            }
            assert!(bounds.lower <= played.latency, "{} <= {}", bounds.lower, played.latency);
        }
    }
}

#[test]
fn at_a_latency_of_one_both_bounds_are_the_misses_of_belady() {
    let mut rng = Seed(3).stream("classical");
    for _ in 0..200 {
        let requests = random_trace(&mut rng, 13, 5, false);
        let capacity = rng.random_range(0..4);
        let bounds = bound(&requests, capacity, |_| 1, &quick(), |_| ControlFlow::Continue(())).unwrap();
        let least = optimum(&requests, capacity, &|_| 1);
        assert_eq!((bounds.lower, bounds.upper, bounds.outcome.misses), (least, least, least), "{requests:?}");
    }
}

/// A trace of objects of sizes from 1 to 50.
pub(crate) fn sized_trace(rng: &mut Rng) -> Vec<Request> {
    let mut requests = random_trace(rng, 4000, 300, false);
    for request in &mut requests {
        request.size = 1 + request.key * 37 % 50;
    }
    requests
}

#[test]
fn sizes_and_latencies_per_object_have_small_gaps_too() {
    let mut rng = Seed(8).stream("sizes");
    for round in 0..4 {
        let requests = sized_trace(&mut rng);
        let latency_of = |request: &Request| 20 + request.key * 13 % 100 * (round % 2);
        let bounds =
            bound(&requests, 600, latency_of, &BoundOptions::default(), |_| ControlFlow::Continue(())).unwrap();
        assert!(bounds.gap() < 0.012, "{}", bounds.gap());
    }
}
