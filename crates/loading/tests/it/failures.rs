//! Fetches that fail, panic, or wait for themselves.

use crate::by_hand::{Bench, End, Task, error, value};
use forebay_loading::{FetchError, LoadingCache};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn an_error_goes_to_each_waiter_and_is_not_cached() {
    let bench = Bench::new(4);
    let (mut first, mut second) = (bench.waiting(1), bench.waiting(1));
    bench.origin.end(1, End::Error("closed".into()));
    let errors = [error(first.poll_if_woken()), error(second.poll_if_woken())];
    let [Some(one), Some(other)] = errors.each_ref().map(FetchError::failed) else { panic!("{errors:?}") };
    assert!(Arc::ptr_eq(one, other));
    assert_eq!(errors[0].to_string(), "the fetch failed: closed");
    assert_eq!(bench.cache.metrics().fetch_errors, 1);
    bench.load(1, 7);
    assert_eq!(bench.origin.begun(), 2);
}

#[test]
fn a_panic_is_an_error_for_all() {
    let bench = Bench::new(4);
    let (mut first, mut second) = (bench.waiting(1), bench.waiting(1));
    bench.origin.end(1, End::Panic);
    for answer in [first.poll_if_woken(), second.poll_if_woken()] {
        assert_eq!(error(answer).to_string(), "the fetch panicked: as told");
    }
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.fetch_errors, metrics.panics, metrics.in_flight), (1, 1, 0));
    assert_eq!(bench.origin.running(), 0);
    bench.load(1, 7);
}

#[test]
fn a_panic_before_the_fetch_or_after_it_is_one_of_the_fetch() {
    fn told<T>() -> T {
        std::panic::resume_unwind(Box::new("as told"))
    }
    let bench = Bench::with(4, |builder| builder.weigher(move |_, &(_, number)| if number == 5 { told() } else { 1 }));
    let cache = bench.cache.clone();
    let mut call = Task::new(async move { cache.get_or_fetch(1, told::<std::future::Ready<_>>).await });
    assert!(matches!(error(call.poll()), FetchError::Panicked(_)));
    let mut call = bench.waiting(1);
    bench.origin.end(1, End::Value((1, 5)));
    assert!(matches!(error(call.poll()), FetchError::Panicked(_)));
    bench.load(1, 6);
}

#[test]
fn a_fetch_that_panics_when_it_is_dropped_is_gone_all_the_same() {
    struct Stubborn;
    impl Future for Stubborn {
        type Output = Result<u32, String>;
        fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
            std::task::Poll::Pending
        }
    }
    impl Drop for Stubborn {
        fn drop(&mut self) {
            std::panic::resume_unwind(Box::new("as told"));
        }
    }
    let cache = LoadingCache::<u32, u32, String>::builder(4).build().unwrap();
    let shared = cache.clone();
    let mut call = Task::new(async move { shared.get_or_fetch(1, || Stubborn).await });
    assert!(call.poll().is_pending());
    drop(call);
    assert_eq!((cache.metrics().cancelled, cache.metrics().in_flight), (1, 0));
}

#[test]
fn a_panic_that_panics_when_it_is_dropped_leaves_nobody_waiting() {
    struct Twice;
    impl Drop for Twice {
        fn drop(&mut self) {
            std::panic::resume_unwind(Box::new("as told"));
        }
    }
    let bench = Bench::new(4);
    let cache = bench.cache.clone();
    let fetch = || async {
        tokio::task::yield_now().await;
        std::panic::resume_unwind(Box::new(Twice))
    };
    let mut call = Task::new(async move { cache.get_or_fetch(1, fetch).await });
    assert!(call.poll().is_pending());
    let mut other = bench.call(1);
    assert_eq!(error(other.poll()).to_string(), "the fetch panicked: no message");
    assert!(matches!(error(call.poll_if_woken()), FetchError::Panicked(_)));
}

#[test]
fn a_waker_that_panics_keeps_none_asleep() {
    struct Broken;
    impl std::task::Wake for Broken {
        fn wake(self: Arc<Self>) {
            std::panic::resume_unwind(Box::new("as told"));
        }
    }
    let bench = Bench::new(4);
    let (cache, origin) = (bench.cache.clone(), Arc::clone(&bench.origin));
    let mut first = std::pin::pin!(cache.get_or_fetch(1, move || origin.fetch(1)));
    let waker = std::task::Waker::from(Arc::new(Broken));
    assert!(first.as_mut().poll(&mut std::task::Context::from_waker(&waker)).is_pending());
    let mut second = bench.waiting(1);
    bench.origin.end(1, End::Value((1, 5)));
    assert_eq!(value(second.poll_if_woken()), (1, 5));
}

#[test]
fn a_fetch_may_ask_for_other_keys() {
    let bench = Bench::new(4);
    let (cache, origin) = (bench.cache.clone(), Arc::clone(&bench.origin));
    let mut call = Task::new(async move {
        let inner = cache.clone();
        let fetch = move || async move {
            let (_, number) =
                inner.get_or_fetch(2, move || origin.fetch(2)).await.map_err(|error| error.to_string())?;
            Ok((1, number + 1))
        };
        cache.get_or_fetch(1, fetch).await
    });
    assert!(call.poll().is_pending());
    let mut other = bench.waiting(2);
    bench.origin.end(2, End::Value((2, 5)));
    assert_eq!(value(call.poll_if_woken()), (1, 6));
    assert_eq!(value(other.poll_if_woken()), (2, 5));
    assert_eq!(bench.cache.len(), 2);
}

/// Fetches `key` by asking for the next, round a ring of so many.
fn round(cache: &LoadingCache<u32, u32, String>, key: u32, ring: u32) -> Task<Result<u32, FetchError<String>>> {
    fn ask(
        cache: LoadingCache<u32, u32, String>,
        key: u32,
        ring: u32,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<u32, FetchError<String>>> + Send>> {
        Box::pin(async move {
            let inner = cache.clone();
            let next =
                move || async move { ask(inner, (key + 1) % ring, ring).await.map_err(|error| error.to_string()) };
            cache.get_or_fetch(key, next).await
        })
    }
    Task::new(ask(cache.clone(), key, ring))
}

#[test]
fn a_fetch_that_waits_for_itself_is_told() {
    let cache = LoadingCache::<u32, u32, String>::builder(16).build().unwrap();
    for ring in 1..5 {
        let answer = round(&cache, 0, ring).poll();
        let std::task::Poll::Ready(Err(FetchError::Failed(error))) = answer else { panic!("{answer:?}") };
        assert!(error.ends_with("the fetch waits for itself"), "{error}");
        assert_eq!(cache.metrics().in_flight, 0);
    }
}

#[test]
fn two_fetches_that_wait_for_each_other_are_told() {
    // Each begins by itself, in its own task, and asks for the other when both have begun.
    let cache = LoadingCache::<u32, u32, String>::builder(16).build().unwrap();
    let ask = |key: u32, gate: tokio::sync::oneshot::Receiver<()>| {
        let cache = cache.clone();
        Task::new(async move {
            let inner = cache.clone();
            let fetch = move || async move {
                gate.await.unwrap();
                let unused = || async { Ok(7) };
                inner.get_or_fetch(1 - key, unused).await.map_err(|error| error.to_string())
            };
            cache.get_or_fetch(key, fetch).await
        })
    };
    let (gates, waits): (Vec<_>, Vec<_>) = (0..2).map(|_| tokio::sync::oneshot::channel()).unzip();
    let mut tasks: Vec<_> = (0..2).zip(waits).map(|(key, gate)| ask(key, gate)).collect();
    assert!(tasks.iter_mut().all(|task| task.poll().is_pending()));
    gates.into_iter().for_each(|gate| gate.send(()).unwrap());
    let mut errors = 0;
    for task in [0, 1, 0] {
        if let std::task::Poll::Ready(answer) = tasks[task].poll_if_woken() {
            assert!(answer.is_err());
            errors += 1;
        }
    }
    assert_eq!(errors, 2);
}

#[test]
fn a_failed_fetch_is_remembered_as_long_as_it_is_told() {
    let bench = Bench::with(4, |builder| builder.error_time_to_live(Duration::from_secs(10)));
    let fail = |key| {
        let mut task = bench.waiting(key);
        assert!(bench.origin.end(key, End::Error("as told".into())));
        assert_eq!(error(task.poll()).to_string(), "the fetch failed: as told");
    };
    fail(1);
    bench.clock.advance(Duration::from_secs(9));
    assert_eq!(error(bench.call(1).poll()).to_string(), "the fetch failed: as told");
    let metrics = bench.cache.metrics();
    assert_eq!((bench.origin.begun(), metrics.remembered_errors, metrics.requests()), (1, 1, 1));
    bench.load(2, 0);
    bench.clock.advance(Duration::from_secs(1));
    bench.load(1, 3);
    assert_eq!(bench.cache.get(&1), Some((1, 3)));
    // An insertion or an invalidation ends it.
    fail(3);
    bench.cache.insert(3, (3, 1));
    assert!(bench.cache.invalidate(&3));
    bench.load(3, 2);
    fail(4);
    assert!(!bench.cache.invalidate(&4));
    bench.load(4, 2);
    fail(5);
    bench.cache.invalidate_all();
    bench.load(5, 2);
}

/// After an invalidation, only a fetch that begins later counts.
#[test]
fn a_fetch_that_fails_after_an_invalidation_is_not_remembered() {
    let bench = Bench::with(4, |builder| builder.error_time_to_live(Duration::from_secs(10)));
    let mut task = bench.waiting(1);
    bench.cache.invalidate(&1);
    assert!(bench.origin.end(1, End::Error("as told".into())));
    assert!(task.poll().is_ready());
    bench.load(1, 1);
    // An aborted fetch did not fail.
    let mut aborted = bench.waiting(2);
    assert!(bench.cache.abort(&2));
    assert!(aborted.poll().is_ready());
    bench.load(2, 1);
}
