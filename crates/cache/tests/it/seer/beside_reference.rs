//! The cache and the reference through the same random events.

use crate::seer::reference::Reference;
use forebay_cache::seer::{
    Admit, AfterEviction, AfterFailure, Enters, Fpm, Pace, SeerCache, SeerSpec, ToX, Unannounced,
};
use forebay_cache::{Choice, StateCache, StateCacheSpec, Whereabouts};
use forebay_core::{Duration, Rate, Rng, Seed, Time};
use rand::RngExt as _;
use std::collections::VecDeque;

const KEYS: u64 = 24;
const TICKS: u64 = 4_000;

fn pick<T: Copy>(rng: &mut Rng, from: &[T]) -> T {
    from[rng.random_range(0..from.len())]
}

/// A byte takes a tick.
fn rate() -> Rate {
    Rate::from_bits_per_second(8_000_000_000_000).unwrap()
}

struct Both {
    seer: SeerCache,
    reference: Reference,
    prefetches: u64,
    /// Packets that have come and are held up.
    held: VecDeque<(usize, u64, bool)>,
    dropped: u64,
    /// Whether forecasts come as well.
    relayed: bool,
    lookahead: bool,
}

fn both(rng: &mut Rng) -> Both {
    let ports = rng.random_range(1..=4);
    let (ways, sets) = (rng.random_range(1..=8), pick(rng, &[1, 1, 2, 4]));
    let parallel = pick(rng, &[None, Some(1), Some(2)]);
    let latency = pick(rng, &[1, 5, 30]);
    let entries = u64::try_from(ways * sets).unwrap();
    let cache = StateCacheSpec { entries, ways: u64::try_from(ways).ok(), latency, parallel, seed: Seed(rng.random()) };
    let horizon = pick(rng, &[None, None, Some(latency), Some(100)]);
    let iteration = pick(rng, &[0, 1, 7, 20]);
    let patience = pick(rng, &[None, Some(0), Some(15), Some(150)]);
    let spec = SeerSpec {
        horizon: horizon.map(Duration::from_ps),
        patience: patience.map(Duration::from_ps),
        list_capacity: pick(rng, &[4, 1024]),
        after_failure: pick(rng, &[AfterFailure::Stop, AfterFailure::Block, AfterFailure::Next]),
        to_x: pick(rng, &[ToX::AtOnce, ToX::NextIteration]),
        unannounced: pick(rng, &[Unannounced::Last, Unannounced::ByRecency]),
        admit: pick(rng, &[Admit::Belady, Admit::Always]),
        enters: pick(rng, &[Enters::WhenBegun, Enters::WhenEnded]),
        after_eviction: pick(rng, &[AfterEviction::Keep, AfterEviction::Refetch]),
        ..SeerSpec::of(cache, vec![rate(); ports], Pace::Iteration(Duration::from_ps(iteration)))
    };
    let lru: Choice = "lru".parse().unwrap();
    let plain = StateCache::new(&cache, &lru).unwrap();
    let reference = Reference {
        after_failure: spec.after_failure,
        to_x: spec.to_x,
        unannounced: spec.unannounced,
        admit: spec.admit,
        enters: spec.enters,
        after_eviction: spec.after_eviction,
        ways,
        latency,
        horizon: horizon.unwrap_or(u64::MAX),
        patience,
        list_capacity: spec.list_capacity,
        iteration,
        channels: vec![0; parallel.map_or(100, |parallel| parallel as usize)],
        ..Reference::new(ports, sets, Box::new(move |key| plain.set_of(key)))
    };
    Both {
        seer: SeerCache::new(&spec, &lru).unwrap(),
        reference,
        prefetches: 0,
        held: VecDeque::new(),
        dropped: 0,
        relayed: rng.random_range(0..2) == 0,
        lookahead: rng.random_range(0..2) == 0,
    }
}

impl Both {
    fn event(&mut self, rng: &mut Rng, tick: u64, density: u64) -> bool {
        let Self { seer, reference, held, lookahead, .. } = self;
        let now = Time::from_ps(tick);
        let port = rng.random_range(0..reference.ports());
        let key = rng.random_range(0..KEYS).min(rng.random_range(0..KEYS));
        match rng.random_range(0..density) {
            0..4 => {
                let own: u32 = rng.random_range(1..20);
                // Behind all others, or somewhere.
                let ends = reference.f[port].iter().chain(&reference.x[port]).map(|message| message.arrival);
                let last = ends.max().unwrap_or(0).max(tick);
                let behind = rng.random_range(0..4) > 0;
                let start = if behind { last } else { tick + rng.random_range(0..200) };
                let arrival = start + u64::from(own);
                let delay = Duration::from_ps(arrival - tick);
                let fpm = Fpm::of(key, own, delay);
                if self.relayed && rng.random_range(0..2) == 0 {
                    seer.forecast(now, port, &[fpm]);
                    reference.forecast(port, key, arrival, u64::from(own));
                } else {
                    seer.notify(now, port, &[fpm]);
                    reference.tell(port, key, arrival, u64::from(own));
                }
            }
            4..8 => {
                // Mostly what is expected first, often when it is expected.
                let all = reference.f[port].iter().chain(&reference.x[port]);
                let first = all.min_by_key(|message| message.place()).filter(|_| rng.random_range(0..5) > 0);
                if first.is_some_and(|first| first.arrival > tick + 5) {
                    return false;
                }
                let key = first.map_or(key, |first| first.id);
                if rng.random_range(0..6) == 0 {
                    let is_expected = seer.hold(now, port, key, *lookahead);
                    assert_eq!(is_expected, reference.hold(tick, port, key, *lookahead), "held, at {tick}");
                    held.push_back((port, key, is_expected));
                } else {
                    let port = Some(port).filter(|_| rng.random_range(0..10) > 0);
                    assert_eq!(seer.access(now, port, key), reference.access(tick, port, key), "at {tick}");
                }
            }
            8 if rng.random_range(0..2) == 0 => {
                let Some((port, key, is_expected)) = held.pop_front() else { return false };
                let lookup = seer.access_held(now, port, key, is_expected);
                assert_eq!(lookup, reference.access_held(tick, port, key, is_expected), "held, at {tick}");
            }
            9 if rng.random_range(0..4) == 0 => {
                seer.pushed_back(now, port, Duration::from_ps(6));
                reference.control(port, 6);
            }
            10 if rng.random_range(0..4) == 0 => {
                let was_expected = reference.forget(port, key);
                assert_eq!(seer.expire(now, port, key), was_expected, "at {tick}");
                self.dropped += u64::from(was_expected);
            }
            _ => return false,
        }
        self.reference.give_up(tick);
        true
    }

    /// All iterations of this tick; returns whether the cache had any.
    fn iterations(&mut self, tick: u64) -> bool {
        let Self { seer, reference, prefetches, .. } = self;
        let now = Time::from_ps(tick);
        let mut expected = Vec::new();
        if reference.iteration == 0 {
            loop {
                let (changed, prefetched) = reference.iterate(tick);
                expected.extend(prefetched);
                if !changed {
                    break;
                }
            }
        } else if tick.is_multiple_of(reference.iteration) {
            expected.extend(reference.iterate(tick).1);
        }
        let mut found = Vec::new();
        let mut any = false;
        while let Some(due) = seer.next_iteration().filter(|due| *due <= now) {
            assert_eq!(due, now, "not late");
            found.extend(seer.iterate(now).map(|prefetch| prefetch.key));
            any = true;
        }
        assert_eq!(found, expected, "at {tick}");
        *prefetches += u64::try_from(found.len()).unwrap();
        any
    }
}

#[test]
fn the_same_happens_at_the_same_times() {
    let mut totals = [0; 8];
    for seed in 0..300 {
        let mut rng = Seed(seed).stream("test/seer");
        let mut both = both(&mut rng);
        let density = pick(&mut rng, &[12, 40, 100]);
        for tick in 0..TICKS {
            both.reference.tick(tick);
            let heard = both.event(&mut rng, tick, density);
            let called = both.iterations(tick);
            if heard || called {
                let find = |key| (both.seer.find(key), both.reference.find(key));
                for (key, (found, expected)) in (0..KEYS).map(|key| (key, find(key))) {
                    assert_eq!(found, expected, "seed {seed} at {tick}: {key}");
                }
                for key in 0..KEYS {
                    let next = both.reference.next(key).map(Time::from_ps);
                    assert_eq!(both.seer.arrivals().next(key), next, "seed {seed} at {tick}");
                }
            }
        }
        // What has become overdue since anything happened.
        both.reference.give_up(TICKS);
        both.seer.expire(Time::from_ps(TICKS), 0, KEYS);
        let counts = both.seer.counts();
        assert_eq!(counts.prefetches, both.prefetches);
        let fpms = counts.fpms;
        assert_eq!(fpms.received, fpms.full + fpms.used + fpms.replaced + fpms.expired + fpms.expected);
        assert!(fpms.full == 0 || fpms.max_expected == both.reference.list_capacity);
        assert_eq!(fpms.expired, both.dropped + both.reference.given_up);
        let here = (0..KEYS).filter(|&key| both.seer.find(key) != Whereabouts::Away).count();
        assert!(here <= 32 + 24);
        let of_seed = [counts.prefetches, counts.aborted, counts.cache.hits, counts.prefetches_late, fpms.full];
        let of_seed = [&of_seed[..], &[fpms.replaced, fpms.forecasts_used, both.reference.given_up]].concat();
        totals.iter_mut().zip(of_seed).for_each(|(total, count)| *total += count);
    }
    assert!(totals.iter().all(|&total| total > 100), "{totals:?}");
}
