//! Minimum aggregate delay: weighs a policy's estimate of the time to the next access with the cost of the next miss
//! (thesis 2.5).
//!
//! Where a policy's estimates are lines over time, finding a victim takes a polylogarithm in the mean. The other
//! policies show all their candidates, in O(n), or only the first few.
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
pub use options::{Counters, MAD_PARAMS, MadDefaults};

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::structures::Line;
use forebay_core::{ParamError, Params};
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
    /// For each group of a base policy whose estimates are lines: 1 / rank, unless the
    /// candidates come in the order of the base policy.
    ranks: Vec<Ranks>,
    /// Candidates, where they come in the order of the base policy.
    first: u64,
    weighs_time: bool,
    /// Hits and insertions so far.
    stamp: u64,
}

impl<B: Estimate> Mad<B> {
    /// Wraps a policy.
    ///
    /// # Errors
    /// If a parameter is none of its words, or they do not fit together.
    pub fn build(base: B, shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let options = MadOptions::of(params, B::MAD, B::GROUPS > 0)?;
        let groups = if matches!(options.looked, Looked::First(_)) { 0 } else { B::GROUPS };
        let ranks = (0..groups).map(|_| Ranks::new(options.looked, shape)).collect();
        let first = if let Looked::First(first) = options.looked { first } else { u64::MAX };
        Ok(Self {
            base,
            memory: Memory::new(&options, shape.entries),
            ranks,
            first,
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
        let time = if self.weighs_time { self.base.line(slot) } else { Line::constant(1.0) };
        let line = time.times(1.0 / self.memory.of(slot));
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
        for ranks in &mut self.ranks {
            ranks.remove(slot);
        }
    }

    /// The object of least rank, where estimates are lines.
    #[inline]
    fn least(&mut self, new: &Fetched) -> Option<Slot> {
        let group = self.base.victims(new);
        self.ranks[group].greatest(new.time)
    }

    /// Asks the base policy for candidates, and takes that of least rank among those that may leave.
    fn among_candidates(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Slot> {
        let mut best: Option<(f64, Slot)> = None;
        let mut left = self.first;
        self.base.candidates(new, &mut |slot, rate| {
            if !may_leave(slot) {
                return ControlFlow::Continue(());
            }
            let rank = if self.weighs_time { rate * self.memory.of(slot) } else { self.memory.of(slot) };
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, slot));
            }
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best.map(|(_, slot)| slot)
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

    fn resize(&mut self, slot: Slot, size: u64) {
        self.base.resize(slot, size);
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        let slot = match self.ranks.is_empty() {
            true => self.among_candidates(new, &mut |_| true),
            false => self.least(new),
        };
        slot.map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
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
