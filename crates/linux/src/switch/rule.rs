//! The rules that drop frames, and the number of frames that each has dropped.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why a frame is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The congestion rule of the frame's queue.
    Queue,
    /// The congestion rule of the frame's buffer.
    Buffer,
    /// The frame's queue or buffer would have exceeded its size.
    Overflow,
    /// The policy has no queue for the frame.
    Unclassified,
    /// There is no port for the frame, or it would return to its ingress port.
    NoRoute,
    /// The frame's address is for this link alone (IEEE 802.1D: 01-80-C2-00-00-00 to 0F).
    LinkLocal,
    /// The frame is truncated, or its headers are inconsistent.
    Malformed,
    /// The frame is longer than the egress interface allows.
    TooLarge,
    /// The egress interface failed to send the frame.
    SendFailed,
    /// The egress interface was removed.
    LinkGone,
    /// The frame was still queued when its port was removed.
    PortRemoved,
    /// The frame was still queued when the switch stopped.
    Stopped,
}

/// The number of frames that each rule dropped; a rule that dropped none is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dropped(pub BTreeMap<Rule, u64>);

impl Dropped {
    /// Adds `frames` frames that `rule` dropped.
    pub fn add(&mut self, rule: Rule, frames: u64) {
        if frames > 0 {
            *self.0.entry(rule).or_default() += frames;
        }
    }

    /// Adds all counts of `other`.
    pub(crate) fn add_all(&mut self, other: &Self) {
        other.0.iter().for_each(|(rule, frames)| self.add(*rule, *frames));
    }

    /// Returns the number of frames that all rules dropped.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }
}

impl Rule {
    /// Returns the rule's name in statistics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Buffer => "buffer",
            Self::Overflow => "overflow",
            Self::Unclassified => "unclassified",
            Self::NoRoute => "no-route",
            Self::LinkLocal => "link-local",
            Self::Malformed => "malformed",
            Self::TooLarge => "too-large",
            Self::SendFailed => "send-failed",
            Self::LinkGone => "link-gone",
            Self::PortRemoved => "port-removed",
            Self::Stopped => "stopped",
        }
    }
}
