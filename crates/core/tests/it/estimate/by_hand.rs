//! Estimates after a few jobs, computed by hand.

use forebay_core::estimate::{CostPerByte, Kept, Seen};

/// A job of 100 bytes.
fn whole(cost: f64) -> Seen {
    Seen { size_bytes: 100, cost, is_whole: true }
}

fn interrupted(cost: f64) -> Seen {
    Seen { is_whole: false, ..whole(cost) }
}

/// The known cost of feature 1 after these costs.
fn after(kept: Kept, seen: &[Seen]) -> Option<f64> {
    let mut costs = CostPerByte::new(kept);
    for seen in seen {
        costs.learn(1, *seen);
    }
    costs.per_byte(1)
}

#[test]
fn the_published_estimate_is_the_sum_of_the_worst_of_each_feature() {
    let mut costs = CostPerByte::new(Kept::worst()).start(1.0);
    costs.learn(0, whole(1_050.0));
    costs.learn(0, whole(300.0));
    costs.learn(2, Seen { size_bytes: 0, ..whole(7.0) });
    assert_eq!([0, 1, 2].map(|feature| costs.per_byte(feature)), [Some(10.5), None, Some(7.0)]);
    assert_eq!(costs.estimate([0, 1, 2], 100, 5.0), 1_850.0);
    assert_eq!(costs.estimate([0], 50, 5.0), 525.0);
    assert_eq!(costs.estimate([], 50, 5.0), 50.0);
    assert_eq!(costs.estimate([2], 0, 5.0), 7.0, "nothing counts as a byte");
}

#[test]
fn what_each_form_keeps() {
    let seen = [whole(800.0), whole(1_600.0), interrupted(90_000.0), whole(100.0)];
    assert_eq!(after(Kept::worst(), &seen), Some(900.0));
    assert_eq!(after(Kept::Worst { decay: 0.5 }, &seen), Some(450.0));
    assert_eq!(after(Kept::Mean, &seen), Some(9.0 - 1.0));
    assert_eq!(after(Kept::Median, &seen), Some(8.0), "one step up, one down");
}

#[test]
fn an_interrupted_job_says_only_what_it_costs_at_least() {
    assert_eq!(after(Kept::worst(), &[interrupted(300.0)]), Some(3.0));
    assert_eq!(after(Kept::Worst { decay: 0.5 }, &[whole(400.0), interrupted(300.0)]), Some(4.0), "does not decay");
    for kept in [Kept::Mean, Kept::Median] {
        assert_eq!(after(kept, &[interrupted(300.0)]), None);
        assert_eq!(after(kept, &[whole(100.0), interrupted(300.0)]), Some(1.0));
    }
}

#[test]
fn a_median_comes_up_from_nothing_and_stays_at_what_is_always_the_same() {
    assert_eq!(after(Kept::Median, &[whole(0.0), whole(64.0)]), Some(0.64));
    assert_eq!(after(Kept::Median, &[whole(64.0), whole(64.0), whole(65.0), whole(64.0)]), Some(0.64));
}

#[test]
fn what_was_never_seen_costs_what_a_byte_costs_in_general() {
    let mut costs = CostPerByte::new(Kept::worst());
    assert_eq!(costs.estimate([7, 8], 100, 250.0), 250.0, "as told");
    costs.learn_job(&[1], [], whole(400.0));
    costs.learn_job(&[2], [(2, 800.0)], whole(800.0));
    costs.learn_job(&[2], [], interrupted(100.0));
    assert_eq!(costs.estimate([7], 100, 250.0), 600.0);
    assert_eq!(costs.estimate([7, 1], 100, 250.0), 700.0, "a half of 6 per byte, and 4");
    assert_eq!(costs.start(50.0).estimate([7, 1], 100, 250.0), 5_400.0);
}

#[test]
fn features_share_a_cost_in_proportion_to_what_they_were_thought_to_cost() {
    let mut costs = CostPerByte::new(Kept::worst());
    costs.learn_job(&[1], [], whole(300.0));
    costs.learn_job(&[2], [], whole(100.0));
    costs.learn_job(&[1, 2], [], whole(4_000.0));
    assert_eq!((costs.per_byte(1), costs.per_byte(2)), (Some(30.0), Some(10.0)));
    let mut costs = CostPerByte::new(Kept::worst()).start(0.0);
    costs.learn_job(&[1, 2], [], whole(400.0));
    assert_eq!((costs.per_byte(1), costs.per_byte(2)), (Some(2.0), Some(2.0)), "nothing was thought of either");
}

#[test]
fn a_job_without_features_is_learnt_from_as_well() {
    let mut costs = CostPerByte::new(Kept::worst());
    costs.learn_job(&[], [], whole(400.0));
    costs.learn_job(&[1], [], whole(1_000.0));
    assert_eq!(costs.estimate([], 100, 0.0), 400.0);
}

#[test]
fn a_table_has_an_end() {
    let mut costs = CostPerByte::new(Kept::worst()).most_features(2);
    for feature in [3, 4, 5, 3] {
        costs.learn(feature, whole(f64::from(feature) * 100.0));
    }
    assert_eq!([3, 4, 5].map(|feature| costs.per_byte(feature)), [Some(3.0), Some(4.0), None]);
}
