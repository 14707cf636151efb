//! Why programs with one version reject a policy.

use crate::Refusal;
use forebay_lang::Policy;

/// That a policy chooses among versions, if it does: a program has one, or drains another without being asked by packets.
pub(crate) fn refused(policy: &Policy) -> Option<Refusal> {
    policy.policy_id.as_ref().map(|_| Refusal {
        construct: "policyId".to_owned(),
        reason: "chooses among several versions of the policy, and this program has only one; leave it out here, or \
                 change the policy in a scenario (`changes`)"
            .to_owned(),
    })
}
