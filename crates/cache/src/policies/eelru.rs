//! EELRU: LRU that evicts early where objects come back soon after LRU would have evicted them.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Numbers, PerSlot, RecencyAxis, share};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use rustc_hash::FxHashMap;

/// The registry's entry for [`Eelru`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "eelru",
        title: "Early eviction LRU: evicts recent objects if that lets older ones stay until they are requested",
        exactness: Exactness::NotApplicable,
        hardware: "an order of all entries and ghosts in which positions are known, and a counter per region",
        cost: "O(log n) per request, and points^2 for one outside the first region; a tree node per entry and ghost",
        source: "Smaragdakis, Kaplan and Wilson, EELRU, SIGMETRICS 1999; the grid of points is not the paper's",
        params: &[
            ParamSpec {
                name: "points",
                kind: ParamKind::Integer { min: 1, max: 16, default: Some(8) },
                meaning: "number of early eviction points, and of late ones; both are evenly spread",
            },
            ParamSpec {
                name: "reach",
                kind: ParamKind::Number { min: 1.0, max: 16.0, default: 2.5 },
                meaning: "the last late eviction point, in capacities; ghosts further back are forgotten",
            },
            ParamSpec {
                name: "memory",
                kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: Some(10) },
                meaning: "counted hits per entry after which all counts are halved",
            },
        ],
    },
    also_known_as: &["early-eviction-lru"],
    offline: false,
    compared: Compared::Always,
    make: Make::of::<Eelru>(),
};

/// An object on the recency axis, in the cache or a ghost.
type Node = u32;

/// Counts hits on the recency axis of all objects, with ghosts, between candidates for the
/// early eviction point e and the late one l. Evicting at e, until an object reaches l, lets a
/// share (M - e) / (l - e) of the objects between them stay, with M the capacity. So it is
/// expected to gain `hits(e..l) x (M - e) / (l - e) - hits(e..M)` over LRU, and the pair
/// that gains most is taken; if none gains, the policy is LRU.
///
/// With a pair, the least recent object leaves if it is behind l, otherwise the most recent one
/// at e or behind it. Positions are in units of the capacity.
///
/// The paper weighs recent hits more. Here, all counts are halved after `memory` counted hits per object in the cache.
/// Measured with 100 entries on requests of an LRU stack: `memory=1` has 1 to 7 % more misses than LRU, since small
/// counts decide by chance, and `memory=10` has 0.1 %. Both find loops at once. A hit of a ghost counts when its object
/// enters, after the victim for it was chosen.
#[derive(Debug, Clone)]
pub struct Eelru {
    points: Points,
    /// By region of [`Points`]: hits.
    hits: Vec<u64>,
    /// Hits since the counts were halved.
    counted: u64,
    memory: u64,
    /// The early and the late eviction point, if they gain anything.
    chosen: Option<(u64, u64)>,
    axis: RecencyAxis,
    objects: PerSlot<Object>,
    numbers: Numbers,
    node_of: PerSlot<Node>,
    ghosts: FxHashMap<u64, Node>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Object {
    key: u64,
    slot: Slot,
}

/// Positions that bound regions of the axis: the early points, the capacity, the late points.
/// Region 0 ends with the first of them.
#[derive(Debug, Clone)]
struct Points {
    bounds: Vec<u64>,
    /// Where the capacity is among the bounds.
    middle: usize,
}

impl Points {
    fn new(capacity: u64, count: u32, reach: f64) -> Self {
        let steps = f64::from(count);
        let early = (1..=count).map(|nth| share(capacity, f64::from(nth) / (steps + 1.0)).max(1));
        let late = (1..=count).map(|nth| share(capacity, 1.0 + (reach - 1.0) * f64::from(nth) / steps).max(capacity));
        Self { bounds: early.chain([capacity]).chain(late).collect(), middle: count as usize }
    }

    fn region(&self, position: u128) -> usize {
        self.bounds.partition_point(|&bound| u128::from(bound) < position)
    }

    fn last(&self) -> u64 {
        self.bounds[self.bounds.len() - 1]
    }

    /// The pair that is expected to gain most over LRU.
    fn best(&self, hits: &[u64]) -> Option<(u64, u64)> {
        let capacity = self.bounds[self.middle];
        let (mut gain, mut best) = (0.0, None);
        for (at, &early) in self.bounds[..self.middle].iter().enumerate() {
            let in_lru: u64 = hits[at + 1..=self.middle].iter().sum();
            let mut in_both = in_lru;
            for (at, &late) in self.bounds.iter().enumerate().skip(self.middle + 1) {
                in_both += hits[at];
                let stays = (capacity - early) as f64 / (late - early) as f64;
                let expected = in_both as f64 * stays - in_lru as f64;
                if expected > gain {
                    (gain, best) = (expected, Some((early, late)));
                }
            }
        }
        best
    }
}

impl Build for Eelru {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let count = params.integer("points").and_then(|count| u32::try_from(count).ok()).unwrap_or(1);
        let points = Points::new(shape.capacity, count, params.number("reach"));
        let places = shape.entries.saturating_mul(2);
        Ok(Self {
            hits: vec![0; points.bounds.len() + 1],
            points,
            counted: 0,
            memory: params.integer("memory").unwrap_or(1),
            chosen: None,
            axis: RecencyAxis::new(places),
            objects: PerSlot::new(places),
            numbers: Numbers::default(),
            node_of: PerSlot::new(shape.entries),
            ghosts: FxHashMap::with_capacity_and_hasher(places, rustc_hash::FxBuildHasher),
        })
    }
}

impl Eelru {
    /// Counts a request for an object of the axis.
    fn count(&mut self, node: Node) {
        let region = self.points.region(self.axis.position(node));
        if region == 0 || region == self.points.bounds.len() {
            return;
        }
        self.hits[region] += 1;
        self.counted += 1;
        if self.counted >= self.memory * u64::from(self.axis.residents()) {
            self.counted = 0;
            self.hits.iter_mut().for_each(|hits| *hits /= 2);
        }
        self.chosen = self.points.best(&self.hits);
    }

    /// How many of the least recent objects are at the early eviction point or behind it: the
    /// most recent of them leaves. `None`: LRU decides.
    fn early(&self) -> Option<u32> {
        let (early, late) = self.chosen?;
        if self.axis.residents() == 0 || self.axis.position(self.axis.resident(1)) > u128::from(late) {
            return None;
        }
        Some(self.axis.residents_from(early)).filter(|&behind| behind > 0)
    }

    fn slot(&self, nth: u32) -> Slot {
        self.objects[self.axis.resident(nth)].slot
    }

    /// Forgets ghosts behind the last point.
    fn forget_ghosts(&mut self) {
        while let Some(oldest) = self.axis.oldest_ghost() {
            if self.axis.position(oldest) <= u128::from(self.points.last()) {
                return;
            }
            self.ghosts.remove(&self.objects[oldest].key);
            self.leave(oldest);
        }
    }

    fn leave(&mut self, node: Node) {
        self.axis.remove(node);
        self.numbers.give_back(node);
    }
}

impl CachePolicy for Eelru {
    #[inline]
    fn hit(&mut self, slot: Slot, _: &Access) {
        let node = self.node_of[slot];
        self.count(node);
        let size = self.axis.size(node);
        self.axis.remove(node);
        self.axis.push(node, size);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.axis.resize(self.node_of[slot], size);
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        match self.early() {
            Some(nth) => Victim::Slot(self.slot(nth)),
            None if self.axis.residents() > 0 => Victim::Slot(self.slot(1)),
            None => Victim::New,
        }
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        // From the early eviction point backwards, then from it forwards.
        let behind = self.early().unwrap_or(0);
        let mut in_order = (1..=behind).rev().chain(behind + 1..=self.axis.residents()).map(|nth| self.slot(nth));
        in_order.find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let ghost = self.ghosts.remove(&new.key);
        if let Some(node) = ghost {
            self.count(node);
            self.leave(node);
        }
        let node = self.numbers.take();
        self.objects.set(node, Object { key: new.key, slot });
        self.node_of.set(slot, node);
        self.axis.push(node, new.size);
        self.forget_ghosts();
    }

    fn evict(&mut self, slot: Slot, entry: &Entry) {
        let node = self.node_of[slot];
        self.axis.make_ghost(node);
        self.ghosts.insert(entry.key, node);
        self.forget_ghosts();
    }

    fn remove(&mut self, slot: Slot) {
        self.leave(self.node_of[slot]);
    }
}
