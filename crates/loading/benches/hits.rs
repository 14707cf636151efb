//! Hits per second of the loading cache, with one thread and with two.
#![expect(clippy::print_stdout, reason = "it is there to print")]

use forebay_loading::LoadingCache;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

const KEYS: u64 = 10_000;
const HITS: u64 = 4_000_000;

type Cache = LoadingCache<u64, u64>;

/// Calls `get`, or `get_or_fetch` polled by hand.
fn ask(cache: &Cache, fetching: bool, start: u64) {
    let mut key = start;
    let mut cx = Context::from_waker(Waker::noop());
    for _ in 0..HITS {
        // A step that visits all keys in an order that no cache of the processor likes.
        key = (key + 7_919) % KEYS;
        if fetching {
            let call = pin!(cache.get_or_fetch(key, || async { Ok(0) }));
            let answer = call.poll(&mut cx);
            assert!(matches!(answer, Poll::Ready(Ok(_))), "all keys are there");
        } else {
            black_box(cache.get(&key));
        }
    }
}

fn main() {
    println!("{:18} {:14} {:>10} {:>10}   million hits per second", "policy", "call", "1 thread", "2 threads");
    for policy in ["lru", "lru-mad(sample=64)", "lru-mad"] {
        let cache = Cache::builder(2 * KEYS).shards(16).policy(policy).seed(1).build().expect("the builder is right");
        (0..KEYS).for_each(|key| cache.insert(key, key));
        assert_eq!(cache.len(), KEYS);
        for (name, fetching) in [("get", false), ("get_or_fetch", true)] {
            let rate = |threads: u64| {
                let begin = Instant::now();
                std::thread::scope(|scope| {
                    for thread in 0..threads {
                        let cache = &cache;
                        scope.spawn(move || ask(cache, fetching, thread * KEYS / 2));
                    }
                });
                (threads * HITS) as f64 / begin.elapsed().as_secs_f64() / 1e6
            };
            println!("{policy:18} {name:14} {:10.2} {:10.2}", rate(1), rate(2));
        }
    }
}
