//! Cases that can be worked out by hand, wrong input, and stopping early.

use forebay_cache::belatedly::{
    BoundError, BoundOptions, Bounds, Overfull, Problem, ProblemError, Schedule, bound, simulate,
};
use forebay_core::Request;
use std::ops::ControlFlow;

/// Requests from letters, one per step; `.` is a step without one.
fn trace(letters: &str) -> Vec<Request> {
    let bytes = letters.bytes().zip(0..).filter(|(letter, _)| *letter != b'.');
    bytes.map(|(letter, time)| Request { time, key: u64::from(letter), size: 1 }).collect()
}

fn bounds(requests: &[Request], capacity: u64, latency: u64) -> Bounds {
    bound(requests, capacity, |_| latency, &BoundOptions::default(), |_| ControlFlow::Continue(())).unwrap()
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
    let stopped = bound(
        &requests,
        20,
        |_| 15,
        &BoundOptions::default(),
        |progress| {
            assert!(progress.lower <= progress.upper as f64);
            if progress.iteration == 45 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )
    .unwrap();
    assert_eq!((stopped.history.len(), stopped.iterations), (2, 45));
    assert!(stopped.lower > 0 && stopped.lower <= stopped.upper);
    let whole = bounds(&requests, 20, 15);
    assert!(whole.gap() < stopped.gap() && whole.gap() < 0.01, "{} {}", whole.gap(), stopped.gap());
    let nothing = BoundOptions { iterations: 0, ..BoundOptions::default() };
    let constant = bound(&requests, 20, |_| 15, &nothing, |_| ControlFlow::Continue(())).unwrap();
    assert!(constant.lower > 0 && constant.upper >= whole.lower);
}

/// It is asked in every part of the preparation, too, and each time it is the last time.
#[test]
fn wherever_it_is_stopped_both_bounds_hold() {
    let requests: Vec<Request> =
        (0..600u64).map(|time| Request { time, key: time * time % 31 + time % 7 * 200, size: 1 }).collect();
    let whole = bounds(&requests, 9, 15);
    let (mut least_steps, mut best) = (u32::MAX, (0, u64::MAX));
    for last in 1..60 {
        let mut asked = 0;
        let watch = |_: &_| {
            asked += 1;
            assert!(asked <= last, "not asked again");
            if asked == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = bound(&requests, 9, |_| 15, &BoundOptions::default(), watch).unwrap();
        assert_eq!(asked, last);
        assert!(stopped.lower <= whole.upper && whole.lower <= stopped.upper, "{last}");
        let played = simulate(&requests, 9, |_| 15, &stopped.schedule).unwrap();
        assert_eq!((played, played.latency), (stopped.outcome, stopped.upper));
        assert_eq!(stopped.schedule.stays.len(), 600);
        if last == 1 {
            assert_eq!((stopped.lower, stopped.outcome.hits), (0, 0), "nothing is known, nothing is kept");
        }
        least_steps = least_steps.min(stopped.iterations);
        best = (best.0.max(stopped.lower), best.1.min(stopped.upper));
    }
    // Preparation asks more than ten times, and the rest is a step each.
    assert_eq!(least_steps, 0);
    assert!(best.0 * 100 > whole.lower * 95 && best.1 * 95 < whole.upper * 100, "{best:?}");
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
        &BoundOptions::default(),
        |_| ControlFlow::Continue(()),
    ) {
        Err(BoundError::Problem(problem)) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&[good, Request { time: 4, ..good }], 2), ProblemError::Unordered { request: 2 });
    let (key, size, before) = (1, 3, 1);
    let grown = Request { size: 3, ..good };
    assert_eq!(refused(&[good, grown], 2), ProblemError::SizeChanged { request: 2, key, size, before });
    assert_eq!(refused(&[Request { size: 0, ..good }], 2), ProblemError::SizeZero { request: 1 });
    assert_eq!(refused(&[good], 0), ProblemError::LatencyZero { request: 1 });
    assert!(matches!(refused(&[good, good], 1 << 61), ProblemError::TooLarge { .. }));
    let late = Request { time: u64::MAX, ..good };
    assert_eq!(refused(&[good, late], 1), ProblemError::TimeTooLarge { request: 2 });
}

/// Requests for one object may all wait for its longest fetch.
#[test]
fn latencies_that_differ_within_an_object_do_not_overflow() {
    let requests: Vec<Request> = (0..20).map(|time| Request { time, key: 1, size: 1 }).collect();
    let first_takes = |longest: u64| {
        let latency_of = move |request: &Request| if request.time == 0 { longest } else { 1 };
        bound(&requests, 1, latency_of, &BoundOptions::default(), |_| ControlFlow::Continue(()))
    };
    let refused = first_takes(1 << 60).unwrap_err();
    assert!(matches!(refused, BoundError::Problem(ProblemError::TooLarge { .. })), "{refused}");
    let bounds = first_takes(1 << 57).unwrap();
    assert_eq!((bounds.lower, bounds.upper), ((20 << 57) - 190, (20 << 57) - 190));
}

/// As large as sizes can be.
#[test]
fn sizes_do_not_overflow() {
    let size = u64::MAX / 2 + 1;
    let requests: Vec<Request> = (0..40).map(|time| Request { time, key: time % 3, size }).collect();
    let bounds = bounds(&requests, u64::MAX, 1);
    assert_eq!((bounds.lower, bounds.upper), (27, 27));
    let all = Schedule { stays: vec![true; 40] };
    let overfull = Overfull { time: 1, occupied: u64::MAX, capacity: u64::MAX };
    assert_eq!(simulate(&requests, u64::MAX, |_| 1, &all), Err(overfull));
}

#[test]
fn a_schedule_that_does_not_fit_is_found() {
    let requests = trace("ab...ab");
    let all = Schedule { stays: vec![true; 4] };
    let overfull = simulate(&requests, 1, |_| 2, &all).unwrap_err();
    assert_eq!(overfull, Overfull { time: 2, occupied: 2, capacity: 1 });
    assert_eq!(simulate(&requests, 2, |_| 2, &all).unwrap().latency, 4);
}
