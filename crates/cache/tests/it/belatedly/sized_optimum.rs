//! How often the lower bound of small traces with sizes is the optimum.

use crate::belatedly::against_optimum::{crowd, random_trace};
use crate::belatedly::reference::optimum;
use forebay_cache::belatedly::{BoundOptions, bound};
use forebay_core::Seed;
use rand::RngExt as _;
use std::ops::ControlFlow;

#[test]
fn nearly_all_optima_with_sizes_are_proven() {
    let mut rng = Seed(11).stream("sized");
    let (mut exact, mut met, mut rounds, mut worst) = (0, 0, 0, 0.0f64);
    while rounds < 1000 {
        let (count, objects) = (rng.random_range(6..=14), rng.random_range(2..=5));
        let mut requests = random_trace(&mut rng, count, objects, true);
        if rounds % 5 == 0 {
            crowd(&mut requests);
        }
        let (capacity, latency) = (rng.random_range(1..=8), rng.random_range(1..=8));
        let least = optimum(&requests, capacity, &|_| latency);
        let options = BoundOptions { iterations: 100, ..BoundOptions::default() };
        let bounds = bound(&requests, capacity, |_| latency, &options, |_| ControlFlow::Continue(())).unwrap();
        assert!(bounds.lower <= least && least <= bounds.upper, "{least} of {requests:?}: {bounds:?}");
        rounds += 1;
        exact += u32::from(bounds.lower == least);
        met += u32::from(bounds.lower == bounds.upper);
        worst =
            worst.max(1.0 - f64::from(u32::try_from(bounds.lower).unwrap()) / f64::from(u32::try_from(least).unwrap()));
    }
    println!("{exact} of {rounds} lower bounds are exact, {met} are proven; the worst is {:.2} % below", 100.0 * worst);
    assert!(100 * exact > 99 * rounds, "{exact} of {rounds}");
}
