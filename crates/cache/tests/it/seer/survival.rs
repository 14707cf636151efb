//! Properties that hold whatever happens, and inputs that are rejected.

use crate::victim_among::admits;
use forebay_cache::seer::{AfterFailure, Fpm, Pace, SeerCache, SeerSpec, cycles};
use forebay_cache::{Choice, Lookup, StateCacheSpec};
use forebay_core::{Duration, Rate, Seed, Time};
use rand::RngExt as _;

fn spec(entries: u64, ways: Option<u64>) -> SeerSpec {
    let cache = StateCacheSpec { entries, ways, latency: 50, parallel: Some(2), seed: Seed(5) };
    SeerSpec::of(cache, vec![Rate::parse("8 Tbps").unwrap(); 3], Pace::Cycle(Duration::from_ps(1)))
}

#[test]
fn under_every_policy_all_is_accounted_for() {
    for name in Choice::names() {
        let choice: Choice = name.parse().unwrap();
        if choice.offline() {
            continue;
        }
        for (ways, after_failure) in [(None, AfterFailure::Next), (Some(4), AfterFailure::Block)] {
            let spec = SeerSpec { after_failure, patience: Some(Duration::from_ps(500)), ..spec(16, ways) };
            let mut seer = SeerCache::new(&spec, &choice).unwrap();
            let mut rng = Seed(3).stream("survival");
            let mut time = 0;
            for _ in 0..4_000 {
                time += rng.random_range(0..40);
                let now = Time::from_ps(time);
                while let Some(due) = seer.next_iteration().filter(|due| *due <= now) {
                    seer.iterate(due);
                }
                let (port, key) = (rng.random_range(0..3), rng.random_range(0..60_u64).min(rng.random_range(0..60)));
                match rng.random_range(0..10) {
                    0..4 => {
                        let delay = Duration::from_ps(rng.random_range(0..2_000));
                        seer.notify(now, port, &[Fpm::of(key, rng.random_range(0..30), delay)]);
                    }
                    4..9 => {
                        let first = seer.arrivals().first(port).filter(|_| rng.random_range(0..3) > 0);
                        seer.access(now, Some(port), first.map_or(key, |first| first.key));
                    }
                    _ => seer.pushed_back(now, port, Duration::from_ps(5)),
                }
            }
            let counts = seer.counts();
            let fpms = counts.fpms;
            assert_eq!(fpms.received, fpms.full + fpms.used + fpms.expired + fpms.expected, "{name}");
            // TinyLFU refuses most of what was not requested yet, be it prefetched or fetched.
            let (aborted, refused) = if admits(&name) { (counts.aborted, counts.cache.refused) } else { (0, 0) };
            let (prefetches, victims) = (counts.prefetches + aborted, counts.cache.evictions + refused);
            assert!(prefetches > 100 && fpms.expired > 100 && victims > 100, "{name} {counts:?}");
            assert!(counts.prefetches_late <= counts.prefetches_used);
            let gone = counts.prefetches_used + counts.prefetches_evicted;
            assert!((gone..=gone + 16).contains(&counts.prefetches), "{name} {counts:?}");
        }
    }
}

#[test]
fn enormous_numbers_do_not_overflow() {
    let mut seer = SeerCache::new(&spec(2, None), &"lru".parse().unwrap()).unwrap();
    let fpm = |id| Fpm::of(id, u32::MAX, Duration::from_ps(u64::MAX));
    for key in 0..100 {
        seer.notify(Time::from_ps(key), 0, &[fpm(key), fpm(key)]);
        seer.pushed_back(Time::from_ps(key), 0, Duration::from_ps(u64::MAX));
    }
    seer.iterate(Time::MAX);
    seer.access(Time::MAX, Some(0), 1);
    assert_eq!(seer.counts().fpms.used, 1);
}

#[test]
fn a_packet_that_is_overdue_is_expected_no_longer() {
    let spec = SeerSpec { patience: Some(Duration::from_ps(10)), ..spec(2, None) };
    let mut seer = SeerCache::new(&spec, &"lru".parse().unwrap()).unwrap();
    let at = Time::from_ps;
    seer.notify(at(0), 0, &[Fpm::of(1, 5, Duration::from_ps(5))]);
    seer.access(at(15), Some(0), 9);
    assert!(seer.arrivals().knows(1));
    seer.access(at(16), Some(0), 9);
    assert!(!seer.arrivals().knows(1));
    assert_eq!((seer.counts().fpms.expired, seer.counts().visibility.unannounced), (1, 2));
}

/// A link fails, and neither packets nor notifications arrive over it any more. Entries for packets expected there
/// still make room.
#[test]
fn what_a_silent_port_has_told_is_given_up() {
    let spec =
        SeerSpec { patience: Some(Duration::from_ps(10)), pace: Pace::Iteration(Duration::ZERO), ..spec(2, None) };
    let mut seer = SeerCache::new(&spec, &"lru".parse().unwrap()).unwrap();
    let at = Time::from_ps;
    let fpm = |id, delay| Fpm::of(id, 5, Duration::from_ps(delay));
    seer.notify(at(0), 0, &[fpm(1, 5), fpm(2, 100)]);
    seer.notify(at(0), 1, &[fpm(3, 200)]);
    let mut iterations = |end| {
        let mut prefetched = Vec::new();
        while let Some(due) = seer.next_iteration().filter(|due| *due <= at(end)) {
            prefetched.extend(seer.iterate(due).map(|prefetch| (due.as_ps(), prefetch.key)));
        }
        (prefetched, [1, 2, 3].map(|key| seer.arrivals().knows(key)), seer.counts().fpms.expired)
    };
    assert_eq!(iterations(15), (vec![(0, 1), (0, 2)], [true; 3], 0));
    // Its fetch has begun; as it ends, it is the first to leave.
    assert_eq!(iterations(110), (vec![(50, 3)], [false, true, true], 1));
    assert_eq!(iterations(111), (vec![], [false, false, true], 2));
    assert_eq!(iterations(1_000), (vec![], [false; 3], 3));
}

#[test]
fn who_comes_early_waits_for_the_rest() {
    let spec = SeerSpec { pace: Pace::Iteration(Duration::ZERO), ..spec(2, None) };
    let mut seer = SeerCache::new(&spec, &"lru".parse().unwrap()).unwrap();
    seer.notify(Time::ZERO, 0, &[Fpm::of(1, 5, Duration::from_ps(20))]);
    assert_eq!(seer.next_iteration(), Some(Time::ZERO));
    assert_eq!(seer.iterate(Time::ZERO).map(|prefetch| prefetch.end), Some(Time::from_ps(50)));
    assert_eq!(seer.access(Time::from_ps(20), Some(0), 1), Lookup::DelayedHit(50));
    assert_eq!(seer.access(Time::from_ps(50), None, 1), Lookup::Hit);
    let counts = seer.counts();
    assert_eq!((counts.prefetches, counts.prefetches_used, counts.prefetches_late), (1, 1, 1));
    assert_eq!((counts.cache.accesses(), counts.cache.misses), (2, 0));
}

#[test]
fn what_cannot_be_is_refused() {
    let wrong =
        |spec: &SeerSpec, policy: &str| SeerCache::new(spec, &policy.parse().unwrap()).err().unwrap().to_string();
    assert!(wrong(&spec(16, None), "belady").contains("take one that does not"));
    assert!(wrong(&SeerSpec { rates: Vec::new(), ..spec(16, None) }, "lru").contains("at least one"));
    assert!(wrong(&spec(10, Some(4)), "lru").contains("take 8"));
}

/// Section 4: 100 to 200 ns at 100 to 200 MHz, and under 25 ns at 1 GHz.
#[test]
fn an_iteration_takes_as_long_as_the_paper_says() {
    assert_eq!(cycles(4, 8), 2 + 16 + 1);
    assert_eq!(cycles(1, 1), 3);
    assert_eq!(cycles(100, 8), 24);
}
