//! The size limit of a target's files.

use crate::{File, Refusal};

/// The most bytes of code. A policy that generates more is rejected, since compilers need minutes and gigabytes for it (docs/targets.md).
pub(crate) const MOST_BYTES: usize = 1_000_000;

/// Returns a reason for rejection if the files are too large together.
pub(crate) fn refused<'a>(made: impl IntoIterator<Item = &'a File>) -> Option<Refusal> {
    let bytes: usize = made.into_iter().map(|file| file.text.len()).sum();
    (bytes > MOST_BYTES).then(|| Refusal {
        construct: "the policy".to_owned(),
        reason: format!(
            "makes {bytes} bytes of code, more than {MOST_BYTES}; objects with equal conditions and orders share \
             code, so define these once, with parameters such as `full(q)`, or use fewer cases or queues"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TARGETS, Target, TargetOptions, sv};
    use forebay_lang::Policy;

    /// Queues in a fixed order, which packets enter by a classifier.
    fn classified(queues: usize, cases: usize) -> Policy {
        let states: String = (1..=queues).map(|queue| format!("q{queue}.admState = {queue};\n")).collect();
        let case = |case: usize| format!("(p.rank > {}, enter(q[min(p.class, {}) + 1])).", 3 * case, queues - 1);
        let cases: String = (1..=cases).rev().map(case).collect();
        policy(&format!(
            "q[1..{queues}] = Queue(16 pkts);\nout = Port(100, q[1..{queues}]);\n{states}\
             out.schedPrio(a, b) = (a.admState < b.admState);\nclassify(p) = {cases}(true, enter(q1));\n"
        ))
    }

    /// Queues of which each has cases of its own.
    fn conditional(queues: usize, cases: usize) -> Policy {
        let of_queue = |queue: usize| {
            let case = |case: usize| format!("(q{queue}.currSize > {}, drop(1/{}))", case % 16, case + queue + 1);
            format!("q{queue}.congestion = {};\n", (0..cases).map(case).collect::<Vec<_>>().join("."))
        };
        let rules: String = (1..=queues).map(of_queue).collect();
        policy(&format!(
            "q[1..{queues}] = Queue(16 pkts);\nout = Port(100, q[1..{queues}]);\n\
             out.schedPrio(a, b) = (a.currSize < b.currSize);\nclassify(p) = (true, enter(q[min(p.class, {}) + 1]));\n{rules}",
            queues - 1
        ))
    }

    fn policy(text: &str) -> Policy {
        forebay_lang::analyse(text, &Vec::new()).policy.expect("a policy of this test")
    }

    fn target(name: &str) -> &'static dyn Target {
        *TARGETS.iter().find(|target| target.about().name == name).expect("a target")
    }

    fn options() -> TargetOptions {
        let mut options = TargetOptions::default();
        for setting in ["class=dscp", "rank=udp[8:4]"] {
            let (field, source) = crate::headers::Mapping::read_setting(setting).expect("a mapping");
            options.mapping.set(field, source);
        }
        options
    }

    /// The bytes of all files.
    fn bytes(name: &str, policy: &Policy) -> usize {
        let files = target(name).emit(policy, &options()).expect("it is small enough");
        files.iter().map(|file| file.text.len()).sum()
    }

    fn refusal(name: &str, policy: &Policy) -> String {
        let refused = target(name).check(policy, &options());
        assert_eq!(target(name).emit(policy, &options()).err().unwrap_or_default(), refused, "{name}");
        refused.iter().map(ToString::to_string).collect()
    }

    /// Whether a text says how large the code is, and the limit.
    fn says_sizes(refusal: &str) -> bool {
        let sizes =
            refusal.strip_prefix("the policy: makes ").and_then(|rest| rest.split_once(" bytes of code, more than "));
        sizes.is_some_and(|(bytes, rest)| {
            bytes.parse::<usize>().is_ok_and(|bytes| bytes > MOST_BYTES) && rest.starts_with("1000000; ")
        })
    }

    #[test]
    fn hardware_grows_linearly_and_is_refused_beyond_the_limit_with_its_size() {
        let of = |cases| bytes("sv", &conditional(64, cases));
        let (one, two, four) = (of(4), of(8), of(16));
        // Four cases more of each of 64 queues, then eight more.
        assert!((64 * 4 * 200..64 * 4 * 600).contains(&(two - one)), "{one} {two} {four}");
        assert!((four - two) < (two - one) * 2 * 11 / 10, "{one} {two} {four}");
        let huge = refusal("sv", &conditional(64, 64));
        assert!(says_sizes(&huge), "{huge}");
    }

    #[test]
    fn two_policies_in_one_hardware_are_limited_together() {
        let large = conditional(64, 32);
        let options = options();
        assert_eq!(target("sv").check(&large, &options), []);
        let refused = sv::check_pair([&large, &large], &options);
        assert!(refused.len() == 1 && says_sizes(&refused[0].to_string()), "{refused:?}");
        assert_eq!(sv::emit_pair([&large, &large], &options).unwrap_err(), refused);
    }

    #[test]
    fn programs_for_switches_grow_linearly_and_are_refused_beyond_the_limit_with_their_size() {
        let of = |cases| bytes("p4", &classified(64, cases));
        let (one, two, four) = (of(4), of(8), of(16));
        assert!((64 * 4 * 100..64 * 4 * 400).contains(&(two - one)), "{one} {two} {four}");
        assert!((four - two) < (two - one) * 2 * 11 / 10, "{one} {two} {four}");
        let huge = refusal("p4", &classified(64, 120));
        assert!(says_sizes(&huge), "{huge}");
    }

    #[test]
    fn a_switch_has_as_many_queues_as_the_number_of_a_queue_has_room_for() {
        assert_eq!(target("p4").check(&classified(256, 1), &options()), []);
        assert_eq!(
            refusal("p4", &classified(257, 1)),
            "queue q257: is one too many; the program numbers queues in 8 bits, so it has room for 256"
        );
    }
}
