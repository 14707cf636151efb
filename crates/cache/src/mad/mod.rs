//! Minimum aggregate delay: weighs a policy's estimate of the time to the next access with the cost of the next miss
//! (thesis 2.5).
//!
//! Where a policy's estimates are lines over time or over the age of the cache, finding a victim takes a polylogarithm
//! in the mean. The other policies draw 64 candidates; if asked, they show all in O(n), or the first few.
//!
//! Candidates can be all objects, a random sample as in thesis 2.6.2, or the first that the base policy would evict.
//! Measured for LRU-MAD (512 entries, latency 1,000 ticks, Zipf 1.0 over 1,000,000 objects):
//!
//! | candidates | mean latency |
//! | --- | --- |
//! | all | 594.5 |
//! | 16 drawn | 595.2 |
//! | 64 drawn | 594.6 |
//! | the first 16 | 620.6 |
//! | the first 64 | 599.7 |
//! | none (LRU) | 642.1 |

mod delays;
mod estimates;
mod memory;
mod options;
mod ranks;

pub(crate) use estimates::delay_estimates;
pub use options::{Counters, Drawable, MAD_PARAMS, MadDefaults, USUAL_DRAWS};

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::{Estimate, LinesOf};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::structures::{Line, LiveSlots};
use forebay_core::{ParamError, Params, Rng};
use memory::Memory;
use options::{Looked, MadOptions};
use ranks::Ranks;
use std::ops::ControlFlow;

/// The MAD form of a policy: evicts the candidate with the lowest rate x aggregate delay, or with `rank=delay` that
/// with the lowest aggregate delay. Of equal ones it takes the one that the base policy would rather evict.
#[derive(Debug, Clone)]
pub struct Mad<B> {
    base: B,
    memory: Memory,
    /// For each group of a base policy whose estimates are lines: 1 / rank, or minus the rank if the lines are rates.
    /// Empty if the candidates are shown in the order of the base policy.
    ranks: Vec<Ranks>,
    /// Candidates, where they come in the order of the base policy.
    first: u64,
    /// Candidates, where they are drawn from all entries and estimates are no lines.
    drawn: Option<Drawn>,
    weighs_time: bool,
    /// Hits and insertions so far.
    stamp: u64,
}

/// The entries of a cache, of which some are drawn.
#[derive(Debug, Clone)]
struct Drawn {
    live: LiveSlots,
    draws: u64,
    rng: Rng,
}

impl<B: Estimate> Mad<B> {
    /// Wraps a policy.
    ///
    /// # Errors
    /// If a parameter is none of its words, or they do not fit together.
    pub fn build(base: B, shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let options = MadOptions::of(params, B::MAD, drawable::<B>())?;
        let groups = if matches!(options.looked, Looked::First(_)) { 0 } else { B::GROUPS };
        let ranks = (0..groups).map(|_| Ranks::new(options.looked, shape)).collect();
        let first = if let Looked::First(first) = options.looked { first } else { u64::MAX };
        Ok(Self {
            base,
            memory: Memory::new(&options, shape.entries),
            ranks,
            first,
            drawn: match options.looked {
                Looked::Drawn(draws) if B::GROUPS == 0 => {
                    let (live, rng) = (LiveSlots::new(shape.entries), shape.seed.stream("cache/mad/sample"));
                    Some(Drawn { live, draws, rng })
                }
                _ => None,
            },
            weighs_time: options.weighs_time,
            stamp: 0,
        })
    }

    /// An object entered or was hit: its rank is another.
    #[inline]
    fn rank(&mut self, slot: Slot) {
        if self.ranks.is_empty() {
            return;
        }
        let group = self.base.group(slot);
        let delay = self.memory.of(slot);
        let line = match B::LINES {
            LinesOf::Times if self.weighs_time => self.base.line(slot).times(1.0 / delay),
            LinesOf::Rates if self.weighs_time => self.base.line(slot).times(-delay),
            _ => Line::constant(1.0).times(1.0 / delay),
        };
        for (other, ranks) in self.ranks.iter_mut().enumerate() {
            if other == group {
                ranks.set(slot, line, self.stamp);
            } else {
                ranks.remove(slot);
            }
        }
        self.stamp += 1;
    }

    /// Forgets an object that was removed.
    #[inline]
    fn forget(&mut self, slot: Slot) {
        self.memory.remove(slot);
        if let Some(drawn) = &mut self.drawn {
            drawn.live.remove(slot);
        }
        for ranks in &mut self.ranks {
            ranks.remove(slot);
        }
    }

    /// The object of least rank, where estimates are lines.
    #[inline]
    fn least(&mut self, new: &Fetched) -> Option<Slot> {
        let group = self.base.victims(new)?;
        self.ranks[group].greatest(self.base.now(new))
    }

    /// The rank of an object whose rate is known.
    fn rank_of(&self, slot: Slot, rate: f64) -> f64 {
        let delay = self.memory.of(slot);
        if self.weighs_time { rate * delay } else { delay }
    }

    /// Of `own`, which the base policy would evict, and entries that are drawn and may leave, that of least rank.
    fn among_drawn(&mut self, own: Slot, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Slot {
        let Some(mut drawn) = self.drawn.take() else { return own };
        let least = self.base.rate(own, own, new).unwrap_or(f64::MIN_POSITIVE);
        let mut best = (self.rank_of(own, least), own);
        for _ in 0..drawn.draws {
            let slot = drawn.live.draw(&mut drawn.rng);
            if let Some(rate) = self.base.rate(slot, own, new).filter(|_| may_leave(slot)) {
                let rank = self.rank_of(slot, rate.max(least));
                if rank < best.0 {
                    best = (rank, slot);
                }
            }
        }
        self.drawn = Some(drawn);
        best.1
    }

    /// Asks the base policy for candidates, and takes that of least rank among those that may leave.
    fn among_candidates(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Slot> {
        let mut best: Option<(f64, Slot)> = None;
        let mut left = self.first;
        self.base.candidates(new, &mut |slot, rate| {
            if !may_leave(slot) {
                return ControlFlow::Continue(());
            }
            let delay = self.memory.of(slot);
            let rank = if self.weighs_time { rate * delay } else { delay };
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, slot));
            }
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best.map(|(_, slot)| slot)
    }
}

/// Whether a MAD form of this policy can draw candidates.
pub(crate) const fn drawable<B: Estimate>() -> Drawable {
    match (B::GROUPS > 0, B::DRAWS) {
        (true, _) => Drawable::Lines,
        (false, true) => Drawable::Usual,
        (false, false) => Drawable::Never,
    }
}

impl<B: Estimate> CachePolicy for Mad<B> {
    #[inline]
    fn expect(&self, key: u64) {
        self.memory.expect(key);
        self.base.expect(key);
    }

    #[inline]
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        self.memory.request(access, slot);
        self.base.request(access, slot);
    }

    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.base.hit(slot, access);
        self.rank(slot);
    }

    fn set_capacity(&mut self, capacity: u64) -> bool {
        self.base.set_capacity(capacity)
    }

    fn eviction_order(&self) -> Option<Vec<Slot>> {
        self.base.eviction_order()
    }

    fn recorded_hits(&self, slot: Slot) -> u8 {
        self.base.recorded_hits(slot)
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.base.resize(slot, size);
    }

    fn admits(&self, new: &Fetched) -> bool {
        self.base.admits(new)
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        let slot = match (&self.drawn, self.ranks.is_empty()) {
            (Some(_), _) => match self.base.victim(new) {
                Victim::Slot(own) => Some(self.among_drawn(own, new, &mut |_| true)),
                Victim::New => None,
            },
            (None, true) => self.among_candidates(new, &mut |_| true),
            (None, false) => self.least(new),
        };
        slot.map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        if self.drawn.is_some() {
            return match self.base.victim_among(new, may_leave)? {
                Victim::Slot(own) => Some(Victim::Slot(self.among_drawn(own, new, may_leave))),
                Victim::New => Some(Victim::New),
            };
        }
        if !self.ranks.is_empty()
            && let Some(slot) = self.least(new)
            && may_leave(slot)
        {
            return Some(Victim::Slot(slot));
        }
        let slot = self.among_candidates(new, may_leave).map(Victim::Slot);
        // An object that is no candidate now is left to the base policy.
        slot.or_else(|| self.base.victim_among(new, may_leave))
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.memory.insert(slot, new);
        self.base.insert(slot, new);
        if let Some(drawn) = &mut self.drawn {
            drawn.live.insert(slot);
        }
        self.rank(slot);
    }

    fn refuse(&mut self, new: &Fetched) {
        self.memory.refuse(new);
        self.base.refuse(new);
    }

    #[inline]
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        self.forget(slot);
        self.base.evict(slot, entry);
    }

    fn remove(&mut self, slot: Slot) {
        self.forget(slot);
        self.base.remove(slot);
    }
}
