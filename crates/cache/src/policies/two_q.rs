//! 2Q: a new object must prove itself in a queue before it joins the LRU order.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Ghosts, Isotonic, LARGE, Lists, PerSlot, age, rejects_large, share};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`TwoQ`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "2q",
        title: "2Q, full version: a new object must prove itself before it joins the LRU order",
        exactness: Exactness::NotApplicable,
        hardware: "two orders, and a ring of keys",
        cost: "O(1); two links per entry, a key per ghost",
        source: "Johnson and Shasha, 2Q, VLDB 1994 (full version)",
        params: &[
            ParamSpec {
                name: "in",
                kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.25 },
                meaning: "Kin: size of the queue of new objects A1in, in capacities",
            },
            ParamSpec {
                name: "out",
                kind: ParamKind::Number { min: 0.0, max: 16.0, default: 0.5 },
                meaning: "Kout: sum of the sizes of the objects that left A1in and are remembered in A1out, in capacities",
            },
            LARGE,
        ],
    },
    also_known_as: &["two-queue"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<TwoQ>(),
};

const A1IN: usize = 0;
const AM: usize = 1;

/// A1in in the order of arrival, Am in that of last use, A1out as ghosts.
///
/// A hit in A1in counts for nothing, being correlated with the request that fetched
/// the object. An object in flight is known and not here, as one in A1out is; so if it
/// is requested again meanwhile, it goes to Am. A1out is cut after the new object was
/// looked for in it, so that its own victim does not push it out.
#[derive(Debug, Clone)]
pub struct TwoQ {
    orders: Lists<2>,
    /// Per slot: the tick of the last request.
    last: PerSlot<u64>,
    a1out: Ghosts,
    kin: u64,
    kout: u64,
    rejects_large: bool,
    fit: Isotonic,
}

impl TwoQ {
    fn leaves(&self) -> Option<Slot> {
        let (a1in, am) = (self.orders.back(A1IN), self.orders.back(AM));
        if self.orders.total(A1IN) > self.kin { a1in } else { am.or(a1in) }
    }
}

impl Build for TwoQ {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            orders: Lists::new(shape.entries),
            last: PerSlot::new(shape.entries),
            a1out: Ghosts::new(shape.entries),
            kin: share(shape.capacity, params.number("in")),
            kout: share(shape.capacity, params.number("out")),
            rejects_large: rejects_large(params),
            fit: Isotonic::default(),
        })
    }
}

impl CachePolicy for TwoQ {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.last[slot] = access.time;
        if self.orders.list_of(slot) == Some(AM) {
            self.orders.to_front(slot);
        }
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.orders.resize(slot, size);
    }

    fn admits(&self, new: &Fetched) -> bool {
        !self.rejects_large || new.size <= self.kin.max(1) || new.waiting > 1 || self.a1out.contains(new.key)
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.leaves().map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        let first = self.leaves().and_then(|slot| self.orders.list_of(slot))?;
        let mut in_order = self.orders.from_back(first).chain(self.orders.from_back(1 - first));
        in_order.find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.last.set(slot, new.last);
        let was_known = self.a1out.remove(new.key) || new.waiting > 1;
        let order = if was_known { AM } else { A1IN };
        self.a1out.shrink_to(self.kout);
        self.orders.push_front(order, slot, new.size);
    }

    #[inline]
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        if self.orders.remove(slot) == A1IN {
            self.a1out.push(entry.key, entry.size);
        }
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.orders.remove(slot);
    }
}

impl Estimate for TwoQ {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        Some(1.0 / age(new.time, self.last[slot]))
    }

    /// The age of the last request, fitted to an order: the list that gives the victim
    /// before the other.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let first = self.leaves().and_then(|slot| self.orders.list_of(slot)).unwrap_or(A1IN);
        let Self { orders, last, fit, .. } = self;
        let in_order = orders.from_back(first).chain(orders.from_back(1 - first));
        fit.show(in_order.map(|slot| (slot, age(new.time, last[slot]))), see);
    }
}
