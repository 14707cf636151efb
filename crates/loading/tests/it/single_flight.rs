//! Waiters of one key share one fetch.

use crate::by_hand::{Bench, End, value};
use std::time::Duration;

#[test]
fn waiters_share_a_fetch_and_later_requests_hit() {
    let bench = Bench::new(4);
    let mut first = bench.waiting(1);
    let mut second = bench.waiting(1);
    assert_eq!(bench.origin.begun(), 1);
    bench.origin.end(1, End::Value((1, 10)));
    assert!(first.is_woken() && second.is_woken(), "a wake-up reaches all");
    assert_eq!(value(second.poll()), (1, 10));
    assert_eq!(value(first.poll()), (1, 10));
    assert_eq!(value(bench.call(1).poll()), (1, 10));
    assert_eq!(bench.cache.get(&1), Some((1, 10)));
    assert_eq!(bench.origin.begun(), 1);
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.misses, metrics.delayed_hits, metrics.hits), (1, 1, 2));
    assert_eq!((metrics.in_flight, metrics.entries, metrics.weight), (0, 1, 1));
}

#[test]
fn nothing_happens_before_the_first_poll() {
    let bench = Bench::new(4);
    drop(bench.call(1));
    assert_eq!(bench.origin.begun(), 0);
    assert_eq!(bench.cache.metrics().requests(), 0);
}

#[test]
fn a_waker_is_renewed_at_every_poll() {
    let bench = Bench::new(4);
    let mut first = bench.waiting(1);
    assert!(!first.is_woken());
    assert!(first.poll().is_pending(), "polled without need");
    bench.origin.end(1, End::Value((1, 0)));
    assert!(first.is_woken());
    // A third task takes the future over, as after a `select!`.
    assert_eq!(value(first.poll()), (1, 0));
}

#[test]
fn a_delayed_hit_waits_for_the_rest() {
    let bench = Bench::new(4);
    let mut first = bench.waiting(1);
    bench.clock.advance(Duration::from_millis(30));
    let mut second = bench.waiting(1);
    bench.clock.advance(Duration::from_millis(38));
    bench.origin.end(1, End::Value((1, 0)));
    assert!(second.poll().is_ready() && first.poll().is_ready());
    assert!(bench.call(1).poll().is_ready());
    let metrics = bench.cache.metrics();
    assert_eq!(metrics.miss_waits.total, Duration::from_millis(68));
    assert_eq!(metrics.delayed_waits.total, Duration::from_millis(38));
    assert_eq!(metrics.mean_latency(), Duration::from_nanos(106_000_000 / 3));
}

#[test]
fn keys_do_not_wait_for_each_other() {
    let bench = Bench::new(4);
    let mut first = bench.waiting(1);
    let mut second = bench.waiting(2);
    bench.origin.end(2, End::Value((2, 0)));
    assert!(!first.is_woken() && second.is_woken());
    assert_eq!(value(second.poll()), (2, 0));
    assert!(first.poll().is_pending());
}

#[test]
fn a_fetch_goes_on_by_itself_if_it_was_detached() {
    use crate::by_hand::Task;
    use std::sync::Arc;
    let bench = Bench::new(4);
    let (cache, origin) = (bench.cache.clone(), Arc::clone(&bench.origin));
    let (send, mut spawned) = tokio::sync::mpsc::unbounded_channel();
    let mut call = Task::new(async move {
        let spawn = move |keeper| send.send(keeper).unwrap();
        cache.get_or_fetch_detached(1, move || origin.fetch(1), spawn).await
    });
    assert!(call.poll().is_pending());
    drop(call);
    let mut keeper = Task::new(spawned.try_recv().unwrap());
    assert!(keeper.poll().is_pending());
    bench.origin.end(1, End::Value((1, 0)));
    assert!(keeper.poll_if_woken().is_ready());
    assert_eq!(bench.cache.get(&1), Some((1, 0)));
    assert_eq!(bench.cache.metrics().miss_waits.count, 0, "nobody was there to be answered");
}
