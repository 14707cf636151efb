//! Arrival order: the rank is the time of arrival. On an exact queue this is FIFO.

use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Packet, Time};

/// The registry's entry for [`Arrival`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "arrival",
        title: "First come, first served: rank = time of arrival in picoseconds",
        exactness: Exactness::NotApplicable,
        hardware: "a clock",
        cost: "O(1), no state",
        source: "common practice",
        params: &[],
    },
    also_known_as: &["fcfs"],
    needs: None,
    serves: Serves::Arrivals,
    range: RankRange::Rising,
    build: |_, _| Ok(Box::new(Arrival)),
};

/// A rank function that ranks packets by time of arrival.
#[derive(Debug, Clone, Copy)]
pub struct Arrival;

impl RankFn for Arrival {
    fn rank(&mut self, now: Time, _: &Packet) -> u64 {
        now.as_ps()
    }
}
