//! Packet value: the most valuable packet is served first.

use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Field, Packet, Time};

/// The registry's entry for [`Value`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "value",
        title: "The most valuable packet first: rank = 2^32 - 1 - value",
        exactness: Exactness::NotApplicable,
        hardware: "a header field",
        cost: "O(1), no state",
        source: "OpenQueue, ToN 2020, section IV",
        params: &[],
    },
    also_known_as: &[],
    needs: Some(Field::Value),
    serves: Serves::Otherwise,
    range: RankRange::UpTo(u32::MAX as u64),
    build: |_, _| Ok(Box::new(Value)),
};

/// A rank function that ranks packets by falling value.
#[derive(Debug, Clone, Copy)]
pub struct Value;

impl RankFn for Value {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        u64::from(u32::MAX - packet.value)
    }
}
