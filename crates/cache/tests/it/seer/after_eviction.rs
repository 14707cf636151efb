//! What becomes of a packet whose state has left before it came.

use forebay_cache::seer::{AfterEviction, Fpm, Pace, SeerCache, SeerSpec};
use forebay_cache::{Lookup, StateCacheSpec};
use forebay_core::{Duration, Rate, Seed, Time};

/// Room for one state, fetched in 5 ticks; the manager needs no time.
fn cache(after_eviction: AfterEviction) -> SeerCache {
    let cache = StateCacheSpec { entries: 1, ways: None, latency: 5, parallel: None, seed: Seed(1) };
    // A byte takes a tick.
    let spec = SeerSpec::of(cache, vec![Rate::parse("8 Tbps").unwrap()], Pace::Iteration(Duration::ZERO));
    SeerCache::new(&SeerSpec { after_eviction, ..spec }, &"lru".parse().unwrap()).unwrap()
}

/// All iterations until `end`; says what was prefetched, and when.
fn iterations(seer: &mut SeerCache, end: u64) -> Vec<(u64, u64)> {
    let mut prefetched = Vec::new();
    while let Some(due) = seer.next_iteration().filter(|due| *due <= Time::from_ps(end)) {
        prefetched.extend(seer.iterate(due).map(|prefetch| (due.as_ps(), prefetch.key)));
    }
    prefetched
}

fn tell(seer: &mut SeerCache, now: u64, key: u64, arrival: u64) {
    let delay = Duration::from_ps(arrival - now);
    seer.notify(Time::from_ps(now), 0, &[Fpm::of(key, 10, delay)]);
}

/// State 1 is wanted at 100 and 120 (later by 10, since a packet goes before), and leaves for state 2, wanted at 50.
fn play(after_eviction: AfterEviction) -> (Vec<(u64, u64)>, [Lookup; 3]) {
    let mut seer = cache(after_eviction);
    tell(&mut seer, 0, 1, 100);
    tell(&mut seer, 0, 1, 120);
    let mut prefetched = iterations(&mut seer, 20);
    tell(&mut seer, 20, 2, 50);
    prefetched.extend(iterations(&mut seer, 50));
    let lookups = [(50, 2), (110, 1), (130, 1)].map(|(now, key)| {
        let lookup = seer.access(Time::from_ps(now), Some(0), key);
        prefetched.extend(iterations(&mut seer, now + 10));
        lookup
    });
    assert_eq!(seer.counts().fpms.mistimed, 0);
    (prefetched, lookups)
}

#[test]
fn a_packet_in_x_has_to_fetch_its_state_itself() {
    let (prefetched, lookups) = play(AfterEviction::Keep);
    assert_eq!(prefetched, [(0, 1), (20, 2)]);
    assert_eq!(lookups, [Lookup::Hit, Lookup::Miss(115), Lookup::Hit]);
}

#[test]
fn a_state_is_fetched_again_as_soon_as_there_is_room() {
    let (prefetched, lookups) = play(AfterEviction::Refetch);
    assert_eq!(prefetched, [(0, 1), (20, 2), (50, 1)]);
    assert_eq!(lookups, [Lookup::Hit; 3]);
}
