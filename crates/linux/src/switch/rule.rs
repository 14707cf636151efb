//! The rules by which frames are dropped, and how many each has dropped.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why a frame does not leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The congestion rule of its queue.
    Queue,
    /// The congestion rule of its buffer.
    Buffer,
    /// Its queue or buffer would have held more than its size.
    Overflow,
    /// The policy has no queue for it.
    Unclassified,
    /// There is no port for it, or it would go back to where it came from.
    NoRoute,
    /// It is for this link alone (IEEE 802.1D: 01-80-C2-00-00-00 to 0F).
    LinkLocal,
    /// It is cut off, or says of itself what cannot be.
    Malformed,
    /// It is longer than the egress interface takes.
    TooLarge,
    /// The egress interface failed to take it.
    SendFailed,
    /// The egress interface was removed.
    LinkGone,
    /// It still waited when its port was removed.
    PortRemoved,
    /// It still waited when the switch stopped.
    Stopped,
}

/// How many frames were dropped by each rule; a rule that dropped none is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dropped(pub BTreeMap<Rule, u64>);

impl Dropped {
    /// Counts some more.
    pub fn add(&mut self, rule: Rule, frames: u64) {
        if frames > 0 {
            *self.0.entry(rule).or_default() += frames;
        }
    }

    /// Counts all of another.
    pub(crate) fn add_all(&mut self, other: &Self) {
        other.0.iter().for_each(|(rule, frames)| self.add(*rule, *frames));
    }

    /// By all rules.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }
}

impl Rule {
    /// As statistics name it.
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
