//! Why programs with one stage of buffers reject a policy.

use crate::Refusal;
use forebay_lang::Policy;

/// Returns a reason for rejection if a port of the policy leads to queues of a later stage: a program's packets leave after one port has
/// served them.
pub fn refused(policy: &Policy) -> Option<Refusal> {
    let port = policy.ports.iter().find(|port| port.next.is_some())?;
    Some(Refusal {
        construct: format!("port {}, next", port.name),
        reason: "leads into queues of a later stage, and in a program, packets depart from every port; leave out \
                 `next`, or run the policy in a scenario with [port]"
            .to_owned(),
    })
}
