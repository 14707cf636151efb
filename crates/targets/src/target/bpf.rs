//! The target `bpf`: the policy as programs for Linux's queueing disciplines, from kernel 6.16.
//!
//! `qdisc.bpf.c` is a queueing discipline that stores a device's packets, and is the same for all policies. `policy.bpf.c` is the policy,
//! which the discipline calls. `docs/targets/bpf.md` describes how they are built, loaded and replaced.

use crate::TargetOption;
use crate::digest::digest;
use crate::headers::{Field, Mapping, Part};
use crate::option::{FIELD, SLOTS, SMALLEST_PACKET};
use crate::{File, Files, Refusal, Target, TargetOptions, c, verifier};
use forebay_core::{About, Exactness};
use forebay_lang::Policy;
use forebay_lang::ir::{Action, Read, State};

/// The registry's entry.
pub const ENTRY: &'static dyn Target = &Bpf;

/// The target `bpf`.
struct Bpf;

const ABOUT: About = About {
    name: "bpf",
    title: "The policy as a queueing discipline of Linux, in BPF",
    exactness: Exactness::NotApplicable,
    hardware: "Linux 6.16 or later with CONFIG_NET_SCH_BPF; clang 19 to build it",
    cost: "heaps: O(log n) for each packet; O(queues) to choose a queue",
    source: "Kogan et al., ToN 2020, IV-D and IV-E",
    params: &[],
};

/// The number of ports whose rates the discipline stores (`OQ_MOST_PORTS`).
const MOST_PORTS: usize = 64;

/// The number of packet slots of the discipline (`OQ_MOST_HELD`).
const MOST_PACKETS: u32 = 1 << 16;

impl Target for Bpf {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn options(&self) -> &'static [TargetOption] {
        &[FIELD, SMALLEST_PACKET, SLOTS]
    }

    fn check(&self, policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
        let mut refusals = c::check(policy, &limited(options));
        if policy.ports.len() > MOST_PORTS {
            refusals.push(Refusal {
                construct: format!("port {}", policy.ports[MOST_PORTS].name),
                reason: format!("a device can have {MOST_PORTS} ports"),
            });
        }
        refusals.extend(c::routines::refused(policy, "a kernel verifies one whole program"));
        let unsaid = options.mapping.unsaid(policy);
        refusals.extend(
            unsaid
                .iter()
                .map(|unsaid| Refusal { construct: format!("packet.{}", unsaid.0.name()), reason: unsaid.to_string() }),
        );
        if let Some(field) = options.mapping.from_egress(policy) {
            refusals.push(Refusal {
                construct: format!("packet.{}", field.name()),
                reason: "it comes from `egress`, and a device is a single port; give it another source".to_owned(),
            });
        }
        refusals
    }

    fn emit(&self, policy: &Policy, options: &TargetOptions) -> Result<Files, Vec<Refusal>> {
        let refusals = self.check(policy, options);
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let mut options = limited(options);
        options.mapping = options.mapping.only_read_by(policy);
        let mut files = c::core(policy, &options)?;
        files.push(File { name: "oq_reads.h", text: reads(policy, &options.mapping) });
        let fixed = [
            ("oq_kernel.h", include_str!("../bpf/kernel.h")),
            ("oq_shared.h", include_str!("../bpf/shared.h")),
            ("oq_names.h", include_str!("../bpf/names.h")),
            ("oq_older.h", include_str!("../bpf/older.h")),
            ("oq_discipline.h", include_str!("../bpf/discipline.h")),
            ("oq_places.h", include_str!("../bpf/places.h")),
            ("oq_notifier.h", include_str!("../bpf/notifier.h")),
            ("oq_pace.h", include_str!("../bpf/pace.h")),
            ("qdisc.bpf.c", include_str!("../bpf/qdisc.bpf.c")),
            ("policy.bpf.c", include_str!("../bpf/policy.bpf.c")),
            ("Makefile", include_str!("../bpf/Makefile")),
        ];
        files.extend(c::fixed_files(&fixed, policy));
        Ok(files)
    }

    fn notes(&self, policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
        let does = |wanted: &Action| policy.acts(|action| action == wanted);
        let all = [
            (
                "now",
                reads_now(policy),
                "starts at 0 with the policy, and stops after 39 hours; deploy the policy again before then",
            ),
            ("mark", does(&Action::Mark), "is counted, and not written into packets"),
            ("notify", does(&Action::Notify), "is written into the flow's next arriving packet that can carry it"),
        ];
        let noted = all.into_iter().filter(|(_, is_so, _)| *is_so);
        noted
            .map(|(construct, _, reason)| Refusal { construct: construct.to_owned(), reason: reason.to_owned() })
            .chain(verifier::note(policy, &limited(options)))
            .collect()
    }
}

/// Whether the policy reads the time.
fn reads_now(policy: &Policy) -> bool {
    let mut reads_now = false;
    policy.reads(&mut |read| reads_now |= read == Read::Now);
    reads_now
}

/// Whether the policy keeps no state of departed packets, and reads the time only from its packets. Then its time may
/// restart whenever no packet waits.
fn forgets(policy: &Policy) -> bool {
    !reads_now(policy)
        && !policy.acts(|action| matches!(action, Action::Modify(state, _) if !matches!(state, State::HeadValue(_) | State::ArrivingValue)))
}

/// Returns the options, limited by the slots of the discipline.
fn limited(options: &TargetOptions) -> TargetOptions {
    TargetOptions { most_slots: options.most_slots.min(MOST_PACKETS), ..*options }
}

/// Returns the text of `oq_reads.h`, which says what the programs read of packets.
fn reads(policy: &Policy, mapping: &Mapping) -> String {
    let sources = || Field::ALL.into_iter().filter_map(|field| mapping.source(field));
    let in_headers = |part: Part| !matches!(part, Part::Number(_) | Part::Priority | Part::Mark | Part::Egress);
    // Of packets that are marked, those that have a mark already must be known.
    let head = policy.marks() || policy.reads_marks() || sources().any(|source| in_headers(source.part));
    let fields = head || sources().next().is_some();
    format!(
        "/*\n * What of packets must be looked at: their headers, and anything but their size; whether the policy notifies,\n\
         \x20* and remembers nothing of packets that are gone; and which policy it is.\n */\n#ifndef OQ_READS_H\n\
         #define OQ_READS_H\n\n#define OQ_READS_HEAD {}\n#define OQ_READS_FIELDS {}\n#define OQ_NOTIFIES {}\n\
         #define OQ_FORGETS {}\n#define OQ_DIGEST {:#x}ull\n\n#endif\n",
        u8::from(head),
        u8::from(fields),
        u8::from(policy.acts(|action| matches!(action, Action::Notify))),
        u8::from(forgets(policy)),
        digest(policy)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(text: &str) -> Policy {
        forebay_lang::analyse(text, &forebay_lang::Overrides::default()).policy.expect("a policy of the repository")
    }

    #[test]
    fn of_policies_that_read_the_time_it_is_said_how_long_it_lasts() {
        let notes = |text: &str| ENTRY.notes(&policy(text), &TargetOptions::default());
        let (edf, bucket) =
            (include_str!("../../../../policies/edf.oq"), include_str!("../../../../policies/token-bucket.oq"));
        assert!(forgets(&policy(edf)) && !forgets(&policy(bucket)));
        assert_eq!(notes(edf), []);
        assert_eq!(notes(bucket)[0].construct, "now");
    }
}
