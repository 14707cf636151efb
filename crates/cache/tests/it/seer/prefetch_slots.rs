//! When a prefetch takes its place.

use forebay_cache::seer::{Enters, Fpm, Pace, SeerCache, SeerSpec};
use forebay_cache::{Lookup, StateCacheSpec, Whereabouts};
use forebay_core::{Duration, Rate, Seed, Time};

/// Fetches take so many ticks; the manager needs no time.
const LATENCY: u64 = 100;

/// A set of so many ways, in which all packets arrive over one link.
fn cache(enters: Enters, ways: u64) -> SeerCache {
    let cache = StateCacheSpec { entries: ways, ways: None, latency: LATENCY, parallel: None, seed: Seed(1) };
    let spec = SeerSpec::of(cache, vec![Rate::parse("8 Tbps").unwrap()], Pace::Iteration(Duration::ZERO));
    SeerCache::new(&SeerSpec { enters, ..spec }, &"lru".parse().unwrap()).unwrap()
}

fn at(tick: u64) -> Time {
    Time::from_ps(tick)
}

/// State 1 is there when, at 1000, a packet is announced for 1150 that wants state 2. At 1050 one comes unannounced for state 1.
fn play(enters: Enters) -> (SeerCache, [Lookup; 2]) {
    let mut seer = cache(enters, 1);
    assert_eq!(seer.access(at(0), None, 1), Lookup::Miss(LATENCY));
    seer.notify(at(1000), 0, &[Fpm::of(2, 10, Duration::from_ps(150))]);
    assert_eq!(
        seer.iterate(at(1000)).map(|prefetch| prefetch.evicted),
        Some((enters == Enters::WhenBegun).then_some(1))
    );
    let lookups = [(1050, 1), (1150, 2)].map(|(now, key)| seer.access(at(now), (key == 2).then_some(0), key));
    (seer, lookups)
}

#[test]
fn what_leaves_at_the_beginning_is_missed_during_the_fetch() {
    let (_, lookups) = play(Enters::WhenBegun);
    assert_eq!(lookups, [Lookup::Miss(1150), Lookup::Hit]);
}

#[test]
fn what_leaves_at_the_end_is_of_use_until_then() {
    let (seer, lookups) = play(Enters::WhenEnded);
    assert_eq!(lookups, [Lookup::Hit, Lookup::Hit]);
    assert_eq!([1, 2].map(|key| seer.find(key)), [Whereabouts::Away, Whereabouts::Here]);
    assert_eq!(seer.counts().cache.evictions, 1);
}

#[test]
fn no_more_is_fetched_than_will_find_a_place() {
    for (enters, begun) in [(Enters::WhenBegun, 2), (Enters::WhenEnded, 2)] {
        let mut seer = cache(enters, 2);
        let fpms = [1, 2, 3].map(|id| Fpm::of(id, 10, Duration::from_ps(500 + 10 * id)));
        seer.notify(at(0), 0, &fpms);
        while let Some(due) = seer.next_iteration().filter(|due| *due < at(400)) {
            seer.iterate(due);
        }
        assert_eq!(seer.counts().prefetches, begun, "{enters:?}");
        assert_eq!(seer.find(3), Whereabouts::Away);
    }
}

#[test]
fn a_fetch_that_found_no_place_in_the_end_counts_as_lost() {
    let mut seer = cache(Enters::WhenEnded, 1);
    assert_eq!(seer.access(at(0), None, 1), Lookup::Miss(LATENCY));
    let fpm = |id, delay| Fpm::of(id, 10, Duration::from_ps(delay));
    seer.notify(at(1000), 0, &[fpm(2, 400)]);
    assert!(seer.iterate(at(1000)).is_some());
    // Now the state that is there is wanted earlier.
    seer.notify(at(1010), 0, &[fpm(1, 200)]);
    seer.iterate_before(at(1101));
    assert_eq!([seer.find(1), seer.find(2)], [Whereabouts::Here, Whereabouts::OnItsWay]);
    assert_eq!(seer.access(at(1210), Some(0), 1), Lookup::Hit);
    assert_eq!(seer.find(2), Whereabouts::Away);
    let counts = seer.counts();
    assert_eq!((counts.prefetches, counts.prefetches_evicted, counts.cache.refused), (1, 1, 1));
}
