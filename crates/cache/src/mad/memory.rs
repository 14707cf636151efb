//! Whose delays are known: those of objects in the cache and in flight, and of some others.

use super::delays::{Counting, Delays};
use super::options::{Counters, MadOptions};
use crate::access::{Access, Fetched, Slot};
use crate::cache::LARGE;
use crate::structures::Ghosts;
use forebay_core::convert;
use rustc_hash::FxHashMap;

/// The delays of objects, by slot if they are in the cache and by key if not.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    counting: Counting,
    kept: Kept,
    cached: Vec<Cached>,
    /// Objects in flight, and those that are kept. If all objects are kept, this also holds each cached object as it
    /// was when it entered. Most objects leave without a hit, and writing them back would cost as much as finding them
    /// did.
    others: FxHashMap<u64, Delays>,
}

#[derive(Debug, Clone, Copy)]
struct Cached {
    key: u64,
    delays: Delays,
    /// Whether it was hit since it entered.
    changed: bool,
}

/// Which objects are kept that are neither in the cache nor in flight.
#[derive(Debug, Clone)]
enum Kept {
    All,
    None,
    /// The latest that left, at most so many.
    Latest(Ghosts, usize),
}

impl Memory {
    pub(super) fn new(options: &MadOptions, entries: usize) -> Self {
        let kept = match options.counting.counters {
            Counters::Forever => Kept::All,
            Counters::Cached => Kept::None,
            Counters::Ghosts(ghosts) => {
                let most = ghosts.map_or(entries, convert::saturate);
                Kept::Latest(Ghosts::new(0), most)
            }
        };
        let cached = Vec::with_capacity(entries);
        Self { counting: Counting::new(options), kept, cached, others: FxHashMap::default() }
    }

    #[inline]
    pub(super) fn expect(&self, key: u64) {
        if self.others.len() > LARGE {
            std::hint::black_box(self.others.get(&key).copied());
        }
    }

    #[inline]
    pub(super) fn request(&mut self, access: &Access, slot: Option<Slot>) {
        if let Some(slot) = slot {
            let cached = &mut self.cached[slot as usize];
            cached.changed = true;
            return self.counting.request(&mut cached.delays, access);
        }
        // It is in flight now, and not to be forgotten.
        if let Kept::Latest(left, _) = &mut self.kept {
            left.remove(access.key);
        }
        self.counting.request(self.others.entry(access.key).or_insert(Delays::NONE), access);
    }

    #[inline]
    pub(super) fn insert(&mut self, slot: Slot, new: &Fetched) {
        let delays = if matches!(self.kept, Kept::All) {
            let delays = self.others.entry(new.key).or_insert(Delays::NONE);
            self.counting.fetched(delays, new);
            *delays
        } else {
            // An object without a request may still be among those that are kept.
            if let Kept::Latest(left, _) = &mut self.kept {
                left.remove(new.key);
            }
            let mut delays = self.others.remove(&new.key).unwrap_or(Delays::NONE);
            self.counting.fetched(&mut delays, new);
            delays
        };
        let cached = Cached { key: new.key, delays, changed: false };
        if self.cached.len() <= slot as usize {
            self.cached.resize(slot as usize + 1, cached);
        }
        self.cached[slot as usize] = cached;
    }

    /// A fetch is complete, but its object does not enter.
    pub(super) fn refuse(&mut self, new: &Fetched) {
        let Some(delays) = self.others.get_mut(&new.key) else { return };
        self.counting.fetched(delays, new);
        let delays = *delays;
        self.leave(new.key, delays);
    }

    /// Removes the object at a slot of the cache. The data that was found for its key stays valid.
    #[inline]
    pub(super) fn remove(&mut self, slot: Slot) {
        let Cached { key, delays, changed } = self.cached[slot as usize];
        if changed || !matches!(self.kept, Kept::All) {
            self.leave(key, delays);
        }
    }

    #[inline]
    fn leave(&mut self, key: u64, delays: Delays) {
        match &mut self.kept {
            Kept::All => {
                self.others.insert(key, delays);
            }
            Kept::None => {
                self.others.remove(&key);
            }
            Kept::Latest(left, most) => {
                self.others.insert(key, delays);
                left.push(key, 1);
                if left.len() > *most
                    && let Some(oldest) = left.pop_oldest()
                {
                    self.others.remove(&oldest);
                }
            }
        }
    }

    /// The mean aggregate delay per window of an object in the cache, in ticks.
    #[inline]
    pub(super) fn of(&self, slot: Slot) -> f64 {
        self.counting.aggregate_delay(&self.cached[slot as usize].delays)
    }
}
