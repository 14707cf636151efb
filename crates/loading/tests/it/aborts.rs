//! Fetches that would never end: time limits and aborts; runtimes that shut down.

use crate::by_hand::{Bench, End, Task, error, value};
use crate::timers::Timers;
use forebay_loading::{FetchError, LoadingCache};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

#[test]
fn an_abort_gives_each_waiter_its_error_and_the_next_request_fetches() {
    let bench = Bench::new(4);
    let (mut first, mut second, mut other) = (bench.waiting(1), bench.waiting(1), bench.waiting(2));
    drop(bench.waiting(1));
    assert!(bench.cache.abort(&1));
    assert!(!bench.cache.abort(&1));
    assert_eq!(bench.origin.running(), 1, "only the fetch of the other key goes on");
    for answer in [first.poll_if_woken(), second.poll_if_woken()] {
        assert_eq!(error(answer).to_string(), "the fetch was aborted; ask again to begin a new one");
    }
    bench.load(1, 7);
    assert!(!bench.cache.abort(&1), "a cached value is no fetch");
    bench.origin.end(2, End::Value((2, 8)));
    assert_eq!(value(other.poll_if_woken()), (2, 8));
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.aborted, metrics.fetch_errors, metrics.cancelled, metrics.in_flight), (1, 1, 0, 0));
}

#[test]
fn who_waits_behind_an_outdated_fetch_fetches_after_an_abort() {
    let bench = Bench::new(4);
    let mut first = bench.waiting(1);
    bench.cache.invalidate(&1);
    let mut behind = bench.waiting(1);
    assert!(bench.cache.abort(&1));
    assert!(matches!(error(first.poll_if_woken()), FetchError::Aborted));
    assert!(behind.poll_if_woken().is_pending());
    bench.origin.end(1, End::Value((1, 9)));
    assert_eq!(value(behind.poll_if_woken()), (1, 9));
}

#[test]
fn a_detached_fetch_that_never_ends_can_be_aborted() {
    let cache = LoadingCache::<u32, u32, String>::builder(4).build().unwrap();
    let kept = Arc::new(Mutex::new(None));
    let (shared, keeper) = (cache.clone(), Arc::clone(&kept));
    let mut call = Task::new(async move {
        let spawn = move |future| *keeper.lock().unwrap() = Some(Task::new(future));
        shared.get_or_fetch_detached(1, std::future::pending, spawn).await
    });
    assert!(call.poll().is_pending());
    drop(call);
    let mut keeper = kept.lock().unwrap().take().unwrap();
    assert!(keeper.poll().is_pending());
    assert!(cache.abort(&1));
    assert!(keeper.poll_if_woken().is_ready());
    let shared = cache.clone();
    assert!(matches!(
        Task::new(async move { shared.get_or_fetch(1, || async { Ok(5) }).await }).poll(),
        Poll::Ready(Ok(5))
    ));
}

#[test]
fn a_fetch_may_abort_itself() {
    let cache = LoadingCache::<u32, u32, String>::builder(4).build().unwrap();
    let shared = cache.clone();
    let mut call = Task::new(async move {
        let own = shared.clone();
        let fetch = move || async move { if own.abort(&1) { Ok(3) } else { Err("no fetch in flight".to_owned()) } };
        shared.get_or_fetch(1, fetch).await
    });
    assert!(matches!(call.poll(), Poll::Ready(Err(FetchError::Aborted))));
    assert_eq!((cache.len(), cache.metrics().in_flight), (0, 0));
}

#[test]
fn a_fetch_over_its_limit_ends_for_all_who_wait_and_one_in_time_does_not() {
    let timers = Timers::default();
    let bench = timers.bench(4, 3, |builder| builder);
    let (mut first, mut second) = (bench.waiting(1), bench.waiting(1));
    bench.clock.advance(Duration::from_secs(2));
    let mut later = bench.waiting(2);
    timers.ring();
    assert!(first.poll_if_woken().is_pending());
    bench.clock.advance(Duration::from_secs(1));
    timers.ring();
    for answer in [first.poll_if_woken(), second.poll_if_woken()] {
        assert!(matches!(error(answer), FetchError::TimedOut));
    }
    assert!(later.poll_if_woken().is_pending());
    bench.origin.end(2, End::Value((2, 1)));
    assert_eq!(value(later.poll_if_woken()), (2, 1));
    bench.load(1, 7);
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.timed_out, metrics.fetch_errors, bench.origin.running()), (1, 1, 0));
}

#[tokio::test]
async fn a_key_that_waits_for_itself_through_a_task_times_out() {
    let limit = Duration::from_millis(20);
    let cache =
        LoadingCache::<u32, u32, String>::builder(4).fetch_time_limit(limit, tokio::time::sleep).build().unwrap();
    let shared = cache.clone();
    let fetch = move || async move {
        let task = tokio::spawn(async move { shared.get_or_fetch(1, || async { Ok(1) }).await });
        task.await.unwrap().map_err(|error| error.to_string())
    };
    assert!(matches!(cache.get_or_fetch(1, fetch).await, Err(FetchError::TimedOut)));
    assert_eq!(cache.get_or_fetch(1, || async { Ok(4) }).await.unwrap(), 4);
}

#[test]
fn a_follower_fetches_itself_when_the_runtime_of_the_leader_is_gone() {
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let cache = LoadingCache::<u32, u32, String>::builder(4).build().unwrap();
    let (leaders, followers) = (runtime(), runtime());
    let shared = cache.clone();
    leaders.spawn(async move {
        let fetch = || async {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
            Ok(1)
        };
        shared.get_or_fetch(1, fetch).await
    });
    let until = |done: &dyn Fn() -> bool| {
        while !done() {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    until(&|| cache.metrics().misses == 1);
    let shared = cache.clone();
    let follower = followers.spawn(async move { shared.get_or_fetch(1, || async { Ok(2) }).await });
    until(&|| cache.metrics().delayed_hits == 1);
    leaders.shutdown_timeout(Duration::from_secs(10));
    assert_eq!(followers.block_on(follower).unwrap().unwrap(), 2);
    let metrics = cache.metrics();
    assert_eq!((metrics.misses, metrics.delayed_hits, metrics.panics), (2, 0, 1));
}

#[test]
fn a_follower_whose_own_fetch_panics_gets_that_panic() {
    let bench = Bench::new(4);
    let first = bench.waiting(1);
    let mut second = bench.waiting(1);
    drop(first);
    bench.origin.end(1, End::Panic);
    assert!(second.poll_if_woken().is_pending());
    bench.origin.end(1, End::Panic);
    assert!(matches!(error(second.poll_if_woken()), FetchError::Panicked(_)));
    assert_eq!((bench.cache.metrics().misses, bench.cache.metrics().delayed_hits), (2, 0));
}
