//! The cache hits as often as the simulator's policy.

use forebay_cache::{Choice, Latency, Model, Service, Setup};
use forebay_core::{Request, Seed};
use forebay_loading::{LoadingCache, ManualClock};
use rand_distr::{Distribution as _, Zipf};
use std::time::Duration;

const CAPACITY: u64 = 4_000;
const REQUESTS: u64 = 100_000;

/// In shares of the requests: 0.2 points.
const TOLERANCE: f64 = 0.002;

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "Zipf gives whole numbers from 1")]
fn keys(exponent: f64) -> Vec<u64> {
    let mut rng = Seed(3).stream("test/hit ratio");
    let popularity = Zipf::new(40_000.0, exponent).expect("both are above 0");
    (0..REQUESTS).map(|_| popularity.sample(&mut rng) as u64).collect()
}

fn simulated(policy: &str, keys: &[u64]) -> f64 {
    let setup = Setup {
        model: Model::Classical,
        capacity: CAPACITY,
        entries: usize::try_from(CAPACITY).expect("a small number"),
        ways: None,
        latency: Latency::Constant(1),
        size_change: None,
        service: Service::default(),
        warmup: 0,
        seed: Seed(1),
        observer: None,
    };
    let mut simulation = policy.parse::<Choice>().expect("a policy").simulation(setup).expect("it fits");
    for (time, &key) in (0..).zip(keys) {
        simulation.play(&Request { time, key, size: 1 });
    }
    simulation.counts().hits as f64 / keys.len() as f64
}

fn measured(policy: &str, shards: usize, keys: &[u64]) -> f64 {
    let clock = ManualClock::default();
    let builder = LoadingCache::<u64, u64, String>::builder(CAPACITY).policy(policy).shards(shards).seed(1);
    let cache = builder.clock(clock.clone()).build().expect("the builder is right");
    for &key in keys {
        clock.advance(Duration::from_nanos(1));
        cache.get_or_load(key, move || Ok(key)).expect("it does not fail");
    }
    cache.metrics().hits as f64 / keys.len() as f64
}

#[test]
fn the_cache_hits_as_often_as_the_simulator() {
    for exponent in [0.8, 1.0, 1.2] {
        let keys = keys(exponent);
        for policy in ["fifo", "clock", "sieve", "s3-fifo", "lru", "lru-mad(sample=64)"] {
            let expected = simulated(policy, &keys);
            for shards in [1, 8] {
                let hits = measured(policy, shards, &keys);
                println!("Zipf {exponent}, {policy}, {shards} shards: {hits:.4}, simulated {expected:.4}");
                assert!((hits - expected).abs() < TOLERANCE, "Zipf {exponent}, {policy}, {shards} shards");
            }
        }
    }
}
