//! Earliest deadline first: the rank is the instant by which the packet should have
//! left, its arrival plus its slack.
//!
//! At one port this is also least slack time first (LSTF): every waiting packet loses slack at the same pace, so the order of slacks is
//! that of deadlines. In a network it depends on the traffic: this is LSTF if only waiting times reduce a packet's slack, and EDF if all
//! time reduces it.

use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Field, Packet, Time};

/// The registry's entry for [`Edf`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "edf",
        title: "Earliest deadline first, at one port also LSTF: rank = arrival + slack in picoseconds",
        exactness: Exactness::NotApplicable,
        hardware: "a clock and a header field",
        cost: "O(1), no state",
        source: "Liu, Layland, J. ACM 1973; Mittal et al.: Universal packet scheduling, NSDI'16",
        params: &[],
    },
    also_known_as: &["lstf"],
    needs: Some(Field::Slack),
    serves: Serves::Otherwise,
    range: RankRange::Rising,
    build: |_, _| Ok(Box::new(Edf)),
};

/// A rank function that ranks packets by deadline.
#[derive(Debug, Clone, Copy)]
pub struct Edf;

impl RankFn for Edf {
    fn rank(&mut self, now: Time, packet: &Packet) -> u64 {
        (now + packet.slack).as_ps()
    }
}
