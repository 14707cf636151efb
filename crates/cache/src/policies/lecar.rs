//! LeCaR: learns from regret whether LRU or LFU should choose the victim.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::{Estimate, first_candidate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{ByCount, Experts, GhostLists, Lists, PerSlot, age};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params, Rng};
use std::ops::ControlFlow;

/// The registry's entry for [`Lecar`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "lecar",
        title: "Learning cache replacement: learns from regret whether LRU or LFU chooses the victim",
        exactness: Exactness::NotApplicable,
        hardware: "orders by use and by count, tables of ghosts, random numbers and an exponential function",
        cost: "O(1), and a step per count below that of a ghost that returns; ghosts of two capacities",
        source: "Vietri et al., LeCaR, HotStorage 2018, algorithms 1 and 2",
        params: &[
            ParamSpec {
                name: "learning-rate",
                kind: ParamKind::Number { min: 0.0, max: 100.0, default: 0.45 },
                meaning: "how much a regret moves the weights (lambda of the paper)",
            },
            ParamSpec {
                name: "discount",
                kind: ParamKind::Number { min: 1e-9, max: 1.0, default: 0.005 },
                meaning: "share of a regret that is left after as many requests as there are entries",
            },
        ],
    },
    also_known_as: &["learning-cache-replacement"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Lecar>(),
};

/// The expert that evicts the object used longest ago, and its ghosts; the other one (1) evicts the object used least
/// often.
const LRU: usize = 0;

/// The paper's algorithm. Each list of ghosts is as large as the cache. Where the paper is silent:
///
/// - a ghost that returns has its count again;
/// - among equal counts, the object that reached its count first leaves;
/// - all requests that waited count;
/// - neither expert is ever out (see [`Experts`]).
#[derive(Debug, Clone)]
pub struct Lecar {
    capacity: u64,
    learning_rate: f64,
    /// The logarithm of `discount`.
    log_discount: f64,
    experts: Experts,
    recency: Lists<1>,
    frequency: ByCount,
    /// Per slot.
    uses: PerSlot<Uses>,
    ghosts: GhostLists<2>,
    /// Per slot of a ghost.
    ghost_uses: PerSlot<Uses>,
    requests: u64,
    /// The object for which room is being made, and its count so far.
    arriving: Option<(u64, u64)>,
    chosen: usize,
    rng: Rng,
}

#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    count: u64,
    /// The tick of the last request; for a ghost, the number of the request at which it left.
    last: u64,
}

impl Build for Lecar {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            capacity: shape.capacity,
            learning_rate: params.number("learning-rate"),
            log_discount: params.number("discount").ln(),
            experts: Experts::default(),
            recency: Lists::new(shape.entries),
            frequency: ByCount::new(shape.entries),
            uses: PerSlot::new(shape.entries),
            ghosts: GhostLists::new(shape.entries.saturating_mul(2)),
            ghost_uses: PerSlot::new(shape.entries.saturating_mul(2)),
            requests: 0,
            arriving: None,
            chosen: LRU,
            rng: shape.seed.stream("lecar"),
        })
    }
}

impl Lecar {
    /// Learns if the object is a ghost, once per fetch; returns how often it was requested.
    fn arrive(&mut self, new: &Fetched) -> u64 {
        if let Some((key, count)) = self.arriving
            && key == new.key
        {
            return count;
        }
        let count = match self.ghosts.remove(new.key) {
            None => 0,
            Some((expert, place)) => {
                let Uses { count, last } = self.ghost_uses[place];
                self.regret(expert, self.requests - last);
                count
            }
        };
        self.arriving = Some((new.key, count));
        count
    }

    /// `expert` let an object go that came back `after` requests: the other gains (in the
    /// paper its weight grows, which is the same, since weights add up to 1).
    fn regret(&mut self, expert: usize, after: u64) {
        let entries = self.recency.len(0).max(1);
        let regret = (self.log_discount * after as f64 / entries as f64).exp();
        self.experts.regret(expert, self.learning_rate * regret);
    }

    /// Which expert chooses, for `new`.
    fn choose(&mut self, new: &Fetched) -> usize {
        self.arrive(new);
        self.chosen = self.experts.draw(&mut self.rng);
        self.chosen
    }
}

impl CachePolicy for Lecar {
    #[inline]
    fn request(&mut self, _: &Access, _: Option<Slot>) {
        self.requests += 1;
    }

    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.recency.to_front(slot);
        self.frequency.rise(slot);
        let uses = &mut self.uses[slot];
        *uses = Uses { count: uses.count + 1, last: access.time };
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.recency.resize(slot, size);
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        let slot = if self.choose(new) == LRU { self.recency.back(0) } else { self.frequency.first() };
        slot.map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        first_candidate(self, new, may_leave)
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let count = self.arrive(new) + new.waiting;
        self.arriving = None;
        self.recency.push_front(0, slot, new.size);
        self.frequency.insert(slot, count);
        self.uses.set(slot, Uses { count, last: new.last });
    }

    fn evict(&mut self, slot: Slot, entry: &Entry) {
        let place = self.ghosts.push(self.chosen, entry.key, entry.size);
        self.ghost_uses.set(place, Uses { count: self.uses[slot].count, last: self.requests });
        self.ghosts.shrink_to(self.chosen, self.capacity);
        self.remove(slot);
    }

    fn remove(&mut self, slot: Slot) {
        self.recency.remove(slot);
        self.frequency.remove(slot);
    }
}

impl Estimate for Lecar {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        let by_age = self.chosen == LRU;
        Some(if by_age { 1.0 / age(new.time, self.uses[slot].last) } else { self.uses[slot].count as f64 })
    }

    /// The estimate of the expert that chooses: the age, or the count.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let expert = self.choose(new);
        // Breaks off when `see` has seen enough; there is nothing to do then.
        let _ = if expert == LRU {
            self.recency.from_back(0).try_for_each(|slot| see(slot, 1.0 / age(new.time, self.uses[slot].last)))
        } else {
            self.frequency.in_order().try_for_each(|(slot, count)| see(slot, count as f64))
        };
    }
}
