//! Greedy-Dual-Size with frequency: counts weighed with cost and size, and aged.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::{Estimate, first_candidate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Heap, Ordered, PerSlot};
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Gdsf`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "gdsf",
        title: "Greedy-Dual-Size with frequency: count x cost / size, aged",
        exactness: Exactness::NotApplicable,
        hardware: "a priority queue",
        cost: "O(log n); a heap node and three numbers per entry",
        source: "Cherkasova, Improving WWW proxies performance with Greedy-Dual-Size-Frequency caching policy, HP 1998",
        params: &[ParamSpec::choice(
            "cost",
            &["latency", "one"],
            "latency",
            "cost of a miss: latency (of the object's fetch), or one",
        )],
    },
    also_known_as: &["greedy-dual-size-frequency"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Gdsf>(),
};

/// An object's priority is the clock when it was requested last, plus count x cost /
/// size; the clock is the priority of the last victim. Of equal priorities, the least
/// recently used leaves. All requests that waited for a fetch count.
///
/// The clock never runs ahead of what is in the cache: where a MAD form has another
/// object leave, the clock is still the least priority of all.
#[derive(Debug, Clone)]
pub struct Gdsf {
    order: Heap<Rank>,
    values: PerSlot<Value>,
    clock: f64,
    requests: u64,
    by_latency: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Value {
    count: u64,
    cost: f64,
    size: f64,
}

impl Value {
    fn now(self) -> f64 {
        self.count as f64 * self.cost / self.size
    }
}

/// A priority, and the number of the request that gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(Ordered, u64);

impl Gdsf {
    fn rank(&mut self, slot: Slot) -> Rank {
        self.requests += 1;
        Rank(Ordered(self.clock + self.values[slot].now()), self.requests)
    }

    fn cost(&self, latency: u64) -> f64 {
        if self.by_latency { latency as f64 } else { 1.0 }
    }
}

impl Build for Gdsf {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let by_latency = params.text("cost") == "latency";
        let (order, values) = (Heap::new(shape.entries), PerSlot::new(shape.entries));
        Ok(Self { order, values, clock: 0.0, requests: 0, by_latency })
    }
}

impl CachePolicy for Gdsf {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        let cost = self.cost(access.latency);
        let value = &mut self.values[slot];
        value.count += 1;
        value.cost = cost;
        let rank = self.rank(slot);
        self.order.update(slot, rank);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.values[slot].size = size.max(1) as f64;
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
        let (count, cost, size) = (new.waiting, self.cost(new.latency), new.size.max(1) as f64);
        self.values.set(slot, Value { count, cost, size });
        let rank = self.rank(slot);
        self.order.push(slot, rank);
    }

    #[inline]
    fn evict(&mut self, slot: Slot, _: &Entry) {
        if let Some((Rank(Ordered(priority), _), _)) = self.order.first() {
            self.clock = priority;
        }
        self.order.remove(slot);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.order.remove(slot);
    }
}

impl Estimate for Gdsf {
    /// The value that ageing has left, and what one request more would be worth for the
    /// first: none is so old as to be never wanted again.
    fn candidates(&mut self, _: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let Some((_, victim)) = self.order.first() else { return };
        let Value { cost, size, .. } = self.values[victim];
        for (Rank(Ordered(priority), _), slot) in self.order.in_order() {
            if see(slot, priority - self.clock + cost / size).is_break() {
                return;
            }
        }
    }
}
