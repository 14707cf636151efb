//! What estimators learn, computed by hand.

use forebay_surge::{Estimate, Estimator, MeanPerByte, MeasuredJob, MedianPerByte, Surge, Told, WorstPerByte};
use std::sync::Arc;
use std::time::Duration;

type Rules = Vec<u32>;

fn us(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

fn worst() -> WorstPerByte<Rules> {
    WorstPerByte::new(|job: &Rules, features: &mut Vec<u32>| features.extend(job))
}

/// A job of 1,000 bytes, so that microseconds are nanoseconds per byte.
fn estimate(estimator: &impl Estimator<Rules>, rules: &[u32]) -> Duration {
    estimator.estimate(&rules.to_vec(), 1_000, us(1)).work
}

fn learn(estimator: &impl Estimator<Rules>, rules: &[u32], work: Duration, complete: bool) {
    estimator.learn(&MeasuredJob { features: rules, size_bytes: 1_000, work, parts: &[], complete });
}

#[test]
fn the_submitter_is_believed() {
    let estimate = Told.estimate(&(), 10, us(3));
    assert_eq!(estimate, Estimate { work: us(3), features: Box::default() });
}

#[test]
fn the_largest_cost_per_byte_counts() {
    let worst = worst();
    for work in [4, 9, 2] {
        learn(&worst, &[1], us(work), true);
    }
    assert_eq!(worst.per_byte(1), Some(9.0));
    assert_eq!(estimate(&worst, &[1]), us(9));
    assert_eq!(worst.estimate(&vec![1], 100, us(1)).work, Duration::from_nanos(900), "in proportion to the size");
}

#[test]
fn what_was_never_seen_costs_what_a_byte_costs_in_general() {
    let worst = worst();
    assert_eq!(estimate(&worst, &[7]), us(1), "as told");
    assert_eq!(estimate(&worst, &[7, 8]), us(1));
    learn(&worst, &[1], us(4), true);
    learn(&worst, &[2], us(8), true);
    assert_eq!(estimate(&worst, &[7]), us(6));
    assert_eq!(estimate(&worst, &[1, 1, 2]), us(12), "each counts once");
    assert_eq!(estimate(&worst.start(50.0), &[7, 1]), us(54));
}

#[test]
fn a_job_without_features_is_learnt_from_as_well() {
    let worst = worst();
    learn(&worst, &[], us(4), true);
    learn(&worst, &[1], us(10), true);
    assert_eq!(estimate(&worst, &[]), us(4));
}

#[test]
fn features_share_a_cost_in_proportion_to_what_they_were_thought_to_cost() {
    let worst = worst();
    learn(&worst, &[1], us(3), true);
    learn(&worst, &[2], us(1), true);
    learn(&worst, &[1, 2], us(2), true);
    assert_eq!((worst.per_byte(1), worst.per_byte(2)), (Some(3.0), Some(1.0)), "less than thought");
    learn(&worst, &[1, 2], us(40), true);
    assert_eq!((worst.per_byte(1), worst.per_byte(2)), (Some(30.0), Some(10.0)));
    assert_eq!(estimate(&worst, &[1, 2]), us(40));
}

#[test]
fn a_worker_may_say_which_feature_it_was() {
    let worst = Arc::new(worst());
    let surge = Surge::builder(4).estimator(Arc::clone(&worst)).build().unwrap();
    surge.submit(vec![1, 2], 0, 1_000, us(1)).unwrap();
    surge.pull().unwrap().ticket.finish_parts(&[(1, us(1)), (2, us(70))]);
    assert_eq!((worst.per_byte(1), worst.per_byte(2)), (Some(1.0), Some(70.0)));
    surge.submit(vec![2], 0, 1_000, us(1)).unwrap();
    let task = surge.pull().unwrap();
    assert_eq!(task.ticket.estimate(), us(70));
    assert!(task.ticket.requeue_with(task.job, us(90)).unwrap().is_empty());
    assert_eq!(worst.per_byte(2), Some(90.0), "an unfinished job teaches as well");
}

#[test]
fn costs_decay_if_they_are_told_to() {
    let worst = worst().decay(0.5);
    learn(&worst, &[1], us(8), true);
    learn(&worst, &[1], us(1), true);
    assert_eq!(worst.per_byte(1), Some(4.0));
    learn(&worst, &[1], us(1), false);
    assert_eq!(worst.per_byte(1), Some(4.0), "not by a job that would have cost more");
    learn(&worst, &[1], us(6), true);
    assert_eq!(worst.per_byte(1), Some(6.0));
}

#[test]
fn a_table_has_an_end() {
    let worst = worst().most_features(2);
    for feature in 0..4 {
        learn(&worst, &[feature], us(8), true);
    }
    let known: Vec<_> = (0..4).filter(|&feature| worst.per_byte(feature).is_some()).collect();
    assert_eq!(known, [0, 1]);
}

#[test]
fn a_mean_follows_what_is_usual() {
    let mean = MeanPerByte::new(|job: &Rules, features: &mut Vec<u32>| features.extend(job));
    learn(&mean, &[1], us(8), true);
    learn(&mean, &[1], us(16), true);
    assert_eq!(estimate(&mean, &[1]), us(9));
    learn(&mean, &[1], us(900), false);
    assert_eq!(estimate(&mean, &[1]), us(9));
}

#[test]
fn a_median_is_not_moved_by_a_few_that_cost_much() {
    let median = MedianPerByte::new(|job: &Rules, features: &mut Vec<u32>| features.extend(job));
    for job in 0..1_000 {
        learn(&median, &[1], us(if job % 10 == 0 { 10_000 } else { 32 }), true);
    }
    let estimate = estimate(&median, &[1]);
    assert!((us(31)..us(36)).contains(&estimate), "{estimate:?}");
}

#[test]
fn a_job_that_is_given_back_moves_a_median_once() {
    let median = Arc::new(MedianPerByte::new(|job: &Rules, features: &mut Vec<u32>| features.extend(job)));
    learn(&median, &[1], us(32), true);
    let surge = Surge::builder(4).estimator(Arc::clone(&median)).build().unwrap();
    surge.submit(vec![1], 0, 1_000, us(1)).unwrap();
    for given_back in 1..=5 {
        let task = surge.pull().unwrap();
        assert!(task.ticket.requeue_with(task.job, us(100 * given_back)).unwrap().is_empty());
        assert_eq!(median.per_byte(1), Some(32.0));
    }
    surge.pull().unwrap().ticket.finish_with(us(100));
    assert_eq!(median.per_byte(1), Some(33.0));
}

/// Features that every job has are made to look slow by one attack, except by the median.
#[test]
fn only_a_median_tells_attacks_from_innocents_that_share_a_feature() {
    fn told_apart(estimator: &impl Estimator<Rules>) -> bool {
        for _ in 0..100 {
            estimator.learn(&part(0, us(10)));
            estimator.learn(&part(1, us(500)));
        }
        estimator.learn(&part(0, us(500)));
        let (innocent, attack) = (estimate(estimator, &[0]), estimate(estimator, &[1]));
        innocent < attack / 10
    }
    fn part(feature: u32, work: Duration) -> MeasuredJob<'static> {
        let features: &[u32] = if feature == 0 { &[0] } else { &[1] };
        MeasuredJob { features, size_bytes: 1_000, work, parts: &[], complete: true }
    }
    let extract = |job: &Rules, features: &mut Vec<u32>| features.extend(job);
    assert!(!told_apart(&worst()));
    assert!(!told_apart(&MeanPerByte::new(extract)));
    assert!(told_apart(&MedianPerByte::new(extract)));
}
