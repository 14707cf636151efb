//! Hits of the latest slot, for offline policies: when their slot is over.

use crate::access::{Access, Fetched, Future, Slot};
use std::collections::VecDeque;

/// Hits that offline policies have not looked at yet.
///
/// A fetch is complete at the end of a slot. In that slot an object may have been hit.
/// The simulator behind the published figures still counts this request as that object's
/// next one: it looks for the next request *in or after* the slot. So such an object is
/// the last to leave, and the requests after its hit are looked at from the next slot on.
#[derive(Debug, Clone, Default)]
pub struct LateHits {
    hits: VecDeque<(u64, Slot, Future)>,
}

impl LateHits {
    /// Notes a hit. Those of earlier ticks should have been [taken](Self::next_before).
    pub fn push(&mut self, slot: Slot, access: &Access) {
        self.hits.push_back((access.time, slot, access.future));
    }

    /// The next hit before a tick, and the request after it.
    pub fn next_before(&mut self, time: u64) -> Option<(Slot, Future)> {
        self.hits.pop_front_if(|(at, ..)| *at < time).map(|(_, slot, future)| (slot, future))
    }

    /// The tick before which hits count when a victim for `new` is chosen: that of the slot in which its fetch was
    /// complete. If its own request was in that slot as well, requests have an order within it, and all that arrived
    /// count.
    #[must_use]
    pub fn until(new: &Fetched) -> u64 {
        let slot = new.time.saturating_sub(1);
        if new.last < slot { slot } else { new.time }
    }

    /// Forgets an object that was removed.
    pub fn forget(&mut self, slot: Slot) {
        self.hits.retain(|(_, other, _)| *other != slot);
    }
}
