//! The actions that a program implements, as C functions that the user writes and links.

use super::writer::Writer;
use crate::Refusal;
use forebay_lang::Policy;
use forebay_lang::ir::Routine;

/// Returns the name of an action's function.
pub(super) fn function(routine: &Routine) -> String {
    format!("oq_user_{}", routine.name)
}

/// Returns the text of `oq_routines.h`, with the prototypes of the user's functions.
pub(super) fn prototypes(policy: &Policy) -> String {
    let mut out = Writer::default();
    out.line("#include \"oq_base.h\"");
    out.line("#include \"oq_interface.h\"");
    out.line("");
    out.comment(
        "Written by the user of the policy, and linked with its program. `packet` is the packet that arrives, or that was served.\n\
         Numbers are in units of 1/65,536. A function must not wait.",
    );
    for routine in &policy.routines {
        let numbers = routine.arguments.iter().map(|name| format!(", oq_i64 /* {} */", name.replace("*/", "")));
        let numbers: String = numbers.collect();
        out.line(&format!("void {}(const struct oq_fields *packet{numbers});", function(routine)));
    }
    out.header("The actions that the policy declares.", "OQ_ROUTINES_H")
}

/// Returns the actions whose names are not valid in C.
pub(super) fn without_name(policy: &Policy) -> impl Iterator<Item = Refusal> + '_ {
    let foreign = policy.routines.iter().filter(|routine| !routine.name.is_ascii());
    foreign.map(|routine| Refusal {
        construct: format!("action {}", routine.name),
        reason: "has letters that names of C functions do not have; use A to Z, digits and `_`".to_owned(),
    })
}

/// Returns a reason for rejection if a policy declares actions and the program cannot have any.
pub(crate) fn refused(policy: &Policy, why: &str) -> Vec<Refusal> {
    let all = policy.routines.iter();
    all.map(|routine| Refusal {
        construct: format!("action {}", routine.name),
        reason: format!("needs a function of your own, and {why}; the targets c and dpdk link one"),
    })
    .collect()
}
