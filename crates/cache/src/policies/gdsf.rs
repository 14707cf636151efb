//! Greedy-Dual-Size with frequency: counts weighed with cost and size, and aged.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::{Estimate, LinesOf, first_candidate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Heap, Line, Ordered, PerSlot};
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
        params: &[
            ParamSpec::choice(
                "cost",
                &["latency", "one"],
                "latency",
                "cost of a miss: latency (of the object's fetch), or one",
            ),
            ParamSpec::choice(
                "new",
                &["contends", "enters"],
                "contends",
                "a new object whose priority is below all others: contends (and is not cached, as in the paper) or enters",
            ),
        ],
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
/// A new object has its priority before room is made for it, so that victims do not raise it. It is a victim as the others
/// are: when its priority is the least, it is not cached. In the paper, no other object leaves then; here, as in
/// libCacheSim, those that left before stay out.
///
/// The clock never runs ahead of what is in the cache: where a MAD form has another
/// object leave, the clock is still the least priority of all.
#[derive(Debug, Clone)]
pub struct Gdsf {
    order: Heap<Rank>,
    values: PerSlot<Value>,
    clock: f64,
    /// Zero or more, and less than all priorities: see [`Estimate::candidates`] of this type.
    unwanted: f64,
    requests: u64,
    /// The object for which room is being made, and the clock when that began.
    arriving: Option<(u64, f64)>,
    by_latency: bool,
    contends: bool,
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
    fn rank(&mut self, slot: Slot, clock: f64) -> Rank {
        self.requests += 1;
        Rank(Ordered(clock + self.values[slot].now()), self.requests)
    }

    fn value(&self, new: &Fetched) -> Value {
        Value { count: new.waiting, cost: self.cost(new.latency), size: new.size.max(1) as f64 }
    }

    /// Raises the priority of an object that is never wanted again.
    fn age(&mut self) {
        if let Some((_, victim)) = self.order.first() {
            let Value { cost, size, .. } = self.values[victim];
            self.unwanted = self.unwanted.max(self.clock - cost / size);
        }
    }

    /// Whether the new object is itself the victim.
    fn loses(&mut self, new: &Fetched) -> bool {
        let clock = self.clock_of(new);
        self.arriving = Some((new.key, clock));
        let priority = Ordered(clock + self.value(new).now());
        self.contends && self.order.first().is_none_or(|(Rank(least, _), _)| priority < least)
    }

    /// The clock that gives a new object its priority.
    fn clock_of(&self, new: &Fetched) -> f64 {
        self.arriving.filter(|&(key, _)| key == new.key).map_or(self.clock, |(_, clock)| clock)
    }

    fn cost(&self, latency: u64) -> f64 {
        if self.by_latency { latency as f64 } else { 1.0 }
    }
}

impl Build for Gdsf {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let by_latency = params.text("cost") == "latency";
        let contends = params.text("new") == "contends";
        let (order, values) = (Heap::new(shape.entries), PerSlot::new(shape.entries));
        Ok(Self { order, values, clock: 0.0, unwanted: 0.0, requests: 0, arriving: None, by_latency, contends })
    }
}

impl CachePolicy for Gdsf {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        let cost = self.cost(access.latency);
        let value = &mut self.values[slot];
        value.count += 1;
        value.cost = cost;
        let rank = self.rank(slot, self.clock);
        self.order.update(slot, rank);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.values[slot].size = size.max(1) as f64;
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        if self.loses(new) {
            return Victim::New;
        }
        self.order.first().map_or(Victim::New, |(_, slot)| Victim::Slot(slot))
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        if self.loses(new) {
            return Some(Victim::New);
        }
        first_candidate(self, new, may_leave)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.values.set(slot, self.value(new));
        let rank = self.rank(slot, self.clock_of(new));
        self.arriving = None;
        self.order.push(slot, rank);
    }

    fn refuse(&mut self, new: &Fetched) {
        if let (Some((_, clock)), Some((Rank(Ordered(least), _), _))) = (self.arriving.take(), self.order.first()) {
            self.clock = least.min(clock + self.value(new).now());
        }
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
    const GROUPS: usize = 1;
    const LINES: LinesOf = LinesOf::Rates;

    fn line(&self, slot: Slot) -> Line {
        let Rank(Ordered(priority), _) = self.order.rank(slot);
        Line { slope: -1.0, zero: priority }
    }

    fn now(&self, _: &Fetched) -> f64 {
        self.unwanted
    }

    fn victims(&mut self, new: &Fetched) -> Option<usize> {
        if self.loses(new) {
            return None;
        }
        self.age();
        Some(0)
    }

    /// The value that ageing has left, and what one request more is worth, since none is so old as to be never wanted
    /// again. A request is worth as much as for the first object, or less if it was less for a first object before. So the
    /// priority of an object that is never wanted again does not fall.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        if self.loses(new) {
            return;
        }
        self.age();
        for (Rank(Ordered(priority), _), slot) in self.order.in_order() {
            if see(slot, priority - self.unwanted).is_break() {
                return;
            }
        }
    }
}
