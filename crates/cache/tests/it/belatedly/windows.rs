//! Long traces, which are searched window by window.

use forebay_cache::belatedly::{BoundOptions, bound};
use forebay_core::{Request, Seed};
use rand::RngExt as _;
use std::ops::ControlFlow;

/// Requests for 4,000 objects, where half of all are for a few of them; the popular ones change.
fn long_trace() -> Vec<Request> {
    let mut rng = Seed(12).stream("windows");
    (0..600_000u64)
        .map(|time| {
            let key = rng.random_range(0..64u64) * rng.random_range(0..64u64) + time / 50_000;
            Request { time: 2 * time, key, size: 1 + key % 3 }
        })
        .collect()
}

fn options(threads: usize) -> BoundOptions {
    BoundOptions { iterations: 100, threads, ..BoundOptions::default() }
}

#[test]
fn the_number_of_threads_does_not_change_the_bounds() {
    let requests = long_trace();
    let windows = std::cell::Cell::new(0);
    let bounds = |threads| {
        bound(
            &requests,
            200,
            |_| 50,
            &options(threads),
            |now| {
                windows.set(windows.get().max(now.windows));
                ControlFlow::Continue(())
            },
        )
        .unwrap()
    };
    let (one, two) = (bounds(1), bounds(2));
    assert_eq!(windows.get(), 4);
    assert_eq!(one, two);
    assert!(one.lower <= one.upper && one.gap() < 0.01, "{}", one.gap());
}

#[test]
fn a_search_that_stops_between_windows_keeps_what_it_has() {
    let requests = long_trace();
    let whole = bound(&requests, 200, |_| 50, &options(1), |_| ControlFlow::Continue(())).unwrap();
    let stop = |now: &forebay_cache::belatedly::Progress| {
        if now.window == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let part = bound(&requests, 200, |_| 50, &options(1), stop).unwrap();
    assert!(part.lower <= whole.upper && whole.lower <= part.upper);
    assert!(part.gap() < 0.2, "{}", part.gap());
}
