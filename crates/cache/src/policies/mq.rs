//! Multi-Queue: an object is in the queue of the logarithm of its requests, and sinks if it is not requested.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Ghosts, Isotonic, Lists, PerSlot, age, share};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Mq`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "mq",
        title: "Multi-Queue: LRU queues by the logarithm of the number of requests, from which objects sink with time",
        exactness: Exactness::NotApplicable,
        hardware: "several orders of entries, a counter and a time per entry",
        cost: "O(queues) per request; two links, a count and a time per entry, a key and a count per ghost",
        source: "Zhou, Philbin and Li, The Multi-Queue replacement algorithm, USENIX ATC 2001",
        params: &[
            ParamSpec {
                name: "queues",
                kind: ParamKind::Integer { min: 1, max: MOST as u64, default: Some(8) },
                meaning: "number of LRU queues",
            },
            ParamSpec {
                name: "lifetime",
                kind: ParamKind::Integer { min: 0, max: u32::MAX as u64, default: Some(10_000) },
                meaning: "requests after which an object that was not requested sinks to the next lower queue",
            },
            ParamSpec {
                name: "ghost",
                kind: ParamKind::Number { min: 0.0, max: 64.0, default: 4.0 },
                meaning: "sum of the sizes of the ghosts, whose counts are remembered, in capacities",
            },
        ],
    },
    also_known_as: &["multi-queue"],
    offline: false,
    compared: Compared::OnRequest,
    make: Make::with_mad::<Mq>(),
};

const MOST: usize = 16;

/// The queues Q0, Q1, ... of the paper, and its history Qout.
///
/// Time is counted in requests. The paper takes the lifetime from the distances between requests that it has seen; ours is
/// fixed, as in libCacheSim. Requests that waited with the one that fetched the object count when it enters. With sizes,
/// Qout holds ghosts of so many capacities.
#[derive(Debug, Clone)]
pub struct Mq {
    queues: Lists<MOST>,
    highest: usize,
    lifetime: u64,
    ghost: u64,
    /// How many requests there were.
    now: u64,
    uses: PerSlot<Uses>,
    history: Ghosts,
    /// By the slot of a ghost: how often it was requested.
    counts: PerSlot<u32>,
    fit: Isotonic,
}

#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    count: u32,
    /// The number of requests after which it sinks.
    expires: u64,
    /// The tick of the last request.
    last: u64,
}

impl Mq {
    /// The queue of an object that was requested so often.
    fn queue(&self, count: u32) -> usize {
        usize::try_from(count.max(1).ilog2()).map_or(self.highest, |queue| queue.min(self.highest))
    }

    /// Lets the oldest object of each queue sink if its time has come.
    #[inline]
    fn sink(&mut self) {
        for queue in 1..=self.highest {
            let Some(oldest) = self.queues.back(queue) else { continue };
            if self.uses[oldest].expires < self.now {
                self.uses[oldest].expires = self.now + self.lifetime;
                self.queues.move_to(queue - 1, oldest);
            }
        }
    }

    /// All objects in the order of eviction.
    fn in_order(&self) -> impl Iterator<Item = Slot> {
        (0..=self.highest).flat_map(|queue| self.queues.from_back(queue))
    }
}

impl Build for Mq {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let queues = params.integer("queues").unwrap_or(1);
        Ok(Self {
            queues: Lists::new(shape.entries),
            highest: usize::try_from(queues - 1).map_or(MOST - 1, |highest| highest.min(MOST - 1)),
            lifetime: params.integer("lifetime").unwrap_or(0),
            ghost: share(shape.capacity, params.number("ghost")),
            now: 0,
            uses: PerSlot::new(shape.entries),
            history: Ghosts::new(shape.entries),
            counts: PerSlot::new(shape.entries),
            fit: Isotonic::default(),
        })
    }
}

impl CachePolicy for Mq {
    #[inline]
    fn request(&mut self, _: &Access, _: Option<Slot>) {
        self.now += 1;
        self.sink();
    }

    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        let count = self.uses[slot].count.saturating_add(1);
        self.uses[slot] = Uses { count, expires: self.now + self.lifetime, last: access.time };
        self.queues.move_to(self.queue(count), slot);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.queues.resize(slot, size);
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.in_order().next().map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        self.in_order().find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let before = self.history.find(new.key).map_or(0, |ghost| self.counts[ghost]);
        self.history.remove(new.key);
        let count = before.saturating_add(u32::try_from(new.waiting).unwrap_or(u32::MAX));
        self.uses.set(slot, Uses { count, expires: self.now + self.lifetime, last: new.last });
        self.queues.push_front(self.queue(count), slot, new.size);
    }

    #[inline]
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        let ghost = self.history.push(entry.key, entry.size);
        self.counts.set(ghost, self.uses[slot].count);
        self.history.shrink_to(self.ghost);
        self.queues.remove(slot);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.queues.remove(slot);
    }
}

impl Estimate for Mq {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        Some(1.0 / age(new.time, self.uses[slot].last))
    }

    /// The age of the last request, fitted to the order of the queues.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let Self { queues, highest, uses, fit, .. } = self;
        let (queues, uses) = (&*queues, &*uses);
        let in_order = (0..=*highest).flat_map(|queue| queues.from_back(queue));
        fit.show(in_order.map(|slot| (slot, age(new.time, uses[slot].last))), see);
    }
}
