//! The decisions, step by step.

use super::*;
use forebay_cache::{Choice, Latency, Model, RequestOutcome, Service, Setup, Shape};
use forebay_core::{Request, Seed};
use pingora_cache::CacheKey;
use rand::RngExt as _;

const MILLISECOND: u64 = 1_000_000;

fn decisions(policy: &str, capacity: u64) -> Decisions {
    let shape = Shape { capacity, entries: 20, seed: Seed(1).part("set 0") };
    let policy = forebay_cache::bounded(policy).unwrap().parse::<Choice>().unwrap().shared_policy(&shape).unwrap();
    Decisions::new(Cache::new(&shape, policy), 64, capacity)
}

fn key(object: u32) -> CacheKey {
    CacheKey::new(object.to_string(), "")
}

fn entry(object: u32) -> CacheEntryKey {
    CacheEntryKey::key_only(key(object).to_compact())
}

/// A request for an object whose fetch takes a time. Returns whether it missed.
fn request(decisions: &mut Decisions, now: &mut u64, object: u32, latency: u64) -> bool {
    decisions.advance(*now);
    if decisions.contains(&entry(object)) {
        decisions.hit(&entry(object), 1);
        return false;
    }
    let id = policy_key(&key(object));
    decisions.begin(id, false);
    *now += latency;
    decisions.advance(*now);
    decisions.end(id, false, true);
    decisions.admit(entry(object), 1);
    true
}

/// Of 21 objects one is slow to fetch. They are requested in turn, and 11 fit. Returns how often it was fetched.
fn slow_fetches(policy: &str) -> usize {
    let (mut decisions, mut now) = (decisions(policy, 11), 0);
    let mut fetches = 0;
    for object in (0..6).flat_map(|_| 0..21) {
        let latency = if object == 0 { 200 * MILLISECOND } else { MILLISECOND };
        let missed = request(&mut decisions, &mut now, object, latency);
        fetches += usize::from(missed && object == 0);
        now += 1000;
    }
    fetches
}

#[test]
fn an_object_that_is_slow_to_fetch_stays_under_a_mad_form() {
    assert_eq!((slow_fetches("lru"), slow_fetches("lru-mad")), (6, 1));
}

#[test]
fn requests_that_wait_count_once_and_fetches_are_measured() {
    let (mut decisions, id) = (decisions("lru", 4), policy_key(&key(1)));
    decisions.begin(id, false);
    for wait in 1..=3 {
        decisions.advance(wait * MILLISECOND);
        decisions.wait(id, false);
    }
    decisions.advance(10 * MILLISECOND);
    decisions.end(id, false, true);
    // One looks before the object has entered, two after.
    assert!(!decisions.hit(&entry(1), 1));
    assert!(decisions.admit(entry(1), 1).is_empty());
    assert!(decisions.hit(&entry(1), 1) && decisions.hit(&entry(1), 1));
    let Counts { misses, delayed_hits, hits, ref fetches, ref waits, .. } = decisions.counts;
    assert_eq!((misses, delayed_hits, hits), (1, 3, 0));
    assert_eq!((fetches.number, fetches.nanoseconds), (1, 10_000_000));
    assert_eq!((waits.number, waits.nanoseconds), (3, 24_000_000));
    assert!(decisions.hit(&entry(1), 1));
    assert_eq!(decisions.counts.hits, 1);
}

#[test]
fn another_generation_takes_the_place_of_an_object() {
    use pingora_cache::eviction::CacheEntryId;
    let mut decisions = decisions("lru", 10);
    let generation = |id| CacheEntryKey::identified(key(1).to_compact(), CacheEntryId::new(id));
    decisions.admit(generation(1), 4);
    decisions.admit(entry(2), 4);
    assert!(decisions.admit(generation(2), 5).is_empty());
    assert_eq!((decisions.used(), decisions.len()), (9, 2));
    let (first, second) = (generation(1), generation(2));
    decisions.remove((&first).into());
    assert_eq!(decisions.len(), 2, "the first is no longer there");
    // It grows beyond the room that is left.
    decisions.hit(&generation(2), 5);
    assert_eq!(decisions.admit(generation(3), 8), [entry(2)]);
    decisions.remove((&second).into());
    let third = generation(3);
    decisions.remove((&third).into());
    assert_eq!((decisions.used(), decisions.len()), (0, 0));
}

#[test]
fn fetches_without_an_end_are_forgotten() {
    let mut decisions = decisions("lru", 4);
    for object in 0..MOST_ANSWERED as u64 + 100 {
        decisions.begin(object, false);
        decisions.end(object, false, true);
    }
    assert_eq!((decisions.fetches.len(), decisions.in_flight()), (MOST_ANSWERED, 0));
}

/// A trace of popular objects and bursts, in nanoseconds. The keys are those that the policy hears.
fn trace(seed: u64) -> Vec<(u32, Request)> {
    let mut rng = Seed(seed).stream("test/trace");
    let mut time = 0;
    let mut last = 0;
    let request = |_| {
        time += rng.random_range(0..400_000);
        let object = match rng.random_range(0..10) {
            0..6 => rng.random_range(0..60) * rng.random_range(0..60) / 60,
            6..8 => last,
            _ => rng.random_range(0..200),
        };
        last = object;
        (object, Request { time, key: policy_key(&key(object)), size: 1 })
    };
    (0..4_000).map(request).collect()
}

/// Plays a trace as it would reach the proxy, and asks a simulation of the same cache for each request.
fn agrees_with_the_simulation(policy: &str, seed: u64) {
    // Before its first fetch, the proxy expects a fetch to take this long.
    const LATENCY: u64 = MILLISECOND;
    const CAPACITY: u64 = 20;
    let mut decisions = decisions(policy, CAPACITY);
    let choice: Choice = forebay_cache::bounded(policy).unwrap().parse().unwrap();
    let setup = Setup {
        model: Model::DelayedHits,
        capacity: CAPACITY,
        entries: 20,
        ways: None,
        latency: Latency::Constant(LATENCY),
        size_change: None,
        service: Service::default(),
        warmup: 0,
        seed: Seed(1),
        observer: None,
    };
    let mut simulation = choice.simulation(setup).unwrap();
    let mut flights: VecDeque<(u64, u32)> = VecDeque::new();
    let (mut hits, mut delayed) = (0, 0);
    for (number, (object, request)) in trace(seed).into_iter().enumerate() {
        while let Some((end, landed)) = flights.pop_front_if(|(end, _)| *end <= request.time) {
            decisions.advance(end);
            decisions.end(policy_key(&key(landed)), false, true);
            decisions.admit(entry(landed), 1);
        }
        decisions.advance(request.time);
        let is_hit = decisions.contains(&entry(object));
        let in_flight = flights.iter().any(|(_, other)| *other == object);
        if is_hit {
            // Those that waited look the object up again. This one did not wait.
            decisions.at(request.key).unwrap().echoes = 0;
            decisions.hit(&entry(object), 1);
            hits += 1;
        } else if in_flight {
            decisions.wait(request.key, false);
            delayed += 1;
        } else {
            decisions.begin(request.key, false);
            flights.push_back((request.time + LATENCY, object));
        }
        let simulated = simulation.play(&request);
        let same = match simulated {
            RequestOutcome::Hit(_) => is_hit,
            RequestOutcome::DelayedHit(_) => in_flight && !is_hit,
            RequestOutcome::Miss(_) => !is_hit && !in_flight,
        };
        assert!(same, "{policy}, seed {seed}, request {number} for {object}: {simulated:?}");
    }
    assert!(hits > 100 && delayed > 100, "{policy}: {hits} hits, {delayed} delayed hits");
}

#[test]
fn the_proxy_evicts_what_the_simulation_evicts() {
    for policy in Choice::names() {
        if policy.parse::<Choice>().unwrap().offline() {
            continue;
        }
        for seed in 0..3 {
            agrees_with_the_simulation(&policy, seed);
        }
    }
}
