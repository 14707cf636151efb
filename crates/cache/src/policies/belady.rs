//! Belady: the object that is requested again latest leaves, or does not enter.

use crate::access::{Access, Fetched, Future, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{LateHits, PerSlot};
use forebay_core::{About, Exactness, ParamError, Params};
use std::collections::BTreeSet;

/// The registry's entry for [`Belady`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "belady",
        title: "Belady: evicts, or does not admit, the object whose next request is furthest away; fewest misses",
        exactness: Exactness::NotApplicable,
        hardware: "knowledge of the future",
        cost: "O(log n)",
        source: "Belady, IBM Systems Journal 1966; optimal with equal sizes and without delayed hits",
        params: &[],
    },
    also_known_as: &["min", "opt"],
    offline: true,
    compared: Compared::WithoutSizes,
    make: Make::of::<Belady>(),
};

/// Orders entries by their next request: by its tick, then by its number among all requests. Among entries that are
/// never requested again, the one that entered or was hit last leaves.
///
/// A new object is not admitted if its next request is not sooner than the latest one. For a hit in the slot in which a
/// fetch ends, see [`LateHits`].
#[derive(Debug, Clone)]
pub struct Belady {
    /// Next request, a number that grows with each insertion and hit, slot.
    order: BTreeSet<(Next, u64, Slot)>,
    /// Per slot: the first two of these.
    of_slot: PerSlot<(Next, u64)>,
    stamp: u64,
    late: LateHits,
}

/// The tick and the number of a request.
type Next = (u64, u64);

impl Belady {
    fn settle(&mut self, time: u64) {
        while let Some((slot, future)) = self.late.next_before(time) {
            self.leave(slot);
            self.enter(slot, future);
        }
    }

    fn leave(&mut self, slot: Slot) {
        let (next, stamp) = self.of_slot[slot];
        self.order.remove(&(next, stamp, slot));
    }

    fn enter(&mut self, slot: Slot, future: Future) {
        let next = (future.next, future.number);
        self.of_slot.set(slot, (next, self.stamp));
        self.order.insert((next, self.stamp, slot));
        self.stamp += 1;
    }
}

impl Build for Belady {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        let of_slot = PerSlot::new(shape.entries);
        Ok(Self { order: BTreeSet::new(), of_slot, stamp: 0, late: LateHits::default() })
    }
}

impl CachePolicy for Belady {
    fn counts_requests(&self) -> bool {
        true
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        self.settle(access.time);
        self.late.push(slot, access);
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        self.settle(LateHits::until(new));
        let latest = self.order.last().filter(|(next, ..)| (new.future.next, new.future.number) < *next);
        latest.map_or(Victim::New, |&(_, _, slot)| Victim::Slot(slot))
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.enter(slot, new.future);
    }

    fn remove(&mut self, slot: Slot) {
        self.late.forget(slot);
        self.leave(slot);
    }
}
