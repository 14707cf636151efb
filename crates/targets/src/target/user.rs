//! The target `c`: the policy in portable C, with a program that plays operations from its standard input.
//!
//! The program shows how to host the core, and lets tests compare it with the engines. Its format is at the head of `src/c/play.h`.

use crate::TargetOption;
use crate::option::{FIELD, SLOTS, SMALLEST_PACKET};
use crate::{Files, Refusal, Target, TargetOptions, c};
use forebay_core::{About, Exactness};
use forebay_lang::Policy;

/// The registry's entry.
pub const ENTRY: &'static dyn Target = &User;

/// The target `c`.
struct User;

const ABOUT: About = About {
    name: "c",
    title: "The policy in portable C, with a program that plays operations",
    exactness: Exactness::NotApplicable,
    hardware: "any system with a C11 compiler; no library, no floating point, no memory but static arrays",
    cost: "heaps: O(log n) for each packet; O(queues) to choose a queue",
    source: "docs/openqueue-semantics.md",
    params: &[],
};

impl Target for User {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn options(&self) -> &'static [TargetOption] {
        &[FIELD, SMALLEST_PACKET, SLOTS]
    }

    fn check(&self, policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
        c::check(policy, options)
    }

    fn emit(&self, policy: &Policy, options: &TargetOptions) -> Result<Files, Vec<Refusal>> {
        let mut files = c::core(policy, options)?;
        files.extend(c::versions(policy));
        let hosts = [
            ("oq_play.h", include_str!("../c/play.h")),
            ("main.c", include_str!("../c/main.c")),
            ("live.c", include_str!("../c/live.c")),
        ];
        files.extend(c::fixed_files(&hosts, policy));
        Ok(files)
    }
}
