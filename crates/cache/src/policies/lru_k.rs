//! LRU-K: evicts the object whose K-th last request lies furthest back.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::{Estimate, first_candidate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Ghosts, Heap, PerSlot, Rising, age, share};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`LruK`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "lru-k",
        title: "LRU-K: evicts the object whose K-th last request lies furthest back",
        exactness: Exactness::NotApplicable,
        hardware: "a priority queue, K times per entry and per ghost",
        cost: "O(log n + K); a heap node and K times per entry, K times per ghost",
        source: "O'Neil, O'Neil and Weikum, The LRU-K page replacement algorithm, SIGMOD 1993, figure 2.1",
        params: &[
            ParamSpec {
                name: "k",
                kind: ParamKind::Integer { min: 1, max: 16, default: Some(2) },
                meaning: "number of the request that counts, from the last one back",
            },
            ParamSpec {
                name: "correlated",
                kind: ParamKind::Integer { min: 0, max: u32::MAX as u64, default: Some(0) },
                meaning: "correlated reference period, in ticks (in requests in the classical model): requests so close together count as one",
            },
            ParamSpec {
                name: "retained",
                kind: ParamKind::Number { min: 0.0, max: 16.0, default: 1.0 },
                meaning: "sum of the sizes of the objects outside of the cache whose times are retained, in capacities",
            },
        ],
    },
    also_known_as: &["lru-2"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<LruK>(),
};

/// The paper retains times for a period; here the memory is bounded instead. Objects
/// without K known requests leave first, least recently used first, and that is also
/// the order of equal times. Where all were requested within the correlated period,
/// of which the paper does not speak, the least recently used leaves.
///
/// Requests that waited for a fetch count, evenly spread from the miss to the last.
#[derive(Debug, Clone)]
pub struct LruK {
    k: usize,
    /// Those that were in the correlated period when they were looked at last, by their
    /// last request.
    recent: Heap<(Tick, u64)>,
    /// All others, by the K-th last request, then in the order of the last one.
    ranked: Heap<(Tick, u64)>,
    is_ranked: PerSlot<bool>,
    times: Times,
    ghosts: Ghosts,
    retained: u64,
    /// Times by ghost.
    ghost_times: Vec<Tick>,
}

/// A tick plus one; 0 is a request that is not known.
type Tick = u64;

/// The requests for an object in the cache, as far as they are known.
#[derive(Debug, Clone)]
struct Times {
    k: usize,
    correlated: u64,
    /// Per slot: the paper's HIST, the last K requests, each the first of those
    /// correlated with it.
    hist: Vec<Tick>,
    /// The paper's LAST, and the number of requests before it.
    last: PerSlot<(Tick, u64)>,
    requests: u64,
}

impl Times {
    fn of(&mut self, slot: Slot) -> &mut [Tick] {
        let from = slot as usize * self.k;
        if self.hist.len() < from + self.k {
            self.hist.resize(from + self.k, 0);
        }
        &mut self.hist[from..from + self.k]
    }

    fn rank(&self, slot: Slot) -> (Tick, u64) {
        (self.hist[slot as usize * self.k + self.k - 1], self.last[slot].1)
    }

    /// A K-th of the time since the K-th last request; for an object without one, the age of its last request.
    fn rate(&self, slot: Slot, time: u64) -> f64 {
        let now = time.saturating_add(1);
        match self.rank(slot) {
            (0, _) => 1.0 / age(now, self.last[slot].0),
            (kth, _) => self.k as f64 / age(now, kth),
        }
    }

    /// The request that fetches an object for which `hist` is known from before.
    fn fetch(&mut self, slot: Slot, tick: Tick, hist: Option<&[Tick]>) {
        let times = self.of(slot);
        match hist {
            None => times.fill(0),
            Some(hist) => times[1..].copy_from_slice(&hist[..hist.len() - 1]),
        }
        times[0] = tick;
        self.touch(slot, tick);
    }

    /// A request for an object in the cache.
    fn request(&mut self, slot: Slot, tick: Tick) {
        let last = self.last[slot].0;
        if tick > last.saturating_add(self.correlated) {
            let times = self.of(slot);
            // Correlated requests took no time: older requests move up by their length.
            let period = last.saturating_sub(times[0]);
            times.rotate_right(1);
            times[1..].iter_mut().filter(|time| **time > 0).for_each(|time| *time = time.saturating_add(period));
            times[0] = tick;
        }
        self.touch(slot, tick);
    }

    fn touch(&mut self, slot: Slot, tick: Tick) {
        self.last.set(slot, (tick, self.requests));
        self.requests += 1;
    }
}

impl LruK {
    /// Ranks objects that have left their correlated period, and returns the one that would leave.
    fn settle(&mut self, now: u64) -> Option<Slot> {
        while let Some(((last, _), slot)) = self.recent.first()
            && now.saturating_add(1) > last.saturating_add(self.times.correlated)
        {
            self.recent.remove(slot);
            self.is_ranked[slot] = true;
            self.ranked.push(slot, self.times.rank(slot));
        }
        self.ranked.first().or_else(|| self.recent.first()).map(|(_, slot)| slot)
    }
}

impl Build for LruK {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let k = params.integer("k").and_then(|k| usize::try_from(k).ok()).unwrap_or(2);
        let correlated = params.integer("correlated").unwrap_or(0);
        let hist = Vec::with_capacity(k * shape.entries);
        Ok(Self {
            k,
            recent: Heap::new(shape.entries),
            ranked: Heap::new(shape.entries),
            is_ranked: PerSlot::new(shape.entries),
            times: Times { k, correlated, hist, last: PerSlot::new(shape.entries), requests: 0 },
            ghosts: Ghosts::new(shape.entries),
            retained: share(shape.capacity, params.number("retained")),
            ghost_times: Vec::with_capacity(k * shape.entries),
        })
    }
}

impl CachePolicy for LruK {
    fn counts_requests(&self) -> bool {
        true
    }

    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.times.request(slot, access.time.saturating_add(1));
        // Without a correlated period nothing is ever kept back.
        if self.times.correlated == 0 {
            self.ranked.update(slot, self.times.rank(slot));
        } else if self.is_ranked[slot] {
            self.ranked.remove(slot);
            self.is_ranked[slot] = false;
            self.recent.push(slot, self.times.last[slot]);
        } else {
            self.recent.update(slot, self.times.last[slot]);
        }
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        self.settle(new.time).map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        first_candidate(self, new, may_leave)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let Self { k, times, ghosts, ghost_times, .. } = self;
        let known = ghosts.find(new.key).map(|place| &ghost_times[place as usize * *k..][..*k]);
        // Without a correlated period, only the last K of those that waited matter.
        let miss = if new.waiting > 1 { new.time.saturating_sub(new.latency).min(new.last) } else { new.last };
        let first_tick = miss.saturating_add(1);
        times.fetch(slot, first_tick, known);
        let waited = new.waiting - 1;
        let first = if times.correlated == 0 { waited.saturating_sub(*k as u64) } else { 0 };
        for nth in first..waited {
            let spread = u128::from(new.last - miss) * u128::from(nth + 1) / u128::from(waited);
            times.request(
                slot,
                first_tick.saturating_add(u64::try_from(spread).expect("a part of the time since the miss")),
            );
        }
        ghosts.remove(new.key);
        ghosts.shrink_to(self.retained);
        let is_ranked = times.correlated == 0;
        self.is_ranked.set(slot, is_ranked);
        if is_ranked {
            self.ranked.push(slot, times.rank(slot));
        } else {
            self.recent.push(slot, times.last[slot]);
        }
    }

    #[inline]
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        let place = self.ghosts.push(entry.key, entry.size) as usize * self.k;
        if self.ghost_times.len() < place + self.k {
            self.ghost_times.resize(place + self.k, 0);
        }
        self.ghost_times[place..place + self.k].copy_from_slice(self.times.of(slot));
        self.remove(slot);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        if self.is_ranked[slot] {
            self.ranked.remove(slot);
        } else {
            self.recent.remove(slot);
        }
    }
}

impl Estimate for LruK {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        Some(self.times.rate(slot, new.time))
    }

    /// A K-th of the time since the K-th last request; for an object without one, the age of its last request. An
    /// object that LRU-K would rather keep gets no later time.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        self.settle(new.time);
        let Self { times, ranked, recent, .. } = self;
        let mut rising = Rising::new(see);
        for (_, slot) in ranked.in_order().chain(recent.in_order()) {
            if rising.show(slot, times.rate(slot, new.time)).is_break() {
                return;
            }
        }
    }
}
