//! The linear programme beside the integer optimum and the Lagrangian bounds.

use crate::belatedly::against_optimum::{random_trace, sized_trace};
use crate::belatedly::real_traces::zipf;
use crate::belatedly::reference::optimum;
use forebay_cache::belatedly::{BoundOptions, Problem, Schedules, bound, exact, formulation_sizes};
use forebay_core::{Request, Rng, Seed};
use rand::RngExt as _;
use std::ops::ControlFlow;

#[test]
fn the_programme_is_between_the_bound_by_prices_and_the_optimum() {
    let mut rng = Seed(6).stream("exact");
    for round in 0..150 {
        let objects = rng.random_range(1..=5);
        let requests = random_trace(&mut rng, 13, objects, round % 3 == 0);
        let (capacity, base) = (rng.random_range(1..=5), rng.random_range(1..=8));
        let spread = if round % 4 == 0 { 3 } else { 0 };
        let latency_of = |request: &Request| base + request.key * spread;
        let problem = Problem::with_latency_of(&requests, capacity, latency_of).unwrap();
        let least = optimum(&requests, capacity, &latency_of);
        let options = BoundOptions { proves: true, ..BoundOptions::default() };
        let bounds = bound(&requests, capacity, latency_of, &options, |_| ControlFlow::Continue(())).unwrap();
        let fractional = exact(&problem, Schedules::Fractional).unwrap();
        let integral = exact(&problem, Schedules::Integral { gap: 0.0, seconds: 60.0 }).unwrap();
        let what = format!("capacity {capacity}, latency {base} + {spread} key, {requests:?}");
        // A search that divides the problem can prove more than the programme, but no more than the optimum.
        let is_divided = bounds.proof.as_ref().is_some_and(|proof| proof.leaves.len() > 1);
        let most = if is_divided { least as f64 } else { (fractional.latency - 1e-6).ceil() };
        assert!(bounds.lower as f64 <= most, "{bounds:?} {fractional:?}: {what}");
        assert!(fractional.latency <= least as f64 + 1e-6, "{what}");
        assert!((integral.latency - least as f64).abs() < 1e-6, "{integral:?} {least}: {what}");
        let sizes = formulation_sizes(&requests, capacity, latency_of).unwrap().chain;
        assert_eq!((fractional.variables as u64, fractional.constraints as u64), (sizes.variables, sizes.constraints));
    }
}

#[test]
fn the_lagrangian_bound_agrees_with_the_programme() {
    let mut rng = Seed(7).stream("exact");
    // Where the real trace is absent, every part is of one that is drawn here.
    let drawn = drawn_zipf(&mut rng, 100_000);
    let real = zipf(100_000).unwrap_or_else(|| drawn.clone());
    for round in 0..20 {
        let requests = if round % 2 == 0 { &real } else { &drawn };
        let count = rng.random_range(1000..=5000);
        let start = rng.random_range(0..requests.len() - count);
        let part = &requests[start..start + count];
        let capacity = [4, 16, 64][round % 3];
        let latency = [3, 30, 300, 1000][round % 4];
        let problem = Problem::new(part, capacity, latency).unwrap();
        let fractional = exact(&problem, Schedules::Fractional).unwrap();
        let bounds =
            bound(part, capacity, |_| latency, &BoundOptions::default(), |_| ControlFlow::Continue(())).unwrap();
        let apart = 1.0 - bounds.lower as f64 / fractional.latency;
        println!(
            "{count} requests, {capacity} entries, latency {latency}: lower {} programme {:.1} upper {}; {:.4} % and {:.4} %",
            bounds.lower,
            fractional.latency,
            bounds.upper,
            100.0 * apart,
            100.0 * (1.0 - fractional.latency / bounds.upper as f64)
        );
        assert!(apart < 0.001 && bounds.lower as f64 <= (fractional.latency - 1e-4).ceil());
        assert!(fractional.latency <= bounds.upper as f64 + 1e-4);
    }
}

/// Zipf requests of skew 1, four of five slots taken.
fn drawn_zipf(rng: &mut Rng, slots: u64) -> Vec<Request> {
    let key = |rng: &mut Rng| (20_000_f64.powf(rng.random::<f64>())).round().to_bits();
    let times = (0..slots).filter(|time| time % 5 != 4);
    times.map(|time| Request { time, key: key(rng), size: 1 }).collect()
}

#[test]
fn with_sizes_the_bounds_agree_as_well() {
    let mut rng = Seed(8).stream("sizes");
    let requests = sized_trace(&mut rng);
    let problem = Problem::new(&requests, 600, 20).unwrap();
    let fractional = exact(&problem, Schedules::Fractional).unwrap();
    let bounds = bound(&requests, 600, |_| 20, &BoundOptions::default(), |_| ControlFlow::Continue(())).unwrap();
    println!("lower {} programme {:.1} upper {}", bounds.lower, fractional.latency, bounds.upper);
    assert!(bounds.lower as f64 <= (fractional.latency - 1e-4).ceil());
    assert!(bounds.lower as f64 > 0.999 * fractional.latency);
    assert!(fractional.latency <= bounds.upper as f64 + 1e-4);
}
