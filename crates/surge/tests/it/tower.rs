//! The layer before services of `tower`.

use forebay_clock::thread_cpu;
use forebay_surge::tower::{Profile, SurgeError, SurgeLayer};
use forebay_surge::{Reason, Surge, WorstPerByte};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tower::{Layer as _, ServiceExt as _, service_fn};

const MS: Duration = Duration::from_millis(1);

/// A request: its name, and its stated cost in milliseconds. All have 1,000 bytes.
type Request = (&'static str, u32);
type Layer = SurgeLayer<Request, &'static str>;
type Answer = Result<&'static str, SurgeError<&'static str>>;

fn describe(request: &Request) -> Profile {
    Profile { size_bytes: 1_000, estimate: request.1 * MS, ..Profile::default() }
}

fn layer(most_waiting: usize) -> Layer {
    Layer::new(Surge::builder(most_waiting), 1, describe).expect("the builder is right")
}

/// The requests that the inner service has seen, and the signal that lets it go on.
#[derive(Clone)]
struct Inner {
    seen: Arc<Mutex<Vec<&'static str>>>,
    go_on: Arc<Semaphore>,
}

impl Inner {
    fn new() -> Self {
        Self { seen: Arc::default(), go_on: Arc::new(Semaphore::new(0)) }
    }

    fn seen(&self) -> Vec<&'static str> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sends a request, and waits until the scheduler has it.
    async fn send(&self, layer: &Layer, request: Request) -> JoinHandle<Answer> {
        let inner = self.clone();
        let service = layer.layer(service_fn(move |request: Request| {
            let inner = inner.clone();
            async move {
                inner.seen.lock().unwrap_or_else(PoisonError::into_inner).push(request.0);
                if let Ok(permit) = inner.go_on.acquire().await {
                    permit.forget();
                }
                match request.0 {
                    "fails" => Err("as told"),
                    // Not `panic!`, whose message would fill the test's output.
                    "panics" => std::panic::resume_unwind(Box::new("as told")),
                    name => Ok(name),
                }
            }
        }));
        let task = tokio::spawn(service.oneshot(request));
        settle().await;
        task
    }

    /// Lets the request in service end.
    async fn end_one(&self) {
        self.go_on.add_permits(1);
        settle().await;
    }
}

/// Lets all tasks run as far as they can.
async fn settle() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_best_request_goes_next() {
    let (layer, inner) = (layer(10), Inner::new());
    let first = inner.send(&layer, ("first", 5)).await;
    let dear = inner.send(&layer, ("dear", 9)).await;
    let cheap = inner.send(&layer, ("cheap", 1)).await;
    assert_eq!(inner.seen(), ["first"], "one at a time");
    for _ in 0..3 {
        inner.end_one().await;
    }
    assert_eq!(inner.seen(), ["first", "cheap", "dear"]);
    for (task, name) in [(first, "first"), (dear, "dear"), (cheap, "cheap")] {
        assert_eq!(task.await.unwrap(), Ok(name));
    }
    assert_eq!(layer.metrics().done.jobs, 3);
}

#[tokio::test]
async fn who_has_no_room_is_told_at_once() {
    let (layer, inner) = (layer(1), Inner::new());
    let first = inner.send(&layer, ("first", 5)).await;
    let evicted = inner.send(&layer, ("evicted", 9)).await;
    let cheap = inner.send(&layer, ("cheap", 1)).await;
    let evicted = evicted.await.unwrap().unwrap_err();
    assert!(evicted.is_rejection());
    assert_eq!(evicted, SurgeError::Evicted);
    let refused = inner.send(&layer, ("refused", 2)).await.await.unwrap().unwrap_err();
    assert!(refused.is_rejection());
    assert_eq!(refused, SurgeError::Refused(Reason::Worst));
    assert_eq!(refused.to_string(), "the request was rejected: there is no room, and all waiting jobs are better");
    layer.close();
    let late = inner.send(&layer, ("late", 0)).await.await.unwrap();
    assert_eq!(late, Err(SurgeError::Refused(Reason::Closed)));
    inner.end_one().await;
    inner.end_one().await;
    assert_eq!((first.await.unwrap(), cheap.await.unwrap()), (Ok("first"), Ok("cheap")));
}

#[tokio::test]
async fn a_request_that_is_dropped_gives_its_turn_to_the_next() {
    let (layer, inner) = (layer(10), Inner::new());
    let first = inner.send(&layer, ("first", 5)).await;
    let dropped = inner.send(&layer, ("dropped", 1)).await;
    let next = inner.send(&layer, ("next", 2)).await;
    dropped.abort();
    settle().await;
    // Now the one in service is dropped.
    first.abort();
    settle().await;
    assert_eq!(inner.seen(), ["first", "next"]);
    inner.end_one().await;
    assert_eq!(next.await.unwrap(), Ok("next"));
    let metrics = layer.metrics();
    assert_eq!((metrics.cancelled.jobs, metrics.done.jobs, metrics.in_service), (2, 1, 0));
}

#[tokio::test]
async fn an_error_or_a_panic_gives_the_turn_to_the_next() {
    let (layer, inner) = (layer(10), Inner::new());
    let fails = inner.send(&layer, ("fails", 1)).await;
    let panics = inner.send(&layer, ("panics", 1)).await;
    let next = inner.send(&layer, ("next", 2)).await;
    for _ in 0..3 {
        inner.end_one().await;
    }
    let error = fails.await.unwrap().unwrap_err();
    assert!(!error.is_rejection());
    assert_eq!((error.to_string().as_str(), error.service()), ("as told", Some("as told")));
    assert!(panics.await.unwrap_err().is_panic());
    assert_eq!(next.await.unwrap(), Ok("next"));
    let metrics = layer.metrics();
    assert_eq!((metrics.done.jobs, metrics.panicked, metrics.in_service), (3, 1, 0));
}

#[tokio::test]
async fn polls_are_measured_and_waiting_is_not() {
    let layer = layer(10);
    let work = |_| async {
        let burn = || {
            let begin = thread_cpu();
            while thread_cpu() - begin < 10 * MS {
                std::hint::black_box(0);
            }
        };
        burn();
        tokio::time::sleep(60 * MS).await;
        burn();
        Ok::<_, ()>("done")
    };
    assert_eq!(layer.layer(service_fn(work)).oneshot(("a", 1)).await, Ok("done"));
    let spent = layer.metrics().work_spent;
    assert!(spent >= 20 * MS && spent < 50 * MS, "{spent:?}");
    let layer = layer.cost(|&answer: &&str| (answer == "done").then_some(7_000 * MS));
    assert_eq!(layer.layer(service_fn(work)).oneshot(("a", 1)).await, Ok("done"));
    assert_eq!(layer.metrics().work_spent - spent, 7_000 * MS);
}

#[tokio::test]
async fn estimators_learn_from_requests() {
    let worst = Arc::new(WorstPerByte::new(|waiter: &forebay_surge::tower::Waiter, features: &mut Vec<u32>| {
        features.extend(waiter.features());
    }));
    let describe = |route: &u32| Profile { size_bytes: 1_000, features: [*route].into(), ..Profile::default() };
    let layer = SurgeLayer::new(Surge::builder(4).estimator(Arc::clone(&worst)), 1, describe).unwrap();
    let layer = layer.cost(|route: &u32| Some(Duration::from_micros(u64::from(*route))));
    for route in [3, 4] {
        let answer = layer.layer(service_fn(|route: u32| async move { Ok::<_, ()>(route) })).oneshot(route).await;
        assert_eq!(answer, Ok(route));
    }
    assert_eq!((worst.per_byte(3), worst.per_byte(4)), (Some(3.0), Some(4.0)));
}

#[test]
fn a_layer_that_serves_nobody_is_refused() {
    let error = Layer::new(Surge::builder(1), 0, describe).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("no request may be in service; give at least 1"));
}

/// Many requests from many tasks, some of which do not wait for the answer.
#[test]
fn every_request_gets_one_answer_and_the_limit_holds() {
    const REQUESTS: u64 = 20_000;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_time().build().unwrap();
    let layer = SurgeLayer::<u64, u64>::new(Surge::builder(50), 3, |number| Profile {
        size_bytes: 1 + number % 1_000,
        estimate: Duration::from_nanos(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44),
        ..Profile::default()
    })
    .unwrap();
    let busy = Arc::new(AtomicUsize::new(0));
    let request = |number| {
        let busy = Arc::clone(&busy);
        let service = layer.layer(service_fn(move |number: u64| {
            let guard = Busy::enter(&busy);
            async move {
                tokio::task::yield_now().await;
                drop(guard);
                if number.is_multiple_of(7) { Err(()) } else { Ok(number) }
            }
        }));
        async move {
            let answer = service.oneshot(number);
            if number % 5 != 0 {
                return Some(answer.await);
            }
            // Some wait for two polls only.
            tokio::select! {
                biased;
                answer = answer => Some(answer),
                () = tokio::task::yield_now() => None,
            }
        }
    };
    let (mut served, mut errors, mut rejected, mut dropped) = (0, 0, 0, 0);
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..REQUESTS {
            tasks.spawn(request(number));
            if number % 100 == 0 {
                tokio::time::sleep(Duration::from_micros(500)).await;
            }
        }
        let all = tokio::time::timeout(Duration::from_secs(60), tasks.join_all()).await.expect("a request hangs");
        for answer in all {
            match answer {
                Some(Ok(_)) => served += 1,
                Some(Err(SurgeError::Service(()))) => errors += 1,
                Some(Err(_)) => rejected += 1,
                None => dropped += 1,
            }
        }
    });
    let metrics = layer.metrics();
    println!("{served} served, {errors} errors, {rejected} rejected, {dropped} dropped; {metrics:?}");
    assert_eq!(served + errors + rejected + dropped, REQUESTS);
    assert_eq!((metrics.submitted.jobs, metrics.queued.jobs, metrics.in_service), (REQUESTS, 0, 0));
    assert_eq!(metrics.done.jobs, served + errors);
    assert!([served, errors, rejected, dropped].iter().all(|&count| count > 0));
}

/// Counts the requests in service, and panics if they are too many.
struct Busy(Arc<AtomicUsize>);

impl Busy {
    fn enter(busy: &Arc<AtomicUsize>) -> Self {
        assert!(busy.fetch_add(1, Ordering::SeqCst) < 3, "more in service than allowed");
        Self(Arc::clone(busy))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
