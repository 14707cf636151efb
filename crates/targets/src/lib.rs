//! OpenQueue policies as programs for real datapaths.
//!
//! A [`Target`] turns a checked policy into files that are compiled elsewhere. The compiled policy behaves as
//! `docs/openqueue-semantics.md` says, packet by packet, as the engines do. A target rejects a policy that it cannot
//! express, and names the construct and the reason. The files in `src/target/` are the targets. `src/c/` makes the C that
//! the targets in C share. `src/bpf/` has the rest of programs for Linux, `src/dpdk/` the rest of one for DPDK. `src/p4/`
//! makes programs for switches with strict-priority queues.

mod c;
mod digest;
pub mod headers;
mod names;
pub mod option;
mod p4;
mod size;
pub mod stages;
pub mod sv;

mod chosen_version;
#[path = "target/registry.rs"]
pub mod target;
mod verifier;

pub use digest::digest;
pub use option::TargetOption;
pub use p4::{Ranks, SwitchRank, served_in_order};
pub use target::TARGETS;
pub use verifier::verified_instructions;

use forebay_core::About;
use forebay_core::registry::Named;
use forebay_lang::Policy;
use headers::Mapping;
use std::fmt;

/// A kind of program that a policy is compiled to.
pub trait Target: Sync {
    /// Returns the target's name and description.
    fn about(&self) -> &About;

    /// Returns the options that the target reads, among those that only some targets have.
    fn options(&self) -> &'static [TargetOption];

    /// Returns the parts of the policy that the target cannot express; empty if it can express all.
    fn check(&self, policy: &Policy, options: &TargetOptions) -> Vec<Refusal>;

    /// Returns the files of the program.
    ///
    /// # Errors
    /// If [`check`](Self::check) returns any reasons. The error has the same reasons.
    fn emit(&self, policy: &Policy, options: &TargetOptions) -> Result<Files, Vec<Refusal>>;

    /// Returns the properties of a policy that a program loses, such as precision, or leaves to its user.
    fn notes(&self, _policy: &Policy, _options: &TargetOptions) -> Vec<Refusal> {
        Vec::new()
    }
}

impl Named for &'static dyn Target {
    fn about(&self) -> &About {
        (**self).about()
    }
}

/// The options of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetOptions {
    /// The version of the policy, which is `policyId` of all packets.
    pub policy_id: u32,
    /// The size of the smallest packet in bytes, at least 1. It determines how many packets a size in bytes has room for. Smaller packets
    /// are admitted as well, but a packet without a free slot is dropped.
    pub smallest_packet: u32,
    /// The most packets that the program may hold. A policy that needs more is rejected.
    pub most_slots: u32,
    /// The sources of packet fields, for hosts of real frames.
    pub mapping: Mapping,
    /// The properties of a switch.
    pub switch: Switch,
    /// The requested properties of the hardware.
    pub hardware: sv::Hardware,
}

/// A switch with strict-priority queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// The number of queues of a port, 1 to 32.
    pub queues: u8,
    /// The bits of a rank and of a queue's bound, 8 to 63.
    pub rank_bits: u8,
    /// Whether a packet accesses each register once in a pass, and can have a second pass.
    pub resubmit: bool,
    /// A rank function whose state is in the switch, in place of the policy's order.
    pub rank: Option<SwitchRank>,
    /// The number of stages of the pipeline: a program that is estimated to need more is rejected. `None`: no limit.
    pub stages: Option<u8>,
    /// Whether the program is for Tofino's architecture (TNA), and was never compiled; otherwise it is for v1model.
    pub is_tna: bool,
}

impl Default for Switch {
    fn default() -> Self {
        Self { queues: 8, rank_bits: 32, resubmit: false, rank: None, stages: None, is_tna: false }
    }
}

impl Default for TargetOptions {
    fn default() -> Self {
        let (mapping, switch, hardware) = (Mapping::default(), Switch::default(), sv::Hardware::default());
        Self { policy_id: 1, smallest_packet: 64, most_slots: 1 << 16, mapping, switch, hardware }
    }
}

/// A file of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The file's name, without a folder.
    pub name: &'static str,
    /// The file's text.
    pub text: String,
}

/// The files of a program.
pub type Files = Vec<File>;

/// Why a policy cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The construct that cannot be expressed, such as `queue q3`.
    pub construct: String,
    /// The reason and the remedy.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.construct, self.reason)
    }
}
