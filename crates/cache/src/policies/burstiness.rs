//! Burstiness: the object whose requests are least bursty leaves.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Ghosts, Heap, Ordered, PerSlot, share};
use forebay_core::params::ParamKind;
use forebay_core::{About, Burstiness as Gaps, Exactness, ParamError, ParamSpec, Params};
use rustc_hash::FxHashMap;

/// The registry's entry for [`Burstiness`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "burstiness",
        title: "Burstiness: evicts the object whose requests are least bursty; shows that this alone is no good rank",
        exactness: Exactness::NotApplicable,
        hardware: "a priority queue, and four numbers for each object that is known",
        cost: "O(log n); a heap node and five numbers per entry and per object that left and is remembered",
        source: "thesis 2.5.1; the score is that of Goh and Barabasi, EPL 2008",
        params: &[
            ParamSpec {
                name: "unscored",
                kind: ParamKind::Number { min: -1.0, max: 1.0, default: 0.0 },
                meaning: "score of an object of which fewer than two gaps are known: -1 (as regular requests) to 1, 0 as \
                          Poisson arrivals",
            },
            ParamSpec {
                name: "ghosts",
                kind: ParamKind::Number { min: 0.0, max: 1e6, default: 1.0 },
                meaning: "sum of the sizes of the objects outside of the cache that are remembered, in capacities",
            },
        ],
    },
    also_known_as: &["goh-barabasi"],
    offline: false,
    compared: Compared::OnRequest,
    make: Make::of::<Burstiness>(),
};

/// Ranks entries by the [score](Gaps::score) of the gaps between their requests, delayed hits and misses included. Of equal
/// scores, the one that entered or was hit longest ago leaves.
#[derive(Debug, Clone)]
pub struct Burstiness {
    order: Heap<(Ordered, u64)>,
    cached: PerSlot<Known>,
    /// Objects in flight, and those that left and are remembered.
    others: FxHashMap<u64, Known>,
    left: Ghosts,
    /// The greatest sum of the sizes of those that left.
    remembered: u64,
    unscored: f64,
    stamp: u64,
}

/// The requests for an object, as far as they are known.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    gaps: Gaps,
    last: u64,
}

impl Known {
    /// Requests that two threads bring out of order have no gap between them.
    fn request(&mut self, time: u64) {
        self.last = self.last.max(time);
        self.gaps.event(self.last);
    }
}

impl Burstiness {
    fn rank(&mut self, slot: Slot) -> (Ordered, u64) {
        self.stamp += 1;
        (Ordered(self.cached[slot].gaps.score().unwrap_or(self.unscored)), self.stamp)
    }

    /// The data of an object that is neither cached nor in flight any more stays until there is no room for it.
    fn remember(&mut self, key: u64, size: u64) {
        self.left.push(key, size);
        while self.left.total() > self.remembered
            && let Some(oldest) = self.left.pop_oldest()
        {
            self.others.remove(&oldest);
        }
    }
}

impl Build for Burstiness {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            order: Heap::new(shape.entries),
            cached: PerSlot::new(shape.entries),
            others: FxHashMap::default(),
            left: Ghosts::new(0),
            remembered: share(shape.capacity, params.number("ghosts")),
            unscored: params.number("unscored"),
            stamp: 0,
        })
    }
}

impl CachePolicy for Burstiness {
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        let known = match slot {
            Some(slot) => &mut self.cached[slot],
            None => {
                // It is in flight now, and not to be forgotten.
                self.left.remove(access.key);
                self.others.entry(access.key).or_default()
            }
        };
        known.request(access.time);
    }

    fn hit(&mut self, slot: Slot, _: &Access) {
        let rank = self.rank(slot);
        self.order.update(slot, rank);
    }

    fn victim(&mut self, _: &Fetched) -> Victim {
        self.order.first().map_or(Victim::New, |(_, slot)| Victim::Slot(slot))
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        self.order.in_order().map(|(_, slot)| slot).find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.left.remove(new.key);
        self.cached.set(slot, self.others.remove(&new.key).unwrap_or_default());
        let rank = self.rank(slot);
        self.order.push(slot, rank);
    }

    fn refuse(&mut self, new: &Fetched) {
        self.remember(new.key, new.size);
    }

    fn evict(&mut self, slot: Slot, entry: &Entry) {
        self.order.remove(slot);
        self.others.insert(entry.key, self.cached[slot]);
        self.remember(entry.key, entry.size);
    }

    fn remove(&mut self, slot: Slot) {
        self.order.remove(slot);
    }
}
