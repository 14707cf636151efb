//! Innocent and attack traffic on one link.
//!
//! Both are streams of [`Arrival`]s; [`Traffic`] merges them into packets. Flows of innocent traffic get even numbers and flows of attacks
//! odd numbers, so that probes can tell them apart. Policies see flow numbers, but no policy uses this rule.

mod attack;
mod innocent;
mod merged;
mod replay;
pub(crate) mod turns;

pub use attack::{Attack, OWN_FLOWS, Strategy, Timing};
pub use innocent::{Gaps, Innocent};
pub use merged::{Input, Inputs, Merged};
pub(crate) use replay::replay;

use crate::attack::jobs::Job;
use forebay_core::{Duration, FlowId, Time};

/// A packet that arrives at the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// The time of arrival.
    pub at: Time,
    /// Its flow, counted from 0 within its stream.
    pub flow: u32,
    /// The packet's size and work.
    pub job: Job,
}

/// A stream of arrivals in order of time.
pub type Stream = Inputs<Arrival>;

/// Innocent and attack packets whose work is known.
///
/// Packets carry the estimate as their `processing`. To read the true work, iterate over an equal `Traffic`: its arrivals are the packets
/// in order.
pub type Traffic = Merged<Arrival>;

/// Whether a flow of [`Merged`] traffic is the attacker's.
#[must_use]
pub fn is_attack(flow: FlowId) -> bool {
    flow.0 % 2 == 1
}

/// A time in picoseconds as it is counted.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
pub(crate) fn to_time(ps: f64) -> Time {
    Time::from_ps(ps as u64)
}

impl Input for Arrival {
    fn arrival(&self) -> Time {
        self.at
    }

    fn flow(&self) -> u32 {
        self.flow
    }

    fn size_bytes(&self) -> u32 {
        self.job.size_bytes
    }

    fn set_flow(&mut self, flow: u32) {
        self.flow = flow;
    }

    fn told(&self) -> Duration {
        self.job.estimate
    }
}
