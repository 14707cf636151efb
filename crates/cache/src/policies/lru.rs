//! LRU: the object that was used longest ago leaves.

use crate::access::{Access, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Line, Lists, PerSlot, age};
use forebay_core::{About, Exactness, ParamError, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Lru`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "lru",
        title: "Least recently used: evicts the object that was used longest ago",
        exactness: Exactness::NotApplicable,
        hardware: "an order of all entries",
        cost: "O(1); two links per entry",
        source: "folklore; see Sleator and Tarjan, CACM 1985",
        params: &[],
    },
    also_known_as: &["least-recently-used"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Lru>(),
};

/// Orders entries by their last use: a hit, or the end of their fetch.
#[derive(Debug, Clone)]
pub struct Lru {
    order: Lists<1>,
    /// Per slot: the tick of the last request.
    last: PerSlot<u64>,
}

impl Build for Lru {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        Ok(Self { order: Lists::new(shape.entries), last: PerSlot::new(shape.entries) })
    }
}

impl CachePolicy for Lru {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.order.to_front(slot);
        self.last[slot] = access.time;
    }

    fn set_capacity(&mut self, _: u64) -> bool {
        true
    }

    fn eviction_order(&self) -> Option<Vec<Slot>> {
        Some(self.order.from_back(0).collect())
    }

    fn weighs_latency(&self) -> bool {
        false
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.order.resize(slot, size);
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.order.back(0).map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        self.order.from_back(0).find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.last.set(slot, new.last);
        self.order.push_front(0, slot, new.size);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.order.remove(slot);
    }
}

impl Estimate for Lru {
    const GROUPS: usize = 1;

    /// The age: an object that was not requested for long will not be requested for as long.
    fn line(&self, slot: Slot) -> Line {
        Line::since(self.last[slot])
    }

    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        for slot in self.order.from_back(0) {
            if see(slot, 1.0 / age(new.time, self.last[slot])).is_break() {
                return;
            }
        }
    }
}
