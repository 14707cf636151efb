//! Pace rules: they set the earliest time at which a packet may leave.
//!
//! A rank orders the eligible packets; a pace rule decides which packets are eligible. Both are computed when a packet arrives (PIEO,
//! SIGCOMM'19, has an eligible time beside each rank). So a port with a pace rule can be idle though packets wait.

use forebay_core::{About, Named, Packet, ParamError, Params, Time};

/// Decides when packets may leave.
pub trait PaceRule {
    /// Returns the time from which on a packet that is queued now may leave. A time before `now` means at once.
    fn eligible(&mut self, now: Time, packet: &Packet) -> Time;
}

/// One pace rule in the registry.
pub struct PaceEntry {
    /// The name, title, cost and source of the pace rule.
    pub about: About,
    /// Other names of the pace rule.
    pub also_known_as: &'static [&'static str],
    /// An example of the rule in a scenario, with the parameters that have no default.
    pub example: &'static str,
    /// Builds the pace rule.
    pub build: fn(&Params) -> BuiltPaceRule,
}

/// A pace rule, or the error in its parameters.
pub type BuiltPaceRule = Result<Box<dyn PaceRule + Send>, ParamError>;

impl Named for PaceEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}
