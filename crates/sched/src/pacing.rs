//! Pace rules: when a packet may leave at the earliest.
//!
//! A rank orders the packets that may leave; a pace rule says which may. Both are decided when a packet arrives (PIEO, SIGCOMM'19, has an
//! eligible time beside each rank). So a port with a pace rule can be idle though packets wait.

use forebay_core::{About, Named, Packet, ParamError, Params, Time};

/// Says when packets may leave.
pub trait PaceRule {
    /// The packet enters the queue now. From when on may it leave? A time before `now` means at once.
    fn eligible(&mut self, now: Time, packet: &Packet) -> Time;
}

/// One pace rule in the registry.
pub struct PaceEntry {
    /// What it is.
    pub about: About,
    /// Other names by which people know it.
    pub also_known_as: &'static [&'static str],
    /// How a scenario writes it, with the parameters that have no default.
    pub example: &'static str,
    /// Builds it.
    pub build: fn(&Params) -> BuiltPaceRule,
}

/// A pace rule, or what is wrong with its parameters.
pub type BuiltPaceRule = Result<Box<dyn PaceRule + Send>, ParamError>;

impl Named for PaceEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}
