//! S3-FIFO: a small queue filters out objects requested once, a main queue keeps the rest.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Ghosts, Isotonic, LARGE, Lists, Mark, PerSlot, age, rejects_large, share};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`S3Fifo`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "s3-fifo",
        title: "S3-FIFO: a small queue filters out objects requested once, a main queue keeps the rest",
        exactness: Exactness::NotApplicable,
        hardware: "three rings, two bits per entry",
        cost: "O(1) amortised, two bits on a hit; two links and a count per entry, a key per ghost",
        source: "Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023, algorithm 1",
        params: &[
            ParamSpec {
                name: "small",
                kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.1 },
                meaning: "the small queue's share of the capacity",
            },
            ParamSpec {
                name: "ghost",
                kind: ParamKind::Number { min: 0.0, max: 16.0, default: 0.9 },
                meaning: "sum of the sizes of the ghosts, in capacities",
            },
            ParamSpec {
                name: "threshold",
                kind: ParamKind::Integer { min: 1, max: 3, default: Some(2) },
                meaning: "hits in the small queue that earn a place in the main queue",
            },
            ParamSpec::choice(
                "first-fill",
                &["main", "small"],
                "main",
                "queue of new objects before the first eviction, once the small queue is full: main (as in libCacheSim, by \
                 the paper's author) or small (as in the paper's algorithm)",
            ),
            LARGE,
        ],
    },
    also_known_as: &["s3fifo"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<S3Fifo>(),
};

const SMALL: usize = 0;
const MAIN: usize = 1;
/// Two bits count the hits.
const MOST: u8 = 3;

/// The small queue S, the main queue M and the ghosts G of the paper.
///
/// M gives the victim if it holds more than its share of the capacity, or S is empty; otherwise S does. Counts are cleared
/// by the move from S to M. The requests that waited with the one that fetched the object count as hits.
#[derive(Debug, Clone)]
pub struct S3Fifo {
    queues: Lists<2>,
    uses: PerSlot<Uses>,
    ghosts: Ghosts,
    /// S and the ghosts, in capacities.
    shares: [f64; 2],
    /// The shares of S, of M and of the ghosts.
    small: u64,
    main: u64,
    ghost: u64,
    threshold: u8,
    /// Whether new objects enter M once S is full: until the first eviction.
    fills_main: bool,
    rejects_large: bool,
    /// The ghost for which room was made last. Objects that left for it are no reason to forget it.
    returning: Option<u64>,
    fit: Isotonic,
}

#[derive(Debug, Clone, Default)]
struct Uses {
    /// The tick of the last request.
    last: u64,
    hits: Mark,
}

impl S3Fifo {
    /// Moves objects at the backs on until one there may leave for `new`.
    #[inline]
    fn settle(&mut self, new: &Fetched) -> Option<Slot> {
        if self.ghosts.remove(new.key) {
            self.returning = Some(new.key);
        }
        self.fills_main = false;
        loop {
            if self.queues.total(MAIN) > self.main || self.queues.is_empty(SMALL) {
                while let Some(slot) = self.queues.back(MAIN) {
                    if !self.uses[slot].hits.lower() {
                        return Some(slot);
                    }
                    self.queues.to_front(slot);
                }
                return self.queues.back(SMALL);
            }
            while let Some(slot) = self.queues.back(SMALL) {
                if self.uses[slot].hits.get() < self.threshold {
                    return Some(slot);
                }
                self.uses[slot].hits.set(0);
                self.queues.move_to(MAIN, slot);
            }
        }
    }
}

impl Build for S3Fifo {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let shares = ["small", "ghost"].map(|name| params.number(name));
        let small = share(shape.capacity, shares[0]).max(1);
        Ok(Self {
            shares,
            queues: Lists::new(shape.entries),
            uses: PerSlot::new(shape.entries),
            ghosts: Ghosts::new(shape.entries),
            small,
            main: shape.capacity.saturating_sub(small),
            ghost: share(shape.capacity, shares[1]),
            threshold: params.integer("threshold").map_or(2, |hits| u8::try_from(hits).unwrap_or(MOST)),
            fills_main: params.text("first-fill") == "main",
            rejects_large: rejects_large(params),
            returning: None,
            fit: Isotonic::default(),
        })
    }
}

impl CachePolicy for S3Fifo {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        let uses = &mut self.uses[slot];
        uses.last = access.time;
        uses.hits.raise(MOST);
    }

    #[inline]
    fn mark(&self, slot: Slot) -> bool {
        self.uses[slot].hits.raise(MOST);
        true
    }

    fn marks(&self) -> bool {
        true
    }

    fn set_capacity(&mut self, capacity: u64) -> bool {
        self.small = share(capacity, self.shares[0]).max(1);
        self.main = capacity.saturating_sub(self.small);
        self.ghost = share(capacity, self.shares[1]);
        self.ghosts.shrink_to(self.ghost);
        true
    }

    /// The small queue, then the main queue.
    fn eviction_order(&self) -> Option<Vec<Slot>> {
        Some(self.queues.from_back(SMALL).chain(self.queues.from_back(MAIN)).collect())
    }

    fn weighs_latency(&self) -> bool {
        false
    }

    fn recorded_hits(&self, slot: Slot) -> u8 {
        self.uses[slot].hits.get()
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.queues.resize(slot, size);
    }

    fn admits(&self, new: &Fetched) -> bool {
        !self.rejects_large || new.size <= self.small || self.ghosts.contains(new.key)
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        self.settle(new).map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        let first = self.settle(new).and_then(|slot| self.queues.list_of(slot))?;
        // Of the queue that gives those that have earned no other place, then the rest, then the other queue.
        let Self { queues, uses, threshold, .. } = &*self;
        let earned = [*threshold, 1];
        let with = |stays: bool| {
            queues.from_back(first).filter(move |&slot| (uses[slot].hits.get() >= earned[first]) == stays)
        };
        let mut in_order = with(false).chain(with(true)).chain(queues.from_back(SMALL + MAIN - first));
        in_order.find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let hits = u8::try_from(new.waiting - 1).map_or(MOST, |hits| hits.min(MOST));
        self.uses.set(slot, Uses { last: new.last, hits: Mark::new(hits) });
        let is_overfull = self.fills_main && self.queues.total(SMALL) >= self.small;
        let returns = self.ghosts.remove(new.key) || self.returning == Some(new.key);
        let queue = if returns || is_overfull { MAIN } else { SMALL };
        self.returning = None;
        self.queues.push_front(queue, slot, new.size);
    }

    #[inline]
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        if self.queues.remove(slot) == SMALL {
            self.ghosts.push(entry.key, entry.size);
            self.ghosts.shrink_to(self.ghost);
        }
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.queues.remove(slot);
    }
}

impl Estimate for S3Fifo {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, own: Slot, new: &Fetched) -> Option<f64> {
        let queue = self.queues.list_of(own)?;
        let uses = &self.uses[slot];
        let stays = self.queues.list_of(slot) != Some(queue) || uses.hits.get() >= [self.threshold, 1][queue];
        (!stays).then(|| 1.0 / age(new.time, uses.last))
    }

    /// The age of the last request, fitted to the order of the queue that gives the victim. Only objects of that queue
    /// that have not earned another place are candidates: the others are not evicted, whatever their delays.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let first = self.settle(new).and_then(|slot| self.queues.list_of(slot)).unwrap_or(SMALL);
        let Self { queues, uses, threshold, fit, .. } = self;
        let uses = &*uses;
        let earned = [*threshold, 1];
        let stays = |slot: Slot| uses[slot].hits.get() >= earned[first];
        let in_order = queues.from_back(first).filter(|&slot| !stays(slot));
        fit.show(in_order.map(|slot| (slot, age(new.time, uses[slot].last))), see);
    }
}
