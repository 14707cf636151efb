//! A threshold on the time that a packet has waited, applied when it leaves (TCN).
//!
//! The length of a queue predicts the wait of a packet only if the service rate of the queue is known. Under a scheduler that serves
//! several queues, this rate is unknown, so this rule compares the actual wait. The rule keeps no state: unlike CoDel, it does not track
//! how long waits have been above the threshold.
//!
//! A packet whose sender does not understand marks is sent unchanged, since it has already reached the link.

use crate::marking::{Backlog, BuildMark, MakeMark, MarkEntry, MarkRule};
use forebay_core::{About, Duration, Exactness, Packet, ParamError, ParamSpec, Params, Rate, Seed, Time};

/// The registry's entry for [`Sojourn`].
pub const ENTRY: MarkEntry = MarkEntry {
    about: About {
        name: "sojourn",
        title: "Marks a packet on departure if it has waited for longer than a threshold (TCN)",
        exactness: Exactness::NotApplicable,
        hardware: "a time stamp with each packet and a comparison",
        cost: "O(1), no state",
        source: "Bai et al.: Enabling ECN over generic packet scheduling, CoNEXT'16, section 4",
        params: &[ParamSpec::duration(
            "above",
            "100 us",
            "the longest wait that is not marked, about the round-trip time (the default is ours)",
        )],
    },
    also_known_as: &["tcn"],
    make: MakeMark::of::<Sojourn>(),
};

/// Marks packets whose wait is longer than a threshold.
#[derive(Debug, Clone, Copy)]
pub struct Sojourn {
    /// The longest wait that is not marked.
    pub above: Duration,
}

impl BuildMark for Sojourn {
    fn build(_: Rate, _: Seed, params: &Params) -> Result<Self, ParamError> {
        Ok(Self { above: params.duration("above") })
    }
}

impl MarkRule for Sojourn {
    fn leaving(&mut self, now: Time, packet: &Packet, _: Backlog) -> bool {
        now.since(packet.arrival) > self.above
    }
}
