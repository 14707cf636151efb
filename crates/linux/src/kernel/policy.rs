//! A policy that can be deployed at a device.

use crate::kernel::build::Built;

/// A compiled policy, with the data that its deployment needs.
#[derive(Debug, Clone)]
pub struct KernelPolicy {
    /// The name that the user gave the policy.
    pub name: String,
    /// The policy's programs.
    pub built: Built,
    /// The policy's queues, in their order.
    pub queues: Vec<String>,
    /// The policy's ports, in their order.
    pub ports: Vec<String>,
    /// The seed of the policy's random trials.
    pub seed: u64,
    /// The `forebay_targets::digest` of the policy; its programs must have the same.
    pub digest: u64,
}
