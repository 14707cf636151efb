//! Random policies of everything that the language has do the same as C.

use crate::program::can_compile;
use crate::random_policy::random_policy;
use crate::same::same;
use crate::traffic::{Kind, operations};
use forebay_core::Seed;
use forebay_engine::Reference;
use forebay_lang::ir::{Comparator, Policy};

#[test]
fn random_policies_do_the_same_as_c() {
    if !can_compile() {
        return;
    }
    for seed in 0..100 {
        let mut policy = random_policy(&mut Seed(seed).stream("policies"));
        if seed % 4 == 0 {
            without_keys(&mut policy);
        }
        let traffic = operations(&policy, Seed(seed).stream("traffic"), Kind::Extreme, 400);
        same(Reference::new, &policy, &traffic, &format!("seed {seed}"));
    }
}

/// Comparators no longer say that they are lists of keys.
fn without_keys(policy: &mut Policy) {
    let strip = |comparator: &mut Comparator| comparator.keys = None;
    for queue in &mut policy.queues {
        strip(&mut queue.processing);
        strip(&mut queue.admission);
    }
    policy.ports.iter_mut().for_each(|port| strip(&mut port.scheduling));
    policy.buffers.iter_mut().filter_map(|buffer| buffer.admission.as_mut()).for_each(strip);
}
