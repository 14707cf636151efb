//! The target `sv`: the policy as synthesisable SystemVerilog.
//!
//! `docs/targets/sv.md` describes the generated hardware, and what the target rejects. The files that are the same for all policies are in
//! `rtl/`.

use crate::TargetOption;
use crate::option::{BITS, ID_BITS, QUEUE, RANK_BITS, REPLACE_BY, SLOTS, SMALLEST_PACKET, TRIAL_SEED};
use crate::{Files, Refusal, Target, TargetOptions, sv};
use forebay_core::{About, Exactness};
use forebay_lang::Policy;

/// The registry's entry.
pub const ENTRY: &'static dyn Target = &Hardware;

/// The target `sv`.
struct Hardware;

const ABOUT: About = About {
    name: "sv",
    title: "The policy as synthesisable SystemVerilog, with a test bench",
    exactness: Exactness::NotApplicable,
    hardware: "an FPGA or a chip; Verilator and cocotb for the test bench",
    cost: "one operation a cycle, and one more cycle for each condition that holds, action and victim",
    source: "Kogan et al., ToN 2020, IV-D; Atre et al., BBQ, NSDI'24",
    params: &[],
};

impl Target for Hardware {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn options(&self) -> &'static [TargetOption] {
        &[SMALLEST_PACKET, SLOTS, RANK_BITS, BITS, QUEUE, ID_BITS, TRIAL_SEED, REPLACE_BY]
    }

    fn check(&self, policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
        sv::check(policy, options)
    }

    fn emit(&self, policy: &Policy, options: &TargetOptions) -> Result<Files, Vec<Refusal>> {
        sv::emit(policy, options)
    }

    fn notes(&self, policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
        sv::notes(policy, options)
    }
}
