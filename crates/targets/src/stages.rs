//! Why programs with one stage of buffers reject a policy.

use crate::Refusal;
use forebay_lang::Policy;

/// That a port of a policy leads into queues of a later stage, if one does: a program's packets leave when a port has served them.
pub fn refused(policy: &Policy) -> Option<Refusal> {
    let port = policy.ports.iter().find(|port| port.next.is_some())?;
    Some(Refusal {
        construct: format!("port {}, next", port.name),
        reason: "leads into queues of a later stage, and in a program, packets depart from every port; leave out \
                 `next`, or run the policy in a scenario with [port]"
            .to_owned(),
    })
}
