//! What knowledge of the future is worth.

use forebay_cache::future::futures;
use forebay_cache::{Choice, Latency, Model, Setup, StateCacheSpec};
use forebay_core::{Duration, Rate, Request, Rng, Seed, Time};
use forebay_seer::{AfterFailure, Fpm, Pace, SeerCache, SeerCounts, SeerSpec, ToX};
use rand::RngExt as _;
use rand_distr::{Distribution as _, Zipf};

const PACKET: u64 = 1_000;
const PACKETS: u64 = 30_000;
const ENTRIES: u64 = 64;

fn keys(zipf: Option<f64>, rng: &mut Rng) -> Vec<u64> {
    let draw = |_| match zipf {
        None => rng.random_range(0..256),
        Some(exponent) => Zipf::new(256.0, exponent).unwrap().sample(rng) as u64,
    };
    (0..PACKETS).map(draw).collect()
}

fn requests(keys: &[u64]) -> Vec<Request> {
    (1..).zip(keys).map(|(nth, &key)| Request { time: PACKET * nth, key, size: 1 }).collect()
}

fn misses(policy: &str, ways: Option<u64>, keys: &[u64]) -> u64 {
    let setup = Setup {
        model: Model::Classical,
        capacity: ENTRIES,
        entries: 64,
        ways,
        latency: Latency::Constant(1),
        warmup: 0,
        seed: Seed(3),
        observer: None,
    };
    let mut simulation = policy.parse::<Choice>().unwrap().simulation(setup).unwrap();
    simulation.feed(&requests(keys), &futures(&requests(keys), |_| 1));
    simulation.counts().misses
}

/// One port, one class; `ahead` packets are known at any time.
fn seer(ways: Option<u64>, keys: &[u64], ahead: usize, change: impl Fn(&mut SeerSpec)) -> SeerCounts {
    let cache = StateCacheSpec { entries: ENTRIES, ways, latency: 1, parallel: None, seed: Seed(3) };
    // A byte takes a tick.
    let rate = Rate::from_bits_per_second(8_000_000_000_000).unwrap();
    let mut spec =
        SeerSpec { list_capacity: keys.len(), ..SeerSpec::of(cache, vec![rate], Pace::Iteration(Duration::ZERO)) };
    change(&mut spec);
    let mut seer = SeerCache::new(&spec, &"lru".parse().unwrap()).unwrap();
    let arrival = |nth: usize| Time::from_ps(PACKET * (nth as u64 + 1));
    let tell = |seer: &mut SeerCache, now: Time, nth: usize| {
        let fpm = Fpm { id: keys[nth], size_bytes: 1_000, delay: arrival(nth).since(now) };
        seer.notify(now, 0, &[fpm]);
    };
    let ahead = ahead.min(keys.len());
    (0..ahead).for_each(|nth| tell(&mut seer, Time::ZERO, nth));
    for (nth, &key) in keys.iter().enumerate() {
        while let Some(due) = seer.next_iteration().filter(|due| *due < arrival(nth)) {
            seer.iterate(due);
        }
        seer.access(arrival(nth), Some(0), key);
        if nth + ahead < keys.len() {
            tell(&mut seer, arrival(nth), nth + ahead);
        }
    }
    assert_eq!(seer.counts().fpms.mistimed, 0);
    seer.counts()
}

#[test]
fn figures() {
    for zipf in [None, Some(0.8), Some(1.2)] {
        let keys = keys(zipf, &mut Seed(9).stream("test/visibility"));
        for ways in [Some(1), Some(2), Some(4), Some(8), None] {
            let (lru, belady) = (misses("lru", ways, &keys), misses("belady", ways, &keys));
            println!("{zipf:?} {ways:?}: LRU {lru}, Belady {belady}");
            for ahead in [0, 1, 8, 64, 512, 30_000] {
                for after_failure in [AfterFailure::Stop, AfterFailure::Block, AfterFailure::Next] {
                    if ahead > 512 && after_failure == AfterFailure::Next {
                        continue;
                    }
                    let c = seer(ways, &keys, ahead, |spec| spec.after_failure = after_failure);
                    println!(
                        "   {ahead} {after_failure:?}: fetches {} misses {} late {} unused {} iterations {} aborted {}",
                        c.fetches(),
                        c.cache.misses,
                        c.prefetches_late,
                        c.prefetches_evicted,
                        c.iterations,
                        c.aborted
                    );
                }
            }
        }
    }
}
