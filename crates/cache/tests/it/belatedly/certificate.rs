//! Any prices give a valid bound, whatever floats they are.

use crate::belatedly::against_optimum::random_trace;
use crate::belatedly::reference::optimum;
use forebay_cache::belatedly::{Problem, certified_lower_bound};
use forebay_core::Seed;
use rand::RngExt as _;

#[test]
fn any_prices_give_a_bound() {
    let mut rng = Seed(4).stream("prices");
    for round in 0..300 {
        let requests = random_trace(&mut rng, 12, 4, round % 2 == 0);
        let capacity = rng.random_range(1..5);
        let latency = rng.random_range(1..8);
        let problem = Problem::new(&requests, capacity, latency).unwrap();
        let least = optimum(&requests, capacity, &|_| latency);
        let scale = 10f64.powi(rng.random_range(-12..12));
        let prices: Vec<f64> = (0..problem.checkpoints()).map(|_| scale * rng.random_range(-0.5..1.0)).collect();
        assert!(certified_lower_bound(&problem, &prices) <= least);
    }
}

#[test]
fn absurd_prices_do_no_harm() {
    let mut rng = Seed(5).stream("prices");
    let requests = random_trace(&mut rng, 12, 3, false);
    let problem = Problem::new(&requests, 1, 3).unwrap();
    let least = optimum(&requests, 1, &|_| 3);
    let free = certified_lower_bound(&problem, &[]);
    assert!(free > 0 && free <= least);
    for price in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1e30, -1.0] {
        assert!(certified_lower_bound(&problem, &vec![price; problem.checkpoints()]) <= least, "{price}");
    }
    assert_eq!(certified_lower_bound(&problem, &[-1.0, f64::NAN]), free);
    // More prices than checkpoints.
    assert_eq!(certified_lower_bound(&problem, &vec![0.0; 100]), free);
}
