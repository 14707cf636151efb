//! The fast engine is equal to the reference.

use crate::same::same;
use forebay_engine::{Fast, Options, Reference};
use forebay_lang::ir::{Comparator, Policy};

fn fast(policy: &Policy, options: Options) -> Fast {
    Fast::new(policy, options).expect("random policies are checked ones")
}

/// The policy with comparators that do not say that they are lists of keys.
fn without_keys(policy: &Policy) -> Policy {
    let mut policy = policy.clone();
    let strip = |comparator: &mut Comparator| comparator.keys = None;
    for queue in &mut policy.queues {
        strip(&mut queue.processing);
        strip(&mut queue.admission);
    }
    policy.ports.iter_mut().for_each(|port| strip(&mut port.scheduling));
    policy.buffers.iter_mut().for_each(|buffer| strip(&mut buffer.admission));
    policy
}

#[test]
fn under_random_policies_and_traffic() {
    for seed in 0..3_000 {
        same(Reference::new, fast, seed, 120);
    }
}

#[test]
fn without_keys_too() {
    for seed in 0..600 {
        same(Reference::new, |policy, options| fast(&without_keys(policy), options), seed, 120);
    }
}
