//! PFOO-L is below the optimum of small traces, and below FOO, the linear programme.

use crate::belatedly::against_optimum::random_trace;
use crate::belatedly::reference::optimum;
use forebay_cache::belatedly::{BoundOptions, bound, pfoo_lower};
use forebay_core::{Request, Seed};
use rand::RngExt as _;
use std::ops::ControlFlow;

#[test]
fn an_example_by_hand() {
    let requests: Vec<Request> =
        [1, 2, 1, 3, 2, 1].iter().zip(0..).map(|(&key, time)| Request { time, key, size: 1 }).collect();
    // Hits would need room for 2, 3 and 3 requests; a cache of 1 has room for 6, so PFOO-L counts two of them.
    assert_eq!(pfoo_lower(&requests, 1), 4);
    assert_eq!(pfoo_lower(&requests, 0), 6);
    assert_eq!(pfoo_lower(&requests, 3), 3);
}

#[test]
fn no_small_trace_has_fewer_misses() {
    let mut rng = Seed(31).stream("pfoo");
    for round in 0..300 {
        let count = rng.random_range(0..=13);
        let mut requests = random_trace(&mut rng, count, 5, round % 2 == 0);
        for (request, time) in requests.iter_mut().zip(0..) {
            request.time = time;
        }
        let capacity = rng.random_range(0..8);
        let least = optimum(&requests, capacity, &|_| 1);
        let foo = bound(&requests, capacity, |_| 1, &BoundOptions::default(), |_| ControlFlow::Continue(())).unwrap();
        assert!(pfoo_lower(&requests, capacity) <= least && foo.lower <= least, "{requests:?}");
    }
}
