//! Ten thousand changes under traffic on the fast engine.

use crate::many_changes::{changes_keep_the_rules, changes_lose_nothing};
use forebay_engine::{EngineOptions, Fast};
use forebay_lang::Policy;

fn fast(policy: &Policy, options: EngineOptions) -> Fast {
    Fast::new(policy, options).unwrap()
}

#[test]
fn ten_thousand_changes_keep_the_rules() {
    changes_keep_the_rules(fast, 1, 10_000);
}

#[test]
fn ten_thousand_changes_of_any_policy_lose_nothing() {
    changes_lose_nothing(fast, 1, 10_000);
}
