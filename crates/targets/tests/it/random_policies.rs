//! Random policies of everything that the language has do the same as C.

use crate::live_policy::live;
use crate::program::can_compile;
use crate::random_policy::{random_policy, without_keys};
use crate::same::same;
use crate::traffic::{Kind, operations};
use forebay_core::Seed;
use forebay_engine::Reference;

/// How many policies: all of them with `FOREBAY_LONG` set, as `make test-long` does, otherwise the first fifth.
fn seeds(all: u64) -> std::ops::Range<u64> {
    0..if std::env::var_os("FOREBAY_LONG").is_some() { all } else { all / 5 }
}

#[test]
fn random_policies_with_live_parameters_do_the_same_as_c() {
    if !can_compile() {
        return;
    }
    for seed in seeds(60) {
        let rng = &mut Seed(seed).stream("policies");
        let policy = live(random_policy(rng), rng);
        let traffic = operations(&policy, Seed(seed).stream("traffic"), Kind::Extreme, 400);
        same(Reference::new, &policy, &traffic, &format!("seed {seed}"));
    }
}

#[test]
fn random_policies_do_the_same_as_c() {
    if !can_compile() {
        return;
    }
    for seed in seeds(100) {
        let mut policy = random_policy(&mut Seed(seed).stream("policies"));
        if seed % 4 == 0 {
            policy = without_keys(&policy);
        }
        let traffic = operations(&policy, Seed(seed).stream("traffic"), Kind::Extreme, 400);
        same(Reference::new, &policy, &traffic, &format!("seed {seed}"));
    }
}
