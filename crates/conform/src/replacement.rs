//! Two policies that replace each other while packets wait, as in hardware of two policies.

use forebay_core::{Seed, Time};
use forebay_engine::drop_trial::SharedTrials;
use forebay_engine::{Live, Reference, Transition};
use forebay_lang::Policy;

/// The reference engine under change (`docs/openqueue-semantics.md`, 8, drain), with three rules of hardware (`docs/targets/sv.md`). A
/// replacement is rejected while packets of the last one drain. A replacement by the policy in force does nothing. The trials of a policy
/// continue when it is in force again.
pub struct Replaced<'a> {
    policies: [&'a Policy; 2],
    pub(crate) live: Live<Reference>,
    in_force: usize,
}

impl<'a> Replaced<'a> {
    /// Creates the pair with the first policy in force.
    #[must_use]
    pub fn new(policies: [&'a Policy; 2], seed: Seed) -> Self {
        // The first two versions draw what those of the engines draw.
        let trials = [seed, seed.part("version/2")].map(SharedTrials::new);
        let build = move |policy: &Policy, options: forebay_engine::EngineOptions| {
            let whose = usize::from(options.policy_id.is_multiple_of(2));
            Reference::with_trials(policy, options.policy_id, trials[whose].clone())
        };
        Self { policies, live: Live::new(build, policies[0].clone(), seed), in_force: 0 }
    }

    /// Replaces the policy. Returns whether that was done, or there was nothing to do.
    pub(crate) fn by(&mut self, now: Time, policy: usize) -> bool {
        if policy == self.in_force {
            return true;
        }
        let drains = self.live.transitions().last().is_some_and(|last| last.done.is_none());
        let Some(next) = self.policies.get(policy).filter(|_| !drains) else { return false };
        let changed = self.live.change(now, (*next).clone(), Transition::Drain).is_ok();
        if changed {
            self.in_force = policy;
        }
        changed
    }
}
