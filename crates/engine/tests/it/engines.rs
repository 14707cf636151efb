//! Every engine, for tests that all must pass.

use forebay_core::Seed;
use forebay_engine::{Engine, EngineOptions, Fast, Reference};
use forebay_lang::Policy;

/// The engines, with their names, for a policy.
pub(crate) fn engines(policy: &Policy) -> Vec<(&'static str, Box<dyn Engine>)> {
    let options = EngineOptions { policy_id: 1, seed: Seed(1) };
    vec![
        ("reference", Box::new(Reference::new(policy, options))),
        ("fast", Fast::new(policy, options).unwrap().into_engine()),
    ]
}
