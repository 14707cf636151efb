//! Why programs with one version reject a policy.

use crate::Refusal;
use forebay_lang::Policy;

/// Returns a reason for rejection if a policy chooses among versions: a program has one version, or drains another without packets choosing
/// it.
pub(crate) fn refused(policy: &Policy) -> Option<Refusal> {
    policy.policy_id.as_ref().map(|_| Refusal {
        construct: "policyId".to_owned(),
        reason: "chooses among several versions of the policy, and this program has only one; leave it out here, or \
                 change the policy in a scenario (`changes`)"
            .to_owned(),
    })
}
