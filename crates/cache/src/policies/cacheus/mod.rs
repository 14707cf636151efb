//! CACHEUS: learns whether a scan-resistant LRU or a churn-resistant LFU should choose the victim, with a learning rate
//! that follows the hit rate.

mod learning_rate;
mod sr_lru;

use crate::access::{Access, Entry, Fetched, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Experts, GhostLists, Heap, PerSlot};
use forebay_core::{About, Exactness, ParamError, Params, Rng};
use learning_rate::LearningRate;
use sr_lru::SrLru;

/// The registry's entry for [`Cacheus`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "cacheus",
        title: "Learns whether a scan-resistant LRU or a churn-resistant LFU chooses the victim",
        exactness: Exactness::NotApplicable,
        hardware: "orders by use and by count, tables of ghosts, random numbers and an exponential function",
        cost: "O(log n) per request; ghosts of one more capacity",
        source: "Rodriguez et al., CACHEUS, FAST 2021, algorithms 1 and 2",
        params: &[],
    },
    also_known_as: &[],
    offline: false,
    compared: Compared::Always,
    make: Make::of::<Cacheus>(),
};

/// The scan-resistant LRU, and its ghosts; the other expert (1) is the churn-resistant LFU.
const LRU: usize = 0;

/// The paper's algorithm with its two best experts. Each has ghosts for half of the
/// capacity; an object on which both agree leaves no ghost, and a ghost that returns has
/// its count again. A window of the learning rate has as many requests as there are
/// entries, and the first begins when the cache is full. With delayed hits, an object for
/// which more than one request waited is hit when it enters, and all of them count.
#[derive(Debug, Clone)]
pub struct Cacheus {
    ghost_limit: u64,
    experts: Experts,
    rate: Option<LearningRate>,
    recency: SrLru,
    /// By count; among equals the one that was used last comes first.
    frequency: Heap<(u64, u64)>,
    ghosts: GhostLists<2>,
    /// Per slot of a ghost: the count, and whether it left as new.
    remembered: PerSlot<(u64, bool)>,
    /// How many ghosts of LRU left as new.
    new_ghosts: u64,
    /// The number of the last use, from the greatest down.
    uses: u64,
    arriving: Option<Arriving>,
    chosen: Option<usize>,
    seed: forebay_core::Seed,
    rng: Rng,
}

/// The object for which room is being made.
#[derive(Debug, Clone, Copy)]
struct Arriving {
    key: u64,
    /// The count that it had, if it was a ghost.
    count: Option<u64>,
}

impl Build for Cacheus {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            ghost_limit: (shape.capacity / 2).max(1),
            experts: Experts::default(),
            rate: None,
            recency: SrLru::new(shape.capacity, shape.entries),
            frequency: Heap::new(shape.entries),
            ghosts: GhostLists::new(shape.entries),
            remembered: PerSlot::new(shape.entries),
            new_ghosts: 0,
            uses: u64::MAX,
            arriving: None,
            chosen: None,
            seed: shape.seed,
            rng: shape.seed.stream("cacheus"),
        })
    }
}

impl Cacheus {
    /// Learns if the object is a ghost, once per fetch; returns its count if it was one.
    fn arrive(&mut self, new: &Fetched) -> Option<u64> {
        if let Some(Arriving { key, count }) = self.arriving
            && key == new.key
        {
            return count;
        }
        let count = self.ghosts.find(new.key).map(|(expert, place)| {
            let (count, was_new) = self.remembered[place];
            if was_new {
                self.recency.regret(new.size, self.new_ghosts);
            }
            self.forget(new.key);
            // It loses as much as the learning rate says, of which there is none at first.
            self.experts.regret(expert, self.rate.as_ref().map_or(0.0, LearningRate::now));
            count
        });
        self.arriving = Some(Arriving { key: new.key, count });
        count
    }

    /// Forgets a ghost.
    fn forget(&mut self, key: u64) {
        if let Some((_, place)) = self.ghosts.remove(key) {
            self.new_ghosts -= u64::from(self.remembered[place].1);
        }
    }

    /// A rank for an object that is used now.
    fn rank(&mut self, count: u64) -> (u64, u64) {
        self.uses -= 1;
        (count, self.uses)
    }

    /// Draws the expert that chooses between the two victims.
    fn choose(&mut self, new: &Fetched, lru: Slot, lfu: Slot) -> Victim {
        if self.rate.is_none() {
            self.rate = Some(LearningRate::new(self.recency.len(), self.seed.stream("cacheus/rate")));
        }
        self.arrive(new);
        let expert = self.experts.draw(&mut self.rng);
        self.chosen = (lru != lfu).then_some(expert);
        Victim::Slot(if expert == LRU { lru } else { lfu })
    }
}

impl CachePolicy for Cacheus {
    #[inline]
    fn request(&mut self, _: &Access, slot: Option<Slot>) {
        if let Some(rate) = &mut self.rate {
            rate.request(slot.is_some(), self.recency.len());
        }
    }

    #[inline]
    fn hit(&mut self, slot: Slot, _: &Access) {
        self.recency.hit(slot, self.new_ghosts);
        let rank = self.rank(self.frequency.rank(slot).0 + 1);
        self.frequency.update(slot, rank);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.recency.resize(slot, size);
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        let (Some(lru), Some((_, lfu))) = (self.recency.victim(), self.frequency.first()) else {
            return Victim::New;
        };
        self.choose(new, lru, lfu)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        let lru = self.recency.in_order().find(|&slot| may_leave(slot))?;
        let lfu = self.frequency.in_order().map(|(_, slot)| slot).find(|&slot| may_leave(slot))?;
        Some(self.choose(new, lru, lfu))
    }
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let count = self.arrive(new);
        self.arriving = None;
        self.recency.insert(slot, new.size, count.is_some());
        if new.waiting > 1 {
            self.recency.hit(slot, self.new_ghosts);
        }
        let rank = self.rank(count.unwrap_or(0) + new.waiting);
        self.frequency.push(slot, rank);
    }

    fn evict(&mut self, slot: Slot, entry: &Entry) {
        if let Some(expert) = self.chosen {
            let is_new = expert == LRU && self.recency.is_new(slot);
            self.forget(entry.key);
            let place = self.ghosts.push(expert, entry.key, entry.size);
            self.remembered.set(place, (self.frequency.rank(slot).0, is_new));
            self.new_ghosts += u64::from(is_new);
            while self.ghosts.total(expert) > self.ghost_limit {
                let Some(oldest) = self.ghosts.oldest(expert) else { break };
                self.forget(oldest);
            }
        }
        self.remove(slot);
    }

    fn remove(&mut self, slot: Slot) {
        self.recency.remove(slot);
        self.frequency.remove(slot);
    }
}
