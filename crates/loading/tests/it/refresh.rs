//! Values that are fetched anew while older ones are served.

use crate::by_hand::{Bench, End, Task, value};
use forebay_core::Seed;
use forebay_loading::{FetchError, LoadingCache, ManualClock};
use rand::RngExt as _;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn bench() -> Bench {
    Bench::with(8, |builder| builder.time_to_live(10 * SECOND).refresh_after(0.5).serve_stale(4 * SECOND))
}

#[test]
fn one_request_refreshes_and_the_others_get_the_older_value() {
    let bench = bench();
    bench.load(1, 0);
    bench.clock.advance(5 * SECOND);
    assert_eq!(bench.cache.get(&1), Some((1, 0)), "`get` never fetches");
    let mut first = bench.waiting(1);
    assert_eq!(value(bench.call(1).poll()), (1, 0));
    assert!(bench.origin.end(1, End::Value((1, 1))));
    assert_eq!(value(first.poll()), (1, 1));
    assert_eq!(value(bench.call(1).poll()), (1, 1));
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.hits, metrics.misses, metrics.delayed_hits), (3, 2, 0));
    assert_eq!((metrics.refreshes, metrics.replacements, metrics.served_stale), (1, 1, 0));
    assert_eq!((metrics.loads.count, metrics.entries, bench.origin.begun()), (2, 1, 2));
    bench.clock.advance(9 * SECOND);
    assert_eq!(bench.cache.get(&1), Some((1, 1)), "the new value has a whole time to live");
}

#[test]
fn a_stale_value_is_served_for_a_bounded_time() {
    let bench = bench();
    bench.load(1, 0);
    bench.clock.advance(10 * SECOND);
    assert_eq!((bench.cache.get(&1), bench.cache.peek(&1), bench.cache.len()), (None, None, 1));
    let mut first = bench.waiting(1);
    assert_eq!(value(bench.call(1).poll()), (1, 0));
    bench.clock.advance(4 * SECOND);
    // From now on, requests wait for the fetch.
    let mut late = bench.waiting(1);
    assert!(bench.origin.end(1, End::Error("no answer".to_owned())));
    assert!(matches!(first.poll(), std::task::Poll::Ready(Err(FetchError::Failed(_)))), "the value is over");
    assert!(matches!(late.poll(), std::task::Poll::Ready(Err(FetchError::Failed(_)))));
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.served_stale, metrics.expirations, metrics.delayed_hits), (1, 1, 1));
}

#[test]
fn a_failure_keeps_the_older_value() {
    let bench = bench();
    bench.load(1, 0);
    for end in [End::Error("no answer".to_owned()), End::Panic] {
        bench.clock.advance(5 * SECOND);
        let mut call = bench.waiting(1);
        assert!(bench.origin.end(1, end));
        assert_eq!(value(call.poll()), (1, 0));
    }
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.fetch_errors, metrics.served_stale, metrics.entries), (2, 1, 1));
    assert!(bench.waiting(1).poll().is_pending(), "the next request tries again");
}

/// The caller of `get_or_fetch_detached` need not wait.
#[test]
fn a_spawner_runs_the_refresh() {
    let bench = bench();
    bench.load(1, 0);
    bench.clock.advance(6 * SECOND);
    let (send, receive) = std::sync::mpsc::channel();
    let (cache, origin) = (bench.cache.clone(), std::sync::Arc::clone(&bench.origin));
    let spawn = move |keeper| drop(send.send(keeper));
    let mut call = Task::new(async move { cache.get_or_fetch_detached(1, move || origin.fetch(1), spawn).await });
    assert_eq!(value(call.poll()), (1, 0));
    let mut keeper = Task::new(receive.recv().expect("it was spawned"));
    assert!(keeper.poll().is_pending());
    assert!(bench.origin.end(1, End::Value((1, 1))));
    assert!(keeper.poll().is_ready());
    assert_eq!(bench.cache.get(&1), Some((1, 1)));
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.hits, metrics.misses, metrics.refreshes), (2, 1, 1));
}

#[test]
fn a_refresh_that_is_dropped_or_never_ends_hangs_nothing() {
    let bench = bench();
    bench.load(1, 0);
    bench.clock.advance(5 * SECOND);
    drop(bench.waiting(1));
    assert_eq!(bench.cache.metrics().cancelled, 1);
    let mut never_polled_again = bench.waiting(1);
    bench.clock.advance(20 * SECOND);
    let mut late = bench.waiting(1);
    assert!(bench.cache.abort(&1));
    assert!(matches!(late.poll(), std::task::Poll::Ready(Err(FetchError::Aborted))));
    assert!(matches!(never_polled_again.poll(), std::task::Poll::Ready(Err(FetchError::Aborted))));
    bench.load(1, 2);
}

#[test]
fn an_insertion_or_invalidation_overtakes_a_refresh() {
    let bench = bench();
    bench.load(1, 0);
    bench.clock.advance(5 * SECOND);
    let mut call = bench.waiting(1);
    bench.cache.insert(1, (1, 7));
    assert!(bench.origin.end(1, End::Value((1, 1))));
    assert!(call.poll().is_ready());
    assert_eq!(bench.cache.get(&1), Some((1, 7)));
    bench.clock.advance(5 * SECOND);
    let mut call = bench.waiting(1);
    assert!(bench.cache.invalidate(&1));
    assert!(bench.origin.end(1, End::Value((1, 2))));
    assert!(call.poll().is_ready());
    assert_eq!((bench.cache.get(&1), bench.cache.metrics().outdated), (None, 2));
}

#[test]
fn a_builder_needs_a_time_to_live_and_a_share() {
    let builder = || LoadingCache::<u32, u32>::builder(9);
    assert!(builder().refresh_after(0.5).build().unwrap_err().to_string().contains("set `time_to_live`"));
    assert!(builder().serve_stale(SECOND).build().unwrap_err().to_string().contains("set `time_to_live`"));
    for share in [0.0, 1.0, -1.0, f64::NAN] {
        let error = builder().time_to_live(SECOND).refresh_after(share).build().unwrap_err().to_string();
        assert!(error.contains("take one above 0 and below 1"), "{error}");
    }
}

/// A value of the naive model, with its times in seconds.
#[derive(Clone, Copy)]
struct Old {
    value: u64,
    born: u64,
    refresh: u64,
}

/// Threads of one at a time: what each call returns follows from the times alone.
#[test]
fn random_calls_do_what_the_naive_model_says() {
    const LIFE: u64 = 20;
    const STALE: u64 = 8;
    const ERROR: u64 = 3;
    let seconds = Duration::from_secs;
    for seed in 0..8 {
        let mut rng = Seed(seed).stream("test/refresh");
        let clock = ManualClock::default();
        let builder = LoadingCache::<u32, u64, String>::builder(1 << 20)
            .expected_entries(1 << 20)
            .policy("sieve")
            .seed(seed)
            .clock(clock.clone());
        let builder = builder.time_to_live(seconds(LIFE)).refresh_after(0.5).serve_stale(seconds(STALE));
        let cache = builder.error_time_to_live(seconds(ERROR)).build().unwrap();
        // Errors of two keys must not have the same place.
        let (mut old, mut failed_until, mut now) = ([None::<Old>; 3], [0; 3], 0);
        for step in 1..4_000_u64 {
            let key: u32 = rng.random_range(0..3);
            let place = key as usize;
            let present = old[place].filter(|old| now < old.born + LIFE + STALE);
            let fresh = present.filter(|old| now < old.born + LIFE).map(|old| old.value);
            let new = Some(Old { value: step, born: now, refresh: now + LIFE / 2 });
            match rng.random_range(0..40) {
                0..=5 => assert_eq!(cache.get(&key), fresh),
                6 | 7 => assert_eq!(cache.peek(&key), fresh),
                8 => {
                    cache.insert(key, step);
                    (old[place], failed_until[place]) = (new, 0);
                }
                9 => {
                    let odd = |value: &u64| value % 2 == 1;
                    assert_eq!(cache.remove_if(&key, odd), present.map(|old| old.value).filter(odd));
                    old[place] = present.filter(|old| !odd(&old.value));
                    failed_until[place] = 0;
                }
                10..=27 => {
                    clock.advance(SECOND);
                    now += 1;
                }
                kind => {
                    let fails = kind < 36;
                    let outcome = if fails { Err("no answer".to_owned()) } else { Ok(step) };
                    let answer = cache.get_or_load_by_ref(&key, move || outcome).ok();
                    let loads = present.map_or(now >= failed_until[place], |old| now >= old.refresh);
                    let expected = match (loads, fails) {
                        (false, _) => present.map(|old| old.value),
                        (true, true) => {
                            failed_until[place] = now + ERROR;
                            old[place] = present.map(|old| Old { refresh: now + ERROR, ..old });
                            present.map(|old| old.value)
                        }
                        (true, false) => {
                            old[place] = new;
                            Some(step)
                        }
                    };
                    assert_eq!(answer, expected, "seed {seed}, step {step}");
                }
            }
        }
        let metrics = cache.metrics();
        assert!(metrics.refreshes > 100 && metrics.served_stale > 20 && metrics.expirations > 0, "{metrics:?}");
    }
}
