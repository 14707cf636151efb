//! What knowledge of the future is worth.

use forebay_cache::future::futures;
use forebay_cache::seer::{Fpm, Pace, SeerCache, SeerCounts, SeerSpec, Unannounced};
use forebay_cache::{Choice, Latency, Model, Service, Setup, StateCache, StateCacheSpec};
use forebay_core::{Duration, Rate, Request, Rng, Seed, Time};
use rand::RngExt as _;
use rand_distr::{Distribution as _, Zipf};
use std::collections::BTreeMap;

const PACKET: u64 = 1_000;
const ALL: usize = 10_000;
const PACKETS: u64 = ALL as u64;
const ENTRIES: u64 = 64;

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers from 1 to 256")]
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
        size_change: None,
        service: Service::default(),
        warmup: 0,
        seed: Seed(3),
        observer: None,
    };
    let mut simulation = policy.parse::<Choice>().unwrap().simulation(setup).unwrap();
    simulation.feed(&requests(keys), &futures(&requests(keys), |_| 1));
    simulation.counts().misses
}

fn cache(ways: Option<u64>) -> StateCacheSpec {
    StateCacheSpec { entries: ENTRIES, ways, latency: 1, parallel: None, seed: Seed(3) }
}

/// One port, one class; `ahead` packets are known at any time.
fn seer(ways: Option<u64>, keys: &[u64], ahead: usize, change: impl Fn(&mut SeerSpec)) -> SeerCounts {
    // A byte takes a tick.
    let rate = Rate::from_bits_per_second(8_000_000_000_000).unwrap();
    let mut spec = SeerSpec {
        list_capacity: keys.len(),
        ..SeerSpec::of(cache(ways), vec![rate], Pace::Iteration(Duration::ZERO))
    };
    change(&mut spec);
    let mut seer = SeerCache::new(&spec, &"lru".parse().unwrap()).unwrap();
    let arrival = |nth: usize| Time::from_ps(PACKET * (nth as u64 + 1));
    let tell = |seer: &mut SeerCache, now: Time, nth: usize| {
        let fpm = Fpm::of(keys[nth], 1_000, arrival(nth).since(now));
        seer.notify(now, 0, &[fpm]);
    };
    let ahead = ahead.min(keys.len());
    (0..ahead).for_each(|nth| tell(&mut seer, Time::ZERO, nth));
    for (nth, &key) in keys.iter().enumerate() {
        while let Some(due) = seer.next_iteration().filter(|due| *due < arrival(nth)) {
            seer.iterate(due);
        }
        seer.access(arrival(nth), Some(0), key);
        if ahead > 0 && nth + ahead < keys.len() {
            tell(&mut seer, arrival(nth), nth + ahead);
        }
    }
    assert_eq!(seer.counts().fpms.mistimed, 0);
    seer.counts()
}

/// Reads of the backing store.
fn fetches(counts: &SeerCounts) -> u64 {
    counts.cache.misses + counts.prefetches
}

/// Belady where what is missed has to enter, as what is prefetched has to: its misses.
fn belady_that_enters(ways: Option<u64>, keys: &[u64]) -> u64 {
    let lru: Choice = "lru".parse().unwrap();
    let sets = StateCache::new(&cache(ways), &lru).unwrap();
    let ways = usize::try_from(ways.unwrap_or(ENTRIES)).unwrap();
    let futures = futures(&requests(keys), |_| 1);
    // Per set: the next use of each entry.
    let mut cached: BTreeMap<usize, BTreeMap<u64, u64>> = BTreeMap::new();
    let mut misses = 0;
    for (&key, future) in keys.iter().zip(futures) {
        let set = cached.entry(sets.set_of(key)).or_default();
        if set.insert(key, future.next).is_none() {
            misses += 1;
            if set.len() > ways {
                let others = set.iter().filter(|&(&other, _)| other != key);
                let (&last, _) = others.max_by_key(|&(_, &next)| next).unwrap();
                set.remove(&last);
            }
        }
    }
    misses
}

fn cases() -> impl Iterator<Item = (Vec<u64>, Option<u64>)> {
    [None, Some(0.8), Some(1.2)].into_iter().flat_map(|zipf| {
        let keys = keys(zipf, &mut Seed(9).stream("test/visibility"));
        [Some(1), Some(2), Some(4), Some(8), None].map(|ways| (keys.clone(), ways))
    })
}

fn horizon(ticks: u64) -> impl Fn(&mut SeerSpec) {
    move |spec| spec.horizon = Some(Duration::from_ps(ticks))
}

#[test]
fn who_knows_all_and_fetches_just_in_time_is_belady_and_nobody_waits() {
    for (keys, ways) in cases() {
        let counts = seer(ways, &keys, ALL, horizon(1));
        assert_eq!(counts.cache.misses, 0);
        assert_eq!(fetches(&counts), belady_that_enters(ways, &keys), "{ways:?}");
    }
}

#[test]
fn who_knows_all_and_fetches_nothing_ahead_is_belady_that_may_refuse() {
    for (keys, ways) in cases() {
        let counts = seer(ways, &keys, ALL, horizon(0));
        assert_eq!(counts.prefetches, 0);
        assert_eq!(fetches(&counts), misses("belady", ways, &keys), "{ways:?}");
    }
}

/// Algorithm 1 as it stands keeps what is wanted next. With one set, an access finds its entry still there from the access
/// before if fewer others than places came between, which is LRU.
#[test]
fn who_fetches_at_once_has_no_misses_and_as_many_fetches_as_lru() {
    for (keys, ways) in cases() {
        let lru = misses("lru", ways, &keys);
        for ahead in [8, 512, ALL] {
            let counts = seer(ways, &keys, ahead, |_| ());
            assert_eq!(counts.cache.misses, 0);
            assert!(fetches(&counts) <= lru, "{ways:?} {ahead}: {} and {lru}", fetches(&counts));
            assert!(ways.is_some() || fetches(&counts) == lru);
        }
    }
}

#[test]
fn the_more_is_known_the_less_is_fetched() {
    for (keys, ways) in cases() {
        let mut before = misses("lru", ways, &keys);
        for ahead in [1, 8, 64, 512, ALL] {
            let fetches = fetches(&seer(ways, &keys, ahead, horizon(1)));
            assert!(fetches <= before, "{ways:?} {ahead}: {fetches}, not {before}");
            before = fetches;
        }
    }
}

#[test]
fn how_far_ahead_packets_are_known_is_counted() {
    let counts = seer(None, &keys(None, &mut Seed(1).stream("test")), 8, |_| ());
    let seen = counts.visibility;
    assert_eq!((counts.fpms.used, seen.unannounced), (PACKETS, 0));
    // The first eight are told of at once; the others when a packet eight before them comes.
    assert_eq!(seen.lead_ps, u128::from((1..8).sum::<u64>() * PACKET + (PACKETS - 7) * 8 * PACKET));
    assert_eq!(seen.known, u128::from((PACKETS - 8) * 8 + (1..=8).sum::<u64>()));
}

/// What is not announced is known not to come among the next ones: nothing need be guessed.
#[test]
fn where_all_that_comes_soon_is_announced_algorithm_2_is_right() {
    for (keys, ways) in cases() {
        for ahead in [8, 128, 512, ALL] {
            let [last, by_recency] = [Unannounced::Last, Unannounced::ByRecency].map(|unannounced| {
                let change = |spec: &mut SeerSpec| {
                    horizon(1)(spec);
                    spec.unannounced = unannounced;
                };
                fetches(&seer(ways, &keys, ahead, change))
            });
            assert!(last <= by_recency && by_recency <= misses("lru", ways, &keys), "{last} {by_recency}");
        }
    }
}
