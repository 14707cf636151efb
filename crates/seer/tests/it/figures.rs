//! The paper's examples.

use forebay_cache::{Choice, Lookup, StateCacheSpec};
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_seer::{Fpm, Pace, SeerCache, SeerSpec};

fn cache(entries: u64, latency: u64) -> StateCacheSpec {
    StateCacheSpec { entries, ways: None, latency, parallel: Some(1), seed: Seed(1) }
}

fn lru() -> Choice {
    "lru".parse().unwrap()
}

/// Figure 1. From its caption: four packets of 120 ns wait at the neighbour, all are known at t = 0, a fetch takes 100 ns;
/// states are prefetched at t = 120 and t = 240, and at t = 240 the entry leaves that is wanted last.
///
/// Chosen: a cache of two entries that holds the state of p1 and has a free place; an iteration every 120 ns, so that the one
/// at t = 0 only sees that the state of p1 is there; p4 wants the state of p1. Of the entries at t = 240 that of p2 is
/// wanted last: never.
#[test]
fn figure_1() {
    let (begin, ns) = (1_200, |ns: u64| Time::from_ns(ns));
    let packets = [1, 2, 3, 1];
    let spec = SeerSpec::of(
        cache(2, 100_000),
        vec![Rate::parse("100 Gbps").unwrap()],
        Pace::Iteration(Duration::from_ns(120)),
    );
    let mut seer = SeerCache::new(&spec, &lru()).unwrap();
    seer.access(ns(0), None, 1);
    let fpms: Vec<Fpm> = (1..)
        .zip(packets)
        .map(|(nth, id)| Fpm { id, size_bytes: 1_500, delay: Duration::from_ns(120 * nth) })
        .collect();
    seer.notify(ns(begin), 0, &fpms);
    let mut trace = Vec::new();
    for (nth, key) in (0..).zip([None].into_iter().chain(packets.map(Some))) {
        let now = ns(begin + 120 * nth);
        if let Some(key) = key {
            assert_eq!(seer.access(now, Some(0), key), Lookup::Hit, "p{nth}");
        }
        while let Some(due) = seer.next_iteration().filter(|due| *due <= now) {
            assert_eq!(due, now);
            if let Some(prefetch) = seer.iterate(due) {
                trace.push((120 * nth, prefetch.key, prefetch.evicted));
            }
        }
    }
    assert_eq!(trace, [(120, 2, None), (240, 3, Some(2))]);
    assert_eq!(seer.counts().fpms.mistimed, 0);

    let mut plain = SeerCache::new(&spec, &lru()).unwrap();
    plain.access(ns(0), None, 1);
    let hits = (1..).zip(packets).filter(|&(nth, key)| plain.access(ns(begin + 120 * nth), None, key) == Lookup::Hit);
    assert_eq!(hits.count(), 1, "LRU misses p2, p3 and p4");
}

/// Figure 4: p5 of the higher class is told of at time 10 and comes at 30; p3 and p4 come later by its 10.
#[test]
fn figure_4() {
    let rate = Rate::from_bits_per_second(8_000_000_000_000).unwrap();
    let spec = SeerSpec::of(cache(8, 1), vec![rate], Pace::Iteration(Duration::ZERO));
    let mut seer = SeerCache::new(&spec, &lru()).unwrap();
    let at = Time::from_ps;
    let fpm = |id, delay| Fpm { id, size_bytes: 10, delay: Duration::from_ps(delay) };
    seer.notify(at(0), 0, &[fpm(1, 10), fpm(2, 20), fpm(3, 30), fpm(4, 40)]);
    let expected = |seer: &SeerCache| [1, 2, 3, 4, 5].map(|key| seer.arrivals().next(key).map(Time::as_ps));
    assert_eq!(expected(&seer), [Some(10), Some(20), Some(30), Some(40), None]);
    seer.access(at(10), Some(0), 1);
    seer.notify(at(10), 0, &[fpm(5, 20)]);
    assert_eq!(expected(&seer), [None, Some(20), Some(40), Some(50), Some(30)]);
    for (time, key) in [(20, 2), (30, 5), (40, 3), (50, 4)] {
        seer.access(at(time), Some(0), key);
    }
    assert_eq!((seer.counts().fpms.used, seer.counts().fpms.mistimed), (5, 0));
}
