//! Remaining flow bytes: shortest remaining processing time for flows, as pFabric
//! ranks packets.

use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Field, Packet, Time};

/// The registry's entry for [`RemainingBytes`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "remaining-bytes",
        title: "Shortest remaining flow first (SRPT, pFabric): rank = bytes its flow has still to send",
        exactness: Exactness::NotApplicable,
        hardware: "a header field that the sender fills",
        cost: "O(1), no state",
        source: "pFabric, SIGCOMM'13; SP-PIFO, NSDI'20, section 6.1",
        params: &[],
    },
    also_known_as: &["srpt", "pfabric"],
    needs: Some(Field::RemainingBytes),
    serves: Serves::Otherwise,
    range: RankRange::Any,
    build: |_, _| Ok(Box::new(RemainingBytes)),
};

/// A rank function that ranks packets by the bytes that their flow has still to send, including the packet itself.
#[derive(Debug, Clone, Copy)]
pub struct RemainingBytes;

impl RankFn for RemainingBytes {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        packet.remaining_bytes
    }
}
