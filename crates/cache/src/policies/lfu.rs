//! LFU: the object that was requested least often while in the cache leaves.

use crate::access::{Access, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{ByCount, Line};
use forebay_core::{About, Exactness, ParamError, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Lfu`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "lfu",
        title: "Least frequently used: evicts the object requested least often while in the cache",
        exactness: Exactness::NotApplicable,
        hardware: "an order of all entries, a count each",
        cost: "O(1); two links and a count per entry",
        source: "Shah, Mitra and Matani, An O(1) algorithm for implementing the LFU cache eviction scheme, 2010",
        params: &[],
    },
    also_known_as: &["least-frequently-used", "in-cache-lfu"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Lfu>(),
};

/// Counts requests from the one that fetched the object on; of equal counts, the least
/// recently used leaves. All requests that waited for a fetch count, and an object for
/// which many did is put in its order in a step per different lower count.
#[derive(Debug, Clone)]
pub struct Lfu {
    order: ByCount,
}

impl Build for Lfu {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        Ok(Self { order: ByCount::new(shape.entries) })
    }
}

impl CachePolicy for Lfu {
    #[inline]
    fn hit(&mut self, slot: Slot, _: &Access) {
        self.order.rise(slot);
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.order.first().map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        self.order.in_order().map(|(slot, _)| slot).find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.order.insert(slot, new.waiting);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.order.remove(slot);
    }
}

impl Estimate for Lfu {
    const GROUPS: usize = 1;

    fn line(&self, slot: Slot) -> Line {
        Line::constant(1.0 / self.order.count(slot) as f64)
    }

    /// The count: LFU takes what was wanted twice as often to be wanted twice as soon,
    /// no matter in what time. Counts over ages would not keep LFU's order.
    fn candidates(&mut self, _: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        for (slot, count) in self.order.in_order() {
            if see(slot, count as f64).is_break() {
                return;
            }
        }
    }
}
