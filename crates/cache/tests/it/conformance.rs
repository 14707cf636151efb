//! What holds for every policy of the registry, MAD forms included.

use crate::naive::Naive;
use forebay_cache::future::futures;
use forebay_cache::{Choice, Counts, Latency, Model, Service, Setup, Shape};
use forebay_core::{Request, Seed};
use rand::RngExt as _;

/// Requests that a cache can do something with: popular objects, bursts and scans.
pub(crate) fn requests(seed: u64, count: usize, objects: u64, sized: bool) -> Vec<Request> {
    let mut rng = Seed(seed).stream("test/requests");
    let mut time = 0;
    let mut last = 0;
    let mut scan = objects;
    let request = |_| {
        time += rng.random_range(0..=3);
        let popular = rng.random_range(0..objects) * rng.random_range(0..objects) / objects;
        let key = match rng.random_range(0..10) {
            0..6 => popular,
            6..8 => last,
            8 => rng.random_range(0..objects),
            _ => {
                scan += 1;
                scan
            }
        };
        last = key;
        let size = if sized { key.wrapping_mul(2_654_435_761) % 9 + 1 } else { 1 };
        Request { time, key, size }
    };
    (0..count).map(request).collect()
}

/// The same with one request per tick at most, as where ticks are slots.
pub(crate) fn in_slots(mut requests: Vec<Request>) -> Vec<Request> {
    (0..).zip(&mut requests).for_each(|(before, request)| request.time += before);
    requests
}

pub(crate) fn setup(model: Model, capacity: u64, latency: u64) -> Setup {
    let entries = usize::try_from(capacity).unwrap();
    let (latency, seed) = (Latency::Constant(latency), Seed(1));
    Setup {
        model,
        capacity,
        entries,
        ways: None,
        latency,
        size_change: None,
        service: Service::default(),
        warmup: 0,
        seed,
        observer: None,
    }
}

pub(crate) fn play(choice: &Choice, setup: Setup, requests: &[Request], latency: u64) -> Counts {
    let futures = if choice.offline() { futures(requests, |_| latency) } else { Vec::new() };
    let mut simulation = choice.simulation(setup).unwrap();
    simulation.feed(requests, &futures);
    simulation.counts()
}

fn choices() -> impl Iterator<Item = Choice> {
    Choice::names().map(|name| name.parse().unwrap())
}

/// The places differ, but what happens must not depend on them.
#[test]
fn the_fast_model_is_the_naive_one() {
    for choice in choices() {
        for (seed, (capacity, latency, sized)) in
            (0..).zip([(1, 1, false), (3, 7, false), (10, 1, false), (10, 30, false), (25, 12, true)])
        {
            let requests = requests(seed, 1_500, 40, sized);
            let fast = play(&choice, setup(Model::DelayedHits, capacity, latency), &requests, latency);
            // The stream of the only set, so that policies that draw draw the same.
            let shape = Shape { capacity, entries: 10, seed: Seed(1).part("set 0") };
            let mut naive = Naive::new(choice.policy(&shape).unwrap(), capacity, |_| latency);
            naive.play(&requests, &futures(&requests, |_| latency));
            let counts = |counts: Counts| (counts.hits, counts.delayed_hits, counts.misses, counts.total_latency);
            assert_eq!(counts(fast), counts(naive.counts), "{choice}: capacity {capacity}, latency {latency}");
        }
    }
}

/// Fetches that overtake each other, and several that end in one tick.
#[test]
fn the_fast_model_is_the_naive_one_where_latencies_differ() {
    let latency_of = |key: u64| [2, 3, 5, 17, 40][usize::try_from(key % 5).unwrap()];
    let each: Vec<u64> = (0..2_000).collect();
    for choice in choices() {
        for (seed, (capacity, sized)) in (20..).zip([(1, false), (4, false), (12, false), (30, true)]) {
            let requests = requests(seed, 1_500, 40, sized);
            assert!(requests.iter().all(|request| request.key < 2_000));
            let futures = futures(&requests, latency_of);
            let latencies = each.iter().map(|&key| (key, latency_of(key))).collect();
            let setup = Setup { latency: Latency::PerObject(latencies, 1), ..setup(Model::DelayedHits, capacity, 1) };
            let mut simulation = choice.simulation(setup).unwrap();
            simulation.feed(&requests, if choice.offline() { &futures } else { &[] });
            let shape = Shape { capacity, entries: 10, seed: Seed(1).part("set 0") };
            let mut naive = Naive::new(choice.policy(&shape).unwrap(), capacity, latency_of);
            naive.play(&requests, &futures);
            let counts = |counts: Counts| (counts.hits, counts.delayed_hits, counts.misses, counts.total_latency);
            assert_eq!(counts(simulation.counts()), counts(naive.counts), "{choice}: capacity {capacity}");
        }
    }
}

/// One set of all ways is the whole cache, and no request is lost between several sets.
#[test]
fn sets_are_caches_side_by_side() {
    for choice in choices() {
        let requests = requests(9, 3_000, 60, false);
        let one = Setup { ways: Some(16), ..setup(Model::DelayedHits, 16, 10) };
        let one = play(&choice, one, &requests, 10);
        assert_eq!(one, play(&choice, setup(Model::DelayedHits, 16, 10), &requests, 10), "{choice}");
        let sets = Setup { ways: Some(4), ..setup(Model::DelayedHits, 16, 10) };
        let counts = play(&choice, sets, &requests, 10);
        assert_eq!(counts.hits + counts.delayed_hits + counts.misses, 3_000, "{choice}");
        assert!(counts.evictions <= counts.misses && counts.total_latency > 0, "{choice}");
    }
}

/// The same with one request in each tick.
fn in_each_slot(mut requests: Vec<Request>) -> Vec<Request> {
    (0..).zip(&mut requests).for_each(|(slot, request)| request.time = slot);
    requests
}

/// With equal sizes and no delayed hits nothing misses less often, however many requests share a tick; in the same sets
/// neither.
#[test]
fn no_policy_beats_belady_in_the_classical_model() {
    let belady: Choice = "belady".parse().unwrap();
    for seed in 30..40 {
        let requests = requests(seed, 2_000, 50, false);
        for (capacity, ways) in [(1, None), (3, None), (10, None), (10, Some(5)), (25, None), (24, Some(3))] {
            let setup = || Setup { ways, ..setup(Model::Classical, capacity, 1) };
            let least = play(&belady, setup(), &requests, 1).misses;
            for choice in choices() {
                let misses = play(&choice, setup(), &requests, 1).misses;
                let what = format!("capacity {capacity}, ways {ways:?}, seed {seed}");
                assert!(misses >= least, "{choice}: {misses} misses, belady {least}, {what}");
                if choice.offline() {
                    assert_eq!(misses, least, "{choice}: the same with equal sizes");
                }
            }
        }
    }
}

/// In the classical model a policy that measures time in requests gives the same misses by any clock.
#[test]
fn the_clock_of_a_trace_does_not_matter_where_requests_are_counted() {
    let by = |clock: fn(u64) -> u64| {
        let mut requests = in_each_slot(requests(41, 4_000, 80, true));
        requests.iter_mut().for_each(|request| request.time = clock(request.time));
        requests
    };
    let (fine, seconds, late) = (by(|slot| slot), by(|slot| slot / 100), by(|slot| slot * slot + 7));
    for name in
        ["belady", "belady-ad", "belady-ad-size", "belady-size", "hyperbolic", "lru-k", "lru-k(k=3,correlated=5)"]
    {
        let choice: Choice = name.parse().unwrap();
        let counts = |requests: &[Request]| play(&choice, setup(Model::Classical, 60, 1), requests, 1);
        assert_eq!(counts(&seconds), counts(&fine), "{name}");
        assert_eq!(counts(&late), counts(&fine), "{name}");
    }
}

#[test]
fn at_latency_one_both_models_agree_and_mad_is_its_base() {
    for choice in choices() {
        let requests = in_each_slot(requests(7, 5_000, 60, false));
        for capacity in [1, 5, 20] {
            let classical = play(&choice, setup(Model::Classical, capacity, 1), &requests, 1);
            let delayed = play(&choice, setup(Model::DelayedHits, capacity, 1), &requests, 1);
            assert_eq!((classical.hits, classical.misses), (delayed.hits, delayed.misses), "{choice}");
            assert_eq!(delayed.delayed_hits, 0, "{choice}");
            if let Some(base) = choice.to_string().strip_suffix("-mad") {
                let base: Choice = base.parse().unwrap();
                assert_eq!(delayed, play(&base, setup(Model::DelayedHits, capacity, 1), &requests, 1), "{choice}");
            }
        }
    }
}

/// With more entries than are all weighed: a MAD form looks at the same ones as its base.
#[test]
fn at_latency_one_mad_is_its_base_in_a_large_cache_too() {
    let requests = in_slots(requests(8, 20_000, 8_000, false));
    let played = |name: &str| {
        let counts = play(&name.parse().unwrap(), setup(Model::DelayedHits, 2_000, 1), &requests, 1);
        assert!(counts.evictions > 2_000, "{name}: {counts:?}");
        counts
    };
    let all = Choice::names().filter_map(|name| Some((name.strip_suffix("-mad")?.to_owned(), name)));
    let drawn = [("lhd(sample=8)", "lhd-mad(sample=8)"), ("lhd(sample=1500)", "lhd-mad(sample=1500)")];
    for (base, mad) in all.chain(drawn.map(|(base, mad)| (base.to_owned(), mad.to_owned()))) {
        assert_eq!(played(&mad), played(&base), "{mad}");
    }
    // MAD draws for Hyperbolic, with numbers of its own: the same but for chance.
    let (base, mad) = (played("hyperbolic(sample=8)"), played("hyperbolic-mad(sample=8)"));
    assert!((mad.misses as f64 / base.misses as f64 - 1.0).abs() < 0.01, "{base:?} {mad:?}");
    assert_ne!(played("hyperbolic").misses, base.misses, "so few draws do not find the least");
}

#[test]
fn the_same_seed_gives_the_same_result() {
    for choice in choices() {
        let requests = requests(3, 3_000, 60, true);
        let run = || play(&choice, setup(Model::DelayedHits, 50, 10), &requests, 10);
        assert_eq!(run(), run(), "{choice}");
    }
}

#[test]
fn a_cache_larger_than_all_objects_misses_each_once() {
    // Of the rules of admission, TinyLFU alone lets every object enter while there is room.
    let rule = |choice: &Choice| choice.admission().map(|rule| rule.about.name);
    for choice in choices().filter(|choice| rule(choice).is_none_or(|rule| rule == "tinylfu")) {
        let requests = requests(5, 2_000, 60, false);
        let mut keys: Vec<_> = requests.iter().map(|request| request.key).collect();
        keys.sort_unstable();
        keys.dedup();
        let counts = play(&choice, setup(Model::DelayedHits, 10_000, 9), &requests, 9);
        assert_eq!(counts.misses, keys.len() as u64, "{choice}");
        assert_eq!(counts.evictions, 0, "{choice}");
    }
}
