//! Nobody tells of anything: a cache under its policy.

use forebay_cache::seer::{Pace, SeerCache, SeerSpec};
use forebay_cache::{Choice, Future, StateCache, StateCacheSpec};
use forebay_core::{Duration, Rate, Seed, Time};
use rand::RngExt as _;

#[test]
fn without_notifications_it_is_the_state_cache_under_every_policy() {
    for name in Choice::names() {
        let choice: Choice = name.parse().unwrap();
        if choice.offline() {
            continue;
        }
        for (ways, parallel) in [(None, None), (Some(1), Some(1)), (Some(4), Some(3))] {
            let cache = StateCacheSpec { entries: 16, ways, latency: 100, parallel, seed: Seed(5) };
            let mut plain = StateCache::new(&cache, &choice).unwrap();
            let rates = vec![Rate::parse("100 Gbps").unwrap(); 3];
            let spec = SeerSpec::of(cache, rates, Pace::Cycle(Duration::from_ps(3)));
            let mut seer = SeerCache::new(&spec, &choice).unwrap();
            let mut rng = Seed(7).stream("beside state cache");
            let mut time = 0;
            for _ in 0..3_000 {
                time += rng.random_range(0..80);
                let key = rng.random_range(0..60_u64).min(rng.random_range(0..60));
                let port = Some(rng.random_range(0..4)).filter(|&port| port < 3);
                let lookup = seer.access(Time::from_ps(time), port, key);
                assert_eq!(lookup, plain.access(time, key, Future::NONE), "{name} {ways:?} at {time}");
                assert_eq!(seer.next_iteration(), None);
            }
            assert_eq!(seer.counts().cache, plain.counts());
            assert_eq!(seer.counts().iterations, 0);
        }
    }
}
