//! Tail drop: an arriving packet is dropped if the buffer has no room for it.

use crate::traits::{DropEntry, DropRule, Victim};
use forebay_core::{About, Exactness, Packet};

/// The registry's entry for [`Tail`].
pub const ENTRY: DropEntry = DropEntry {
    about: About {
        name: "tail",
        title: "Drops the arriving packet if there is no room",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1)",
        source: "common practice",
        params: &[],
    },
    needs_pop_max: false,
    build: |_| Ok(Box::new(Tail)),
};

/// Drops the arriving packet.
#[derive(Debug, Clone, Copy)]
pub struct Tail;

impl DropRule for Tail {
    fn victim(&mut self, _: &Packet, _: Option<&Packet>) -> Victim {
        Victim::Arriving
    }
}
