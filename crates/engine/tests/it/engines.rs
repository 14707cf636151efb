//! Every engine, for tests that all must pass.

use forebay_core::Seed;
use forebay_engine::{Engine, Fast, Options, Reference};
use forebay_lang::Policy;

/// The engines, with their names, for a policy.
pub(crate) fn engines(policy: &Policy) -> Vec<(&'static str, Box<dyn Engine>)> {
    let options = Options { policy_id: 1, seed: Seed(1) };
    vec![
        ("reference", Box::new(Reference::new(policy, options))),
        ("fast", Fast::new(policy, options).unwrap().into_engine()),
    ]
}
