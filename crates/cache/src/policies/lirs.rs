//! LIRS: keeps the objects whose last two requests were near to each other.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::{Estimate, first_candidate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Isotonic, LARGE, Lists, Numbers, PerSlot, age, rejects_large, share, share_up};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// The registry's entry for [`Lirs`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "lirs",
        title: "Low inter-reference recency set: keeps objects whose last two requests were near to each other",
        exactness: Exactness::NotApplicable,
        hardware: "an order of all entries and of ghosts, and a queue",
        cost: "O(1) amortised; four links per entry and per ghost",
        source: "Jiang and Zhang, LIRS, SIGMETRICS 2002",
        params: &[
            ParamSpec {
                name: "hirs",
                kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.01 },
                meaning: "share of the capacity for objects of high inter-reference recency, 1 unit at least",
            },
            ParamSpec {
                name: "ghost",
                kind: ParamKind::Number { min: 0.0, max: NO_LIMIT, default: NO_LIMIT },
                meaning: "sum of the sizes of the ghosts, in capacities; with a million, as in the paper, all that its stack \
                          may hold",
            },
            LARGE,
        ],
    },
    also_known_as: &["low-inter-reference-recency-set"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Lirs>(),
};

/// As many capacities of ghosts as any trace has.
const NO_LIMIT: f64 = 1e6;

/// A place in the paper's stack and queue, for an object in the cache or a ghost.
type Node = u32;

/// The list of `queued` with the resident HIR objects: Q of the paper.
const RESIDENT: usize = 0;
/// The list of `queued` with the ghosts (non-resident HIR), last to leave in front.
const GHOST: usize = 1;

/// The paper's stack S and queue Q. A node in the stack that is not queued is a LIR
/// object; a queued one is a HIR object. Sizes stand for numbers of objects: with sizes
/// of 1 it is the paper's.
///
/// The paper bounds the stack only by advice; here ghosts are forgotten in the order in which they left. An object
/// becomes LIR at once whenever there is room among the LIR objects: in the beginning, or e.g. after an invalidation.
/// An object for which there can be no room is a HIR object. With delayed hits, an object for which more than one
/// request waited is hit when it enters.
#[derive(Debug, Clone)]
pub struct Lirs {
    lir_capacity: u64,
    lir_total: u64,
    ghost_limit: u64,
    /// The largest new object for which there is a place.
    largest: u64,
    stack: Lists<1>,
    queued: Lists<2>,
    objects: PerSlot<Object>,
    numbers: Numbers,
    node_of: PerSlot<Node>,
    ghosts: FxHashMap<u64, Node>,
    fit: Isotonic,
}

#[derive(Debug, Clone, Copy, Default)]
struct Object {
    key: u64,
    size: u64,
    /// The tick of the last request.
    last: u64,
    slot: Slot,
}

impl Build for Lirs {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let hirs = share_up(shape.capacity, params.number("hirs")).max(1);
        let places = shape.entries.saturating_mul(2);
        Ok(Self {
            lir_capacity: shape.capacity.saturating_sub(hirs),
            lir_total: 0,
            ghost_limit: share(shape.capacity, params.number("ghost")),
            largest: if rejects_large(params) { hirs } else { u64::MAX },
            stack: Lists::new(places),
            queued: Lists::new(places),
            objects: PerSlot::new(places),
            numbers: Numbers::default(),
            node_of: PerSlot::new(shape.entries),
            ghosts: FxHashMap::with_capacity_and_hasher(places, rustc_hash::FxBuildHasher),
            fit: Isotonic::default(),
        })
    }
}

impl Lirs {
    fn in_stack(&self, node: Node) -> bool {
        self.stack.list_of(node).is_some()
    }

    fn is_lir(&self, node: Node) -> bool {
        self.in_stack(node) && self.queued.list_of(node).is_none()
    }

    /// Forgets a ghost.
    fn forget(&mut self, node: Node) {
        self.queued.remove(node);
        if self.in_stack(node) {
            self.stack.remove(node);
        }
        self.ghosts.remove(&self.objects[node].key);
        self.numbers.give_back(node);
    }

    /// Puts a node on top of the stack, wherever it was.
    fn lift(&mut self, node: Node) {
        if self.in_stack(node) {
            self.stack.to_front(node);
        } else {
            self.stack.push_front(0, node, 1);
        }
    }

    /// Removes HIR objects from the bottom of the stack ("stack pruning").
    fn prune(&mut self) {
        while let Some(bottom) = self.stack.back(0) {
            match self.queued.list_of(bottom) {
                None => return,
                Some(GHOST) => self.forget(bottom),
                Some(_) => drop(self.stack.remove(bottom)),
            }
        }
    }

    /// Makes the LIR object at the bottom of the stack the newest HIR object.
    fn demote(&mut self) -> Option<Node> {
        let bottom = self.stack.back(0)?;
        let size = self.objects[bottom].size;
        self.stack.remove(bottom);
        self.queued.push_front(RESIDENT, bottom, size);
        self.lir_total -= size;
        self.prune();
        Some(bottom)
    }

    /// Makes a node on top of the stack, which is not queued, LIR.
    fn promote(&mut self, node: Node) {
        let size = self.objects[node].size;
        // An object for which there is no room would drive out all others and leave itself.
        if size > self.lir_capacity {
            self.stack.remove(node);
            return self.queued.push_front(RESIDENT, node, size);
        }
        self.lir_total += size;
        while self.lir_total > self.lir_capacity {
            self.demote();
        }
        self.prune();
    }

    /// A request for an object in the cache: cases 1 and 2 of the paper.
    #[inline]
    fn touch(&mut self, node: Node) {
        if self.is_lir(node) {
            self.stack.to_front(node);
            self.prune();
        } else if self.in_stack(node) {
            self.stack.to_front(node);
            self.queued.remove(node);
            self.promote(node);
        } else {
            self.queued.to_front(node);
            self.stack.push_front(0, node, 1);
            self.prune();
        }
    }

    /// Takes an object out of the cache, and returns whether its node is still in the stack.
    fn leave(&mut self, node: Node) -> bool {
        if self.is_lir(node) {
            self.lir_total -= self.objects[node].size;
        } else {
            self.queued.remove(node);
        }
        self.in_stack(node)
    }
}

impl CachePolicy for Lirs {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        let node = self.node_of[slot];
        self.objects[node].last = access.time;
        self.touch(node);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        let node = self.node_of[slot];
        let before = std::mem::replace(&mut self.objects[node].size, size);
        if self.queued.list_of(node).is_some() {
            return self.queued.resize(node, size);
        }
        self.lir_total -= before;
        self.stack.to_front(node);
        self.prune();
        self.promote(node);
    }

    fn admits(&self, new: &Fetched) -> bool {
        new.size <= self.largest
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        let oldest = self.queued.back(RESIDENT).or_else(|| self.demote());
        oldest.map_or(Victim::New, |node| Victim::Slot(self.objects[node].slot))
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        first_candidate(self, new, may_leave)
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let ghost = self.ghosts.remove(&new.key);
        let node = ghost.unwrap_or_else(|| self.numbers.take());
        self.node_of.set(slot, node);
        self.objects.set(node, Object { key: new.key, size: new.size, last: new.last, slot });
        if ghost.is_some() {
            self.queued.remove(node);
        }
        self.lift(node);
        if ghost.is_some() || self.lir_total.saturating_add(new.size) <= self.lir_capacity {
            self.promote(node);
        } else {
            self.queued.push_front(RESIDENT, node, new.size);
            self.prune();
        }
        if new.waiting > 1 {
            self.touch(node);
        }
    }

    fn evict(&mut self, slot: Slot, _: &Entry) {
        let node = self.node_of[slot];
        let Object { key, size, .. } = self.objects[node];
        if !self.leave(node) {
            return self.numbers.give_back(node);
        }
        self.queued.push_front(GHOST, node, size.max(1));
        self.ghosts.insert(key, node);
        while self.queued.total(GHOST) > self.ghost_limit {
            let Some(oldest) = self.queued.back(GHOST) else { break };
            self.forget(oldest);
        }
        self.prune();
    }

    fn remove(&mut self, slot: Slot) {
        let node = self.node_of[slot];
        if self.leave(node) {
            self.stack.remove(node);
        }
        self.numbers.give_back(node);
        self.prune();
    }
}

impl Estimate for Lirs {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        Some(1.0 / age(new.time, self.objects[self.node_of[slot]].last))
    }

    /// The age of the last request, fitted to an order: the HIR objects as they would
    /// leave, then the LIR objects from the bottom of the stack.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        if self.queued.is_empty(RESIDENT) {
            self.demote();
        }
        let Self { stack, queued, objects, fit, .. } = self;
        let lirs = stack.from_back(0).filter(|&node| queued.list_of(node).is_none());
        let in_order = queued.from_back(RESIDENT).chain(lirs);
        fit.show(in_order.map(|node| (objects[node].slot, age(new.time, objects[node].last))), see);
    }
}
