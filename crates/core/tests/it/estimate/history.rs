//! The summary of a feature, compared with all costs that it ever had.

use forebay_core::estimate::{CostPerByte, Kept, Seen};
use forebay_core::{Rng, Seed};
use rand::RngExt as _;
use rand_distr::{Distribution as _, LogNormal};

const FEATURES: u32 = 20;

/// Costs of innocents over a decade, and one job in ten of an attacker, a thousand times as much.
fn cost(rng: &mut Rng) -> f64 {
    let innocent = LogNormal::new(5.0, 0.5).unwrap().sample(rng);
    if rng.random_range(0..10) == 0 { 1_000.0 * innocent } else { innocent }
}

/// The naive form: every cost per byte of each feature, in order.
fn histories(jobs: usize, seed: u64, kept: Kept) -> (CostPerByte, Vec<Vec<f64>>) {
    let mut rng = Seed(seed).stream("history");
    let mut costs = CostPerByte::new(kept);
    let mut all = vec![Vec::new(); FEATURES as usize];
    for _ in 0..jobs {
        let feature = rng.random_range(0..FEATURES);
        let size_bytes = rng.random_range(1..2_000);
        let per_byte = cost(&mut rng);
        costs.learn(feature, Seen { size_bytes, cost: per_byte * size_bytes as f64, is_whole: true });
        all[feature as usize].push(per_byte);
    }
    (costs, all)
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

#[test]
fn the_worst_is_the_worst_of_the_history_with_what_has_decayed_since() {
    for (seed, decay) in [(1, 0.0), (2, 0.01), (3, 0.3)] {
        let (costs, all) = histories(20_000, seed, Kept::Worst { decay });
        for (feature, history) in (0..).zip(&all) {
            let decayed = history.iter().rev().zip(0..).map(|(cost, age): (&f64, i32)| cost * (1.0 - decay).powi(age));
            let worst = decayed.fold(0.0, f64::max);
            assert!(is_near(costs.per_byte(feature).unwrap(), worst), "{decay} {feature}");
        }
    }
}

#[test]
fn the_mean_is_the_weighted_mean_of_the_history() {
    let (costs, all) = histories(20_000, 4, Kept::Mean);
    for (feature, history) in (0..).zip(&all) {
        let (first, rest) = history.split_first().unwrap();
        let newest_first = rest.iter().rev().zip(0..);
        let rest_weighs = 0.875_f64.powi(i32::try_from(rest.len()).unwrap());
        let mean: f64 = newest_first.map(|(cost, age)| cost * 0.125 * 0.875_f64.powi(age)).sum();
        assert!(is_near(costs.per_byte(feature).unwrap(), mean + first * rest_weighs), "{feature}");
    }
}

/// The moving median need not equal the median, but must be near it: here, within a factor of 1.5. The mean of the same
/// costs is a hundred times as much.
#[test]
fn the_median_is_near_that_of_the_history_whatever_a_few_cost() {
    for seed in 5..10 {
        let (costs, mut all) = histories(40_000, seed, Kept::Median);
        for (feature, history) in (0..).zip(&mut all) {
            history.sort_by(f64::total_cmp);
            let median = history[history.len() / 2];
            let mean: f64 = history.iter().sum::<f64>() / history.len() as f64;
            let kept = costs.per_byte(feature).unwrap();
            assert!((median / 1.5..median * 1.5).contains(&kept), "{seed} {feature}: {kept}, median {median}");
            assert!(mean > 50.0 * kept, "the costs are harmless: {mean}");
        }
    }
}

#[test]
fn the_first_job_may_be_an_attack() {
    let mut costs = CostPerByte::new(Kept::Median);
    let seen = |cost| Seen { size_bytes: 1, cost, is_whole: true };
    costs.learn(0, seen(1e6));
    for _ in 0..300 {
        costs.learn(0, seen(1_000.0));
    }
    // ln(1,000) / ln(33/32) = 224.5 steps.
    assert_eq!(costs.per_byte(0), Some(1_000.0));
}
