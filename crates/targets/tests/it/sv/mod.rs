//! The target `sv`: what it rejects, what it makes, and that Verilator accepts it.

mod lint;
mod made_test_bench;
mod random;
mod rejections;
mod tools;

use forebay_lang::{Overrides, Policy, analyse};

/// A policy in a text.
pub(crate) fn policy(text: &str) -> Policy {
    let analysis = analyse(text, &Overrides::new());
    analysis.policy.unwrap_or_else(|| panic!("{text}: {:?}", analysis.diagnostics))
}
