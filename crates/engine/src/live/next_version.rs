//! A version of a policy that is built before it replaces another one.

use super::Live;
use super::version::Version;
use crate::traits::{Engine, EngineOptions};
use forebay_lang::ir::Policy;
use std::sync::Arc;

/// The next version of a policy: its engine and the names of its parts. A separate thread may build it while packets pass under the current
/// version.
pub struct Next<E>(Version<E>);

impl<E: Engine> Next<E> {
    /// Builds a version with the options from [`Live::next_options`](super::Live::next_options).
    pub fn new(policy: Arc<Policy>, options: EngineOptions, build: impl Fn(&Policy, EngineOptions) -> E) -> Self {
        let engine = build(&policy, options);
        Self(Version::new(options.policy_id, policy, engine))
    }

    /// Returns the number of the version.
    pub fn number(&self) -> u32 {
        self.0.number
    }

    /// Returns the policy.
    pub fn policy(&self) -> &Arc<Policy> {
        &self.0.policy
    }

    pub(super) fn into_version(self) -> Version<E> {
        self.0
    }
}

impl<E: Engine> Live<E> {
    /// Forgets changes whose packets have all departed, so that the memory of a policy that is changed for ever stays bounded.
    pub fn forget_transitions(&mut self) {
        let ended = self.transitions.iter().take_while(|record| record.done.is_some()).count();
        self.transitions.drain(..ended);
        self.forgotten += ended;
    }
}
