//! The target `p4`: the policy for a switch that has only strict-priority queues, as P4_16 and for DPDK's pipeline.
//!
//! A policy with one queue runs by SP-PIFO (Alcoz, Dietmueller, Vanbever, NSDI'20), which approximates its order; several FIFO
//! queues in a fixed order are the switch's own.

use crate::TargetOption;
use crate::option::{ARCH, FIELD, QUEUES, RANK, RANK_BITS, RESUBMIT, STAGES};
use crate::{Files, Refusal, Target, TargetOptions, p4};
use forebay_core::{About, Exactness};
use forebay_lang::Policy;

/// The registry's entry.
pub const ENTRY: &'static dyn Target = &StrictPriorityQueues;

/// The target `p4`.
struct StrictPriorityQueues;

const ABOUT: About = About {
    name: "p4",
    title: "The policy as P4_16 for switches with strict-priority queues, and for DPDK's pipeline",
    exactness: Exactness::Approximate,
    hardware: "strict-priority queues, and one register for each queue at each port",
    cost: "one register access for each queue examined; all at an inversion, which takes a second pass on hardware",
    source: "Alcoz, Dietmueller, Vanbever: SP-PIFO, NSDI'20, sections 2 and 5",
    params: &[],
};

impl Target for StrictPriorityQueues {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn options(&self) -> &'static [TargetOption] {
        &[FIELD, QUEUES, RESUBMIT, RANK_BITS, RANK, STAGES, ARCH]
    }

    fn check(&self, policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
        p4::check(policy, options)
    }

    fn emit(&self, policy: &Policy, options: &TargetOptions) -> Result<Files, Vec<Refusal>> {
        p4::emit(policy, options)
    }

    fn notes(&self, policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
        p4::notes(policy, options)
    }
}
