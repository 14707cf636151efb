//! What a sender makes of echoes of congestion.

use std::fmt;

/// Decides by how much an echo reduces the window. [`Sender`](super::Sender) sees to it that this happens at most once
/// in each window of data, and not during recovery (RFC 3168, section 6.1.2).
pub(crate) trait Reaction: fmt::Debug {
    /// Whether switches may mark data instead of dropping it; `again` if it was sent before.
    fn capable(&self, again: bool) -> bool;

    /// `bytes` more are acknowledged, which makes all before `acknowledged`, and `echo` says whether they met congestion.
    /// Nothing has been sent from `sent` on.
    fn acknowledged(&mut self, bytes: u64, echo: bool, acknowledged: u64, sent: u64);

    /// To how many bytes a window of `window` bytes is reduced.
    fn reduced(&self, window: u64) -> u64;
}

/// Marks are not asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoReaction;

impl Reaction for NoReaction {
    fn capable(&self, _: bool) -> bool {
        false
    }

    fn acknowledged(&mut self, _: u64, _: bool, _: u64, _: u64) {}

    fn reduced(&self, window: u64) -> u64 {
        window
    }
}

/// A mark counts as a loss (RFC 3168, section 6.1.2). What is sent again cannot be marked (section 6.1.5).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Halving;

impl Reaction for Halving {
    fn capable(&self, again: bool) -> bool {
        !again
    }

    fn acknowledged(&mut self, _: u64, _: bool, _: u64, _: u64) {}

    fn reduced(&self, window: u64) -> u64 {
        window / 2
    }
}
