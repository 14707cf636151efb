//! A delay line: every packet waits at least for a fixed time.

use crate::pacing::{BuiltPaceRule, PaceEntry, PaceRule};
use forebay_core::params::ParamKind;
use forebay_core::{About, Duration, Exactness, Packet, ParamError, ParamSpec, Params, Time};

/// The registry's entry for [`Delay`].
pub const ENTRY: PaceEntry = PaceEntry {
    about: About {
        name: "delay",
        title: "Delay line: holds every packet back for at least `time`",
        exactness: Exactness::NotApplicable,
        hardware: "an adder for the eligible time",
        cost: "O(1), no state",
        source: "no publication; tc-netem(8) has it for Linux",
        params: &[ParamSpec {
            name: "time",
            kind: ParamKind::Duration { default: None },
            meaning: "shortest time that a packet waits; must be given",
        }],
    },
    also_known_as: &[],
    example: "{ name = \"delay\", time = \"10 us\" }",
    build,
};

fn build(params: &Params) -> BuiltPaceRule {
    let missing = || ParamError::of("time", "`delay` needs a `time`, such as time = \"10 us\"");
    Ok(Box::new(Delay(params.optional_duration("time").ok_or_else(missing)?)))
}

/// A pace rule with the least wait of every packet.
#[derive(Debug, Clone, Copy)]
pub struct Delay(pub Duration);

impl PaceRule for Delay {
    fn eligible(&mut self, now: Time, _: &Packet) -> Time {
        now + self.0
    }
}
