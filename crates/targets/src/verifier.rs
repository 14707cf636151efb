//! Estimates the work of the kernel's verifier for a policy.

use crate::{Refusal, TargetOptions, c};
use forebay_lang::Policy;

/// The generated files that determine the estimate; the files that are the same for all policies make the fixed part.
const MADE: [&str; 3] = ["oq_orders.h", "oq_rules.h", "oq_fields.h"];

/// The estimate from which on there is a note: 151,000 instructions took a busy machine 14 s.
const NOTED: u64 = 100_000;

/// Estimates how many instructions the kernel's verifier checks in the largest program of a policy; 0 if there is no program.
///
/// Fitted to the instructions that Linux 6.18 checked, within a factor of 3 of each measurement. The policies were those of the
/// repository, and others with up to 256 queues and 1,024 different cases in all. `crates/linux/tests/it/verified.rs` measures
/// it again.
#[must_use]
pub fn verified_instructions(policy: &Policy, options: &TargetOptions) -> u64 {
    const FIXED: u64 = 3_500;
    const BYTES_FOR_AN_INSTRUCTION: u64 = 5;
    let files = c::core(policy, options).unwrap_or_default();
    let bytes: usize = files.iter().filter(|file| MADE.contains(&file.name)).map(|file| file.text.len()).sum();
    if files.is_empty() { 0 } else { FIXED + bytes as u64 / BYTES_FOR_AN_INSTRUCTION }
}

/// Returns a note on a policy that the kernel needs long to load.
pub(crate) fn note(policy: &Policy, options: &TargetOptions) -> Option<Refusal> {
    let checked = verified_instructions(policy, options);
    (checked > NOTED).then(|| Refusal {
        construct: "the policy".to_owned(),
        reason: format!(
            "makes the kernel check about {checked} instructions when it is loaded (estimated within a factor of 3; \
             the kernel rejects 1000000, and forebay stops after 60 s); objects with equal conditions share code"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TARGETS;

    /// Returns a policy whose queues each have as many cases of their own, all different.
    fn different(queues: usize, cases: usize) -> Policy {
        let of_queue = |queue: usize| {
            let case = |case: usize| {
                format!("(q{queue}.currSize > {case} && q{queue}.admState < {}, drop(1/2))", case + queue)
            };
            format!("q{queue}.congestion = {};\n", (0..cases).map(case).collect::<Vec<_>>().join("."))
        };
        let rules: String = (1..=queues).map(of_queue).collect();
        let text = format!(
            "q[1..{queues}] = Queue(16 pkts);\nout = Port(100, q[1..{queues}]);\nclassify(p) = (true, enter(q[min(p.class, 3) + 1]));\n{rules}"
        );
        forebay_lang::analyse(&text, &Vec::new()).policy.expect("a policy of this test")
    }

    #[test]
    fn large_policies_are_noted_and_larger_ones_refused_with_their_size() {
        let of = |name: &str| TARGETS.iter().find(|target| target.about().name == name).expect("a target");
        let options = TargetOptions::default();
        let (small, large, huge) = (different(4, 2), different(128, 8), different(256, 16));
        assert_eq!(of("bpf").notes(&small, &options), []);
        let said = of("bpf").notes(&large, &options).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(said.len() == 1 && said[0].starts_with("the policy: makes the kernel check about 1"), "{said:?}");
        assert!(of("bpf").check(&large, &options).is_empty() && of("bpf").emit(&large, &options).is_ok());
        for name in ["c", "bpf", "dpdk"] {
            let refused = of(name).check(&huge, &options);
            assert_eq!(of(name).emit(&huge, &options).unwrap_err(), refused, "{name}");
            let (bytes, limit) = refused[0].reason.split_once(" bytes of code, more than 1000000;").expect("the limit");
            assert!(bytes.starts_with("makes ") && !limit.is_empty(), "{name}: {refused:?}");
        }
    }
}
