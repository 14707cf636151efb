//! Waiters that are dropped, and keys that change under a fetch.

use crate::by_hand::{Bench, End, value};

#[test]
fn a_dropped_waiter_does_not_take_the_fetch_with_it() {
    let bench = Bench::new(4);
    let first = bench.waiting(1);
    let mut second = bench.waiting(1);
    drop(first);
    assert_eq!(bench.origin.running(), 1);
    bench.origin.end(1, End::Value((1, 0)));
    assert_eq!(value(second.poll_if_woken()), (1, 0));
}

#[test]
fn a_wake_up_that_a_dropped_waiter_got_is_not_lost() {
    let bench = Bench::new(4);
    let first = bench.waiting(1);
    let mut second = bench.waiting(1);
    bench.origin.end(1, End::Value((1, 0)));
    drop(first);
    assert_eq!(value(second.poll_if_woken()), (1, 0));
}

#[test]
fn the_last_waiter_takes_the_fetch_with_it() {
    let bench = Bench::new(4);
    let (first, second) = (bench.waiting(1), bench.waiting(1));
    drop(first);
    drop(second);
    assert_eq!(bench.origin.running(), 0);
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.cancelled, metrics.in_flight, metrics.fetch_errors), (1, 0, 0));
    bench.load(1, 5);
    assert_eq!(bench.origin.begun(), 2);
}

#[test]
fn what_was_invalidated_in_flight_goes_to_its_waiters_only() {
    let bench = Bench::new(4);
    let mut first = bench.waiting(1);
    assert!(!bench.cache.invalidate(&1));
    let mut later = bench.waiting(1);
    assert_eq!(bench.origin.begun(), 1, "never two at a time");
    bench.origin.end(1, End::Value((1, 10)));
    assert_eq!(value(first.poll_if_woken()), (1, 10));
    assert_eq!(bench.cache.get(&1), None);
    assert!(later.poll_if_woken().is_pending());
    assert_eq!(bench.origin.begun(), 2);
    bench.origin.end(1, End::Value((1, 11)));
    assert_eq!(value(later.poll_if_woken()), (1, 11));
    assert_eq!(bench.cache.get(&1), Some((1, 11)));
    assert_eq!(bench.cache.metrics().outdated, 1);
}

#[test]
fn who_waits_behind_an_invalidated_fetch_polls_it_as_well() {
    let bench = Bench::new(4);
    let mut first = bench.waiting(1);
    bench.cache.invalidate_all();
    let mut later = bench.waiting(1);
    bench.origin.end(1, End::Value((1, 10)));
    // The first is kept, but not polled.
    assert!(later.poll_if_woken().is_pending());
    bench.origin.end(1, End::Value((1, 11)));
    assert_eq!(value(later.poll_if_woken()), (1, 11));
    assert_eq!(value(first.poll_if_woken()), (1, 10));
}

#[test]
fn who_waits_behind_does_not_keep_the_fetch_alive() {
    let bench = Bench::new(4);
    let first = bench.waiting(1);
    bench.cache.invalidate(&1);
    let mut later = bench.waiting(1);
    drop(first);
    assert_eq!(bench.origin.running(), 0);
    assert!(later.poll_if_woken().is_pending());
    assert_eq!(bench.origin.begun(), 2);
}

#[test]
fn what_was_inserted_in_flight_stays() {
    let bench = Bench::new(4);
    let mut first = bench.waiting(1);
    bench.cache.insert(1, (1, 99));
    assert_eq!(value(bench.call(1).poll()), (1, 99));
    bench.origin.end(1, End::Value((1, 10)));
    assert_eq!(value(first.poll_if_woken()), (1, 10));
    assert_eq!(bench.cache.get(&1), Some((1, 99)));
}
