//! FIFO: the object that has been in the cache for longest leaves.

use crate::access::{Access, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Isotonic, Lists, PerSlot, age};
use forebay_core::{About, Exactness, ParamError, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Fifo`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "fifo",
        title: "First in, first out: evicts the object that has been in the cache for longest",
        exactness: Exactness::NotApplicable,
        hardware: "a ring",
        cost: "O(1), no change on a hit; two links per entry",
        source: "folklore; Belady, IBM Systems Journal 1966",
        params: &[],
    },
    also_known_as: &["first-in-first-out"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Fifo>(),
};

/// Orders entries by the end of their fetch. Neither hits nor requests that waited
/// for the fetch count.
#[derive(Debug, Clone)]
pub struct Fifo {
    order: Lists<1>,
    /// Per slot: the tick of the last request, for [`Estimate`] only.
    last: PerSlot<u64>,
    fit: Isotonic,
}

impl Build for Fifo {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        Ok(Self { order: Lists::new(shape.entries), last: PerSlot::new(shape.entries), fit: Isotonic::default() })
    }
}

impl CachePolicy for Fifo {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.last[slot] = access.time;
    }

    #[inline]
    fn mark(&self, _: Slot) -> bool {
        // The order of arrival does not change.
        true
    }

    fn marks(&self) -> bool {
        true
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

impl Estimate for Fifo {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        Some(1.0 / age(new.time, self.last[slot]))
    }

    /// The age of the last request, fitted to the order of arrival.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let Self { order, last, fit } = self;
        fit.show(order.from_back(0).map(|slot| (slot, age(new.time, last[slot]))), see);
    }
}
