//! The rank in the packet's header, set by its sender or by a generator.

use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Field, Packet, Time};

/// The registry's entry for [`PacketRank`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "packet-rank",
        title: "The rank that the packet carries: generated, or set by the sender",
        exactness: Exactness::NotApplicable,
        hardware: "a header field",
        cost: "O(1), no state",
        source: "SP-PIFO, NSDI'20, section 4.2",
        params: &[],
    },
    also_known_as: &[],
    needs: Some(Field::Rank),
    serves: Serves::Otherwise,
    range: RankRange::Any,
    build: |_, _| Ok(Box::new(PacketRank)),
};

/// A rank function that uses the rank of the packet unchanged.
#[derive(Debug, Clone, Copy)]
pub struct PacketRank;

impl RankFn for PacketRank {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        packet.rank
    }
}
