//! What looks at all entries, and who hears of those that leave.

use crate::by_hand::{Bench, End, Key, Value, lock};
use forebay_loading::Removal;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_peek_changes_nothing() {
    let bench = Bench::with(2, |builder| builder.time_to_idle(10 * SECOND));
    bench.load(1, 0);
    bench.load(2, 0);
    bench.clock.advance(6 * SECOND);
    assert_eq!((bench.cache.peek(&1), bench.cache.peek(&9)), (Some((1, 0)), None));
    let metrics = bench.cache.metrics();
    assert_eq!((metrics.hits, metrics.absent), (0, 0));
    bench.load(3, 0);
    assert_eq!(bench.cache.peek(&1), None, "a peek does not save an entry");
    bench.clock.advance(6 * SECOND);
    assert_eq!((bench.cache.peek(&2), bench.cache.len()), (None, 2), "2 is idle, and still there");
}

#[test]
fn what_is_removed_is_returned() {
    let bench = Bench::new(4);
    bench.load(1, 5);
    assert_eq!((bench.cache.remove(&1), bench.cache.remove(&1)), (Some((1, 5)), None));
    assert_eq!(bench.cache.metrics().invalidations, 1);
}

#[test]
fn all_entries_are_seen_but_the_expired_ones() {
    let bench = Bench::with(4, |builder| builder.time_to_live(10 * SECOND));
    bench.load(1, 0);
    bench.clock.advance(6 * SECOND);
    bench.load(2, 0);
    bench.load(3, 7);
    let seen = || {
        let mut seen: Vec<(Key, Value)> = bench.cache.iter().collect();
        seen.sort_unstable();
        seen
    };
    assert_eq!(seen(), [(1, (1, 0)), (2, (2, 0)), (3, (3, 7))]);
    bench.clock.advance(4 * SECOND);
    assert_eq!(seen(), [(2, (2, 0)), (3, (3, 7))]);
    assert_eq!(bench.cache.retain(|_, &(_, number)| number > 0), 2);
    assert_eq!(seen(), [(3, (3, 7))]);
}

/// The fetch may bring what is not to be kept.
#[test]
fn a_fetch_in_flight_is_not_cached_after_retain() {
    let bench = Bench::new(4);
    let mut waiting = bench.waiting(1);
    assert_eq!(bench.cache.retain(|_, _| true), 0);
    assert!(bench.origin.end(1, End::Value((1, 1))));
    assert!(waiting.poll().is_ready());
    assert_eq!((bench.cache.get(&1), bench.cache.metrics().outdated), (None, 1));
}

#[test]
fn every_removal_has_its_reason() {
    let left = Arc::new(Mutex::new(Vec::new()));
    let bench = Bench::with(2, |builder| {
        let left = Arc::clone(&left);
        builder.time_to_live(10 * SECOND).on_removal(move |&key, &(_, number), removal| {
            lock(&left).push((key, number, removal));
        })
    });
    let heard = || std::mem::take(&mut *lock(&left));
    bench.load(1, 0);
    bench.load(2, 0);
    bench.load(3, 0);
    assert_eq!(heard(), [(1, 0, Removal::Evicted)]);
    bench.cache.insert(2, (2, 1));
    assert_eq!(heard(), [(2, 0, Removal::Replaced)]);
    assert!(bench.cache.invalidate(&2));
    assert_eq!(heard(), [(2, 1, Removal::Invalidated)]);
    bench.clock.advance(10 * SECOND);
    assert_eq!(bench.cache.get(&3), None);
    assert_eq!(heard(), [(3, 0, Removal::Expired)]);
    bench.load(4, 0);
    bench.cache.invalidate_all();
    assert_eq!(heard(), [(4, 0, Removal::Invalidated)]);
    bench.load(5, 0);
    bench.clock.advance(10 * SECOND);
    assert_eq!((bench.cache.purge_expired(), heard()), (1, vec![(5, 0, Removal::Expired)]));
}

/// The listener runs with no lock held, and its panic stops nobody.
#[test]
fn a_listener_may_call_the_cache_and_panic() {
    let cache = Arc::new(Mutex::new(None::<crate::by_hand::Cache>));
    let bench = Bench::with(1, |builder| {
        let cache = Arc::clone(&cache);
        builder.on_removal(move |&key, _, _| {
            let handle = lock(&cache).clone().expect("it was given");
            assert_eq!(handle.peek(&key), None);
            std::panic::resume_unwind(Box::new("as told"));
        })
    });
    *lock(&cache) = Some(bench.cache.clone());
    bench.load(1, 0);
    bench.load(2, 0);
    assert_eq!(bench.cache.get(&2), Some((2, 0)));
    *lock(&cache) = None;
}
