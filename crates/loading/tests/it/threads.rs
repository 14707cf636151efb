//! Calls of threads, without a runtime.

use forebay_loading::{FetchError, LoadingCache};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

type Cache = LoadingCache<u32, u32, String>;

fn cache(capacity: u64) -> Cache {
    Cache::builder(capacity).policy("lru").seed(1).build().expect("the builder is right")
}

#[test]
fn threads_that_ask_for_a_key_share_one_load() {
    static LOADS: AtomicUsize = AtomicUsize::new(0);
    let cache = cache(10);
    let (threads, (begun, hears), (end, waits)) = (8, mpsc::channel(), mpsc::channel::<()>());
    let first = {
        let cache = cache.clone();
        std::thread::spawn(move || {
            cache.get_or_load(1, move || {
                LOADS.fetch_add(1, Ordering::SeqCst);
                begun.send(()).unwrap();
                waits.recv().unwrap();
                Ok(11)
            })
        })
    };
    hears.recv().unwrap();
    std::thread::scope(|scope| {
        let ask = || {
            cache.get_or_load(1, || {
                LOADS.fetch_add(1, Ordering::SeqCst);
                Ok(12)
            })
        };
        let others: Vec<_> = (0..threads).map(|_| scope.spawn(ask)).collect();
        while cache.metrics().delayed_hits < threads {
            std::thread::sleep(Duration::from_millis(1));
        }
        end.send(()).unwrap();
        for other in others {
            assert_eq!(other.join().unwrap().unwrap(), 11);
        }
    });
    assert_eq!((first.join().unwrap().unwrap(), LOADS.load(Ordering::SeqCst)), (11, 1));
    let metrics = cache.metrics();
    assert_eq!((metrics.misses, metrics.delayed_hits, metrics.in_flight), (1, threads, 0));
}

#[test]
fn errors_and_panics_reach_the_caller_and_the_next_call_loads_again() {
    let cache = cache(10);
    let failed = cache.get_or_load(1, || Err("no".to_owned())).unwrap_err();
    assert_eq!(failed.failed().map(|error| error.as_str()), Some("no"));
    let panicked = cache.get_or_load(1, || std::panic::resume_unwind(Box::new("as told"))).unwrap_err();
    assert!(matches!(panicked, FetchError::Panicked(message) if &*message == "as told"));
    assert_eq!(cache.get_or_load(1, || Ok(3)).unwrap(), 3);
    assert_eq!(cache.get_or_load(1, || Ok(4)).unwrap(), 3);
}

#[test]
fn a_load_may_load_other_keys_but_not_its_own() {
    let cache = cache(10);
    let (same, other) = (cache.clone(), cache.clone());
    assert_eq!(cache.get_or_load(1, move || Ok(other.get_or_load(2, || Ok(5)).unwrap() + 1)).unwrap(), 6);
    let itself = cache.get_or_load(3, move || match same.get_or_load(3, || Ok(0)) {
        Err(FetchError::Cycle) => Err("cycle".to_owned()),
        other => panic!("{other:?}"),
    });
    assert_eq!(itself.unwrap_err().failed().map(|error| error.as_str()), Some("cycle"));
}

/// Threads that hit, load, insert, remove and look side by side.
#[test]
fn nothing_is_lost_where_threads_do_everything_at_once() {
    for policy in ["sieve", "s3-fifo", "lru", "lru-mad(sample=64)", "arc-mad"] {
        let cache = Cache::builder(64).shards(2).policy(policy).seed(1).build().unwrap();
        let together = Barrier::new(4);
        std::thread::scope(|scope| {
            for thread in 0..4_u32 {
                let (cache, together) = (&cache, &together);
                scope.spawn(move || {
                    together.wait();
                    for step in 0..4_000_u32 {
                        let key = step.wrapping_mul(2_654_435_761) % 97 + thread % 2;
                        match step % 13 {
                            0 => cache.insert(key, key),
                            1 => drop(cache.remove(&key)),
                            2 => assert!(cache.peek(&key).is_none_or(|value| value == key)),
                            3 if step % 500 == 3 => drop(cache.retain(|key, _| key % 3 > 0)),
                            _ => assert_eq!(cache.get_or_load(key, move || Ok(key)).unwrap(), key, "{policy}"),
                        }
                    }
                });
            }
        });
        let metrics = cache.metrics();
        assert_eq!(metrics.entries, cache.iter().count() as u64, "{policy}");
        assert!(metrics.entries <= 64 && metrics.in_flight == 0, "{policy}: {metrics:?}");
        assert!(cache.iter().all(|(key, value)| key == value), "{policy}");
        // All calls of `get_or_load` but those that asked again after a value was removed during its load.
        let calls = 4 * (0..4_000).filter(|step| step % 13 > 3 || (step % 13 == 3 && step % 500 != 3)).count() as u64;
        assert_eq!(metrics.requests(), calls, "{policy}");
    }
}
