//! Iterations that are made up for are those of a manager that is called at its times.

use forebay_cache::StateCacheSpec;
use forebay_cache::seer::{AfterFailure, Fpm, Pace, SeerCache, SeerSpec};
use forebay_core::{Duration, Rate, Seed, Time};
use rand::RngExt as _;

#[test]
fn who_is_not_called_does_the_same() {
    let mut prefetches = 0;
    for seed in 0..60 {
        let mut rng = Seed(seed).stream("test/made up");
        let parallel = [None, Some(1)][rng.random_range(0..2)];
        let latency = [1, 30, 200][rng.random_range(0..3)];
        let cache = StateCacheSpec { entries: 6, ways: Some(3), latency, parallel, seed: Seed(seed) };
        let iteration = [0, 7, 20][rng.random_range(0..3)];
        let rates = vec![Rate::from_bits_per_second(8_000_000_000_000).unwrap(); 3];
        let spec = SeerSpec {
            after_failure: [AfterFailure::Stop, AfterFailure::Block, AfterFailure::Next][rng.random_range(0..3)],
            horizon: [None, Some(Duration::from_ps(60))][rng.random_range(0..2)],
            patience: [None, Some(Duration::from_ps(90))][rng.random_range(0..2)],
            ..SeerSpec::of(cache, rates, Pace::Iteration(Duration::from_ps(iteration)))
        };
        let build = || SeerCache::new(&spec, &"lru".parse().unwrap()).unwrap();
        let (mut called, mut left_alone) = (build(), build());
        for tick in 0..4_000 {
            let now = Time::from_ps(tick);
            let (port, key) = (rng.random_range(0..3), rng.random_range(0..20));
            match rng.random_range(0..30) {
                0..3 => {
                    let delay = Duration::from_ps(rng.random_range(1..150));
                    let fpm = Fpm::of(key, rng.random_range(1..20), delay);
                    for seer in [&mut called, &mut left_alone] {
                        seer.notify(now, port, &[fpm]);
                    }
                }
                3..6 => {
                    let key = called.arrivals().first(port).map_or(key, |first| first.key);
                    let [one, other] = [&mut called, &mut left_alone].map(|seer| seer.access(now, Some(port), key));
                    assert_eq!(one, other, "seed {seed} at {tick}");
                }
                6 => {
                    for seer in [&mut called, &mut left_alone] {
                        seer.pushed_back(now, port, Duration::from_ps(6));
                    }
                }
                7 => {
                    assert_eq!(
                        called.expire(now, port, key),
                        left_alone.expire(now, port, key),
                        "seed {seed} at {tick}"
                    );
                }
                8 => {
                    left_alone.iterate_before(now);
                    assert_eq!(called.counts(), left_alone.counts(), "seed {seed} at {tick}");
                }
                _ => {}
            }
            while called.next_iteration().is_some_and(|due| due <= now) {
                called.iterate(now);
            }
        }
        left_alone.iterate_before(Time::from_ps(4_000));
        assert_eq!(called.counts(), left_alone.counts(), "seed {seed}");
        prefetches += called.counts().prefetches;
    }
    assert!(prefetches > 2_000, "{prefetches}");
}
