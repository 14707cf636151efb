//! LFU with dynamic ageing: counts begin at the count of the last victim.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::{Estimate, LinesOf, first_candidate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Heap, Line, PerSlot};
use forebay_core::{About, Exactness, ParamError, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Lfuda`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "lfuda",
        title: "LFU with dynamic ageing: counts begin at the priority of the last victim",
        exactness: Exactness::NotApplicable,
        hardware: "a priority queue",
        cost: "O(log n); a heap node and a count per entry",
        source: "Arlitt et al., Evaluating content management techniques for Web proxy caches, 2000",
        params: &[],
    },
    also_known_as: &["lfu-da"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Lfuda>(),
};

/// An object's priority is its count plus the age L of the cache when it was requested
/// last; L is the priority of the last victim. Of equal priorities, the least recently
/// used leaves. All requests that waited for a fetch count.
///
/// L never runs ahead of what is in the cache: where a MAD form has another object
/// leave, L is still the least priority of all.
#[derive(Debug, Clone)]
pub struct Lfuda {
    /// By priority, then by the order of the requests.
    order: Heap<(u64, u64)>,
    counts: PerSlot<u64>,
    age: u64,
    requests: u64,
}

impl Lfuda {
    fn rank(&mut self, count: u64) -> (u64, u64) {
        self.requests += 1;
        (self.age + count, self.requests)
    }
}

impl Build for Lfuda {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        let (order, counts) = (Heap::new(shape.entries), PerSlot::new(shape.entries));
        Ok(Self { order, counts, age: 0, requests: 0 })
    }
}

impl CachePolicy for Lfuda {
    #[inline]
    fn hit(&mut self, slot: Slot, _: &Access) {
        self.counts[slot] += 1;
        let rank = self.rank(self.counts[slot]);
        self.order.update(slot, rank);
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.order.first().map_or(Victim::New, |(_, slot)| Victim::Slot(slot))
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        first_candidate(self, new, may_leave)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.counts.set(slot, new.waiting);
        let rank = self.rank(new.waiting);
        self.order.push(slot, rank);
    }

    #[inline]
    fn evict(&mut self, slot: Slot, _: &Entry) {
        if let Some(((priority, _), _)) = self.order.first() {
            self.age = priority;
        }
        self.order.remove(slot);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.order.remove(slot);
    }
}

impl Estimate for Lfuda {
    const GROUPS: usize = 1;
    const LINES: LinesOf = LinesOf::Rates;

    fn line(&self, slot: Slot) -> Line {
        let (priority, _) = self.order.rank(slot);
        Line::until(priority + 1)
    }

    fn now(&self, _: &Fetched) -> f64 {
        self.age as f64
    }

    /// The count that ageing has left, and one, since none is so old as to be never
    /// wanted again.
    fn candidates(&mut self, _: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        for ((priority, _), slot) in self.order.in_order() {
            if see(slot, (priority - self.age + 1) as f64).is_break() {
                return;
            }
        }
    }
}
