//! A policy that can be put at a device.

use crate::kernel::build::Built;

/// A policy, built, and what of it must be known.
#[derive(Debug, Clone)]
pub struct KernelPolicy {
    /// The user's name for it.
    pub name: String,
    /// Its programs.
    pub built: Built,
    /// Its queues, in their order.
    pub queues: Vec<String>,
    /// Its ports, in their order.
    pub ports: Vec<String>,
    /// Of its random trials.
    pub seed: u64,
    /// Its `forebay_targets::digest`; its programs must have the same.
    pub digest: u64,
}
