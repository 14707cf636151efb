//! Cases that can be worked out by hand, wrong input, and stopping early.

use forebay_belatedly::{BoundError, Bounds, Options, Overfull, Problem, ProblemError, Schedule, bound, simulate};
use forebay_core::Request;
use std::ops::ControlFlow;

/// Requests from letters, one per step; `.` is a step without one.
fn trace(letters: &str) -> Vec<Request> {
    let bytes = letters.bytes().zip(0..).filter(|(letter, _)| *letter != b'.');
    bytes.map(|(letter, time)| Request { time, key: u64::from(letter), size: 1 }).collect()
}

fn bounds(requests: &[Request], capacity: u64, latency: u64) -> Bounds {
    bound(requests, capacity, |_| latency, &Options::default(), |_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn worked_examples() {
    // Nothing to decide: a miss and delayed hits that wait 2 and 1.
    let of = |letters, capacity, latency| {
        let bounds = bounds(&trace(letters), capacity, latency);
        (bounds.lower, bounds.upper)
    };
    assert_eq!(of("", 1, 3), (0, 0));
    assert_eq!(of("aaa", 1, 3), (6, 6));
    // The first request that can hit is Z steps after the miss.
    assert_eq!(of("aaaa", 1, 3), (6, 6));
    assert_eq!(of("aaaa", 0, 3), (9, 9));
    // Room for one: keeping a saves 3, keeping b 2.
    assert_eq!(of("a.b.b.aaa", 1, 2), (6, 6));
    assert_eq!(of("a.b.b.aaa", 2, 2), (4, 4));
}

#[test]
fn a_hit_can_cost_more_than_it_saves() {
    // A hit at step 5 lets the burst from step 8 on miss; a miss at step 5 lets it wait for the
    // rest of a fetch. The bounds must see both ways.
    let requests = trace("a....a..aaa");
    let latency =
        |stays: [bool; 5]| simulate(&requests, 1, |_| 5, &Schedule { stays: stays.to_vec() }).unwrap().latency;
    assert_eq!(latency([true, false, false, false, false]), 5 + 5 + 4 + 3);
    assert_eq!(latency([false, true, false, false, false]), 5 + 5 + 2 + 1);
    assert_eq!(latency([true, true, true, true, false]), 5);
    assert_eq!(bounds(&requests, 1, 5).lower, 5);
    assert_eq!(Problem::new(&requests, 0, 5).unwrap().latency_without_cache(), 5 + 5 + 2 + 1 + 5);
}

#[test]
fn objects_that_do_not_fit_are_never_kept() {
    let mut requests = trace("abababab");
    for request in &mut requests {
        request.size = if request.key == u64::from(b'a') { 10 } else { 2 };
    }
    let bounds = bounds(&requests, 5, 2);
    assert_eq!((bounds.lower, bounds.upper), (4 * 2 + 2, 4 * 2 + 2));
}

#[test]
fn it_can_be_stopped_with_what_it_has() {
    let requests: Vec<Request> =
        (0..3000u64).map(|time| Request { time, key: time * time % 101 + time % 7 * 200, size: 1 }).collect();
    let mut looks = 0;
    let stopped = bound(
        &requests,
        20,
        |_| 15,
        &Options::default(),
        |progress| {
            looks += 1;
            assert!(progress.lower <= progress.upper as f64);
            if looks == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )
    .unwrap();
    assert_eq!((stopped.history.len(), stopped.iterations), (2, 40));
    assert!(stopped.lower > 0 && stopped.lower <= stopped.upper);
    let whole = bounds(&requests, 20, 15);
    assert!(whole.gap() < stopped.gap() && whole.gap() < 0.01, "{} {}", whole.gap(), stopped.gap());
    let nothing = Options { iterations: 0, ..Options::default() };
    let constant = bound(&requests, 20, |_| 15, &nothing, |_| ControlFlow::Continue(())).unwrap();
    assert!(constant.lower > 0 && constant.upper >= whole.lower);
}

#[test]
fn the_same_input_gives_the_same_bounds() {
    let requests = trace("abcabcaabbccabcdabcdddabcadbcadbacbdabcd");
    assert_eq!(bounds(&requests, 2, 5), bounds(&requests, 2, 5));
}

#[test]
fn wrong_traces_are_refused() {
    let good = Request { time: 5, key: 1, size: 1 };
    let refused = |requests: &[Request], latency| match bound(
        requests,
        1,
        |_| latency,
        &Options::default(),
        |_| ControlFlow::Continue(()),
    ) {
        Err(BoundError::Problem(problem)) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&[good, Request { time: 4, ..good }], 2), ProblemError::Unordered { request: 1 });
    let (key, size, before) = (1, 3, 1);
    let grown = Request { size: 3, ..good };
    assert_eq!(refused(&[good, grown], 2), ProblemError::SizeChanged { request: 1, key, size, before });
    assert_eq!(refused(&[Request { size: 0, ..good }], 2), ProblemError::SizeZero { request: 0 });
    assert_eq!(refused(&[good], 0), ProblemError::LatencyZero { request: 0 });
    assert!(matches!(refused(&[good, good], 1 << 61), ProblemError::TooLarge { .. }));
    assert!(matches!(refused(&[Request { time: u64::MAX, ..good }], 2), ProblemError::TooLarge { .. }));
}

#[test]
fn a_schedule_that_does_not_fit_is_found() {
    let requests = trace("ab...ab");
    let all = Schedule { stays: vec![true; 4] };
    let overfull = simulate(&requests, 1, |_| 2, &all).unwrap_err();
    assert_eq!(overfull, Overfull { time: 2, occupied: 2, capacity: 1 });
    assert_eq!(simulate(&requests, 2, |_| 2, &all).unwrap().latency, 4);
}
