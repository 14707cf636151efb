//! How much a target may write.

use crate::{File, Refusal};

/// More than so many bytes are refused, since compilers need minutes and gigabytes for them (docs/targets.md).
pub(crate) const MOST_BYTES: usize = 1_000_000;

/// What is refused if files that were made for a policy are too large together.
pub(crate) fn refused(made: &[File]) -> Option<Refusal> {
    let bytes: usize = made.iter().map(|file| file.text.len()).sum();
    (bytes > MOST_BYTES).then(|| Refusal {
        construct: "the policy".to_owned(),
        reason: format!(
            "makes {bytes} bytes of code, more than {MOST_BYTES}; objects whose conditions and orders are equal share their code, so define \
             them once, with parameters such as `full(q)`, or have fewer cases or queues"
        ),
    })
}
