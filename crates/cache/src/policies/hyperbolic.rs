//! Hyperbolic caching: requests per time in the cache, compared at the moment.

use crate::access::{Access, Fetched, Slot};
use crate::estimate::{Estimate, first_candidate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Line, LiveSlots, PerSlot};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params, Rng};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// The registry's entry for [`Hyperbolic`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "hyperbolic",
        title: "Hyperbolic caching: evicts the object with the fewest requests per time in the cache",
        exactness: Exactness::NotApplicable,
        hardware: "a comparison of all entries, or of those drawn",
        cost: "O(1) on a hit, O(n) per victim, or O(sample); three numbers per entry",
        source: "Blankstein, Sen and Freedman, Hyperbolic caching, USENIX ATC 2017",
        params: &[ParamSpec {
            name: "sample",
            kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: None },
            meaning: "how many objects to draw and compare; all if not given (the paper draws 64)",
        }],
    },
    also_known_as: &[],
    offline: false,
    compared: Compared::As("hyperbolic(sample=64)"),
    make: Make::with_mad::<Hyperbolic>(),
};

/// The priority is count / (time since the request that fetched the object). All
/// requests that waited for the fetch count, so its time counts, too. Of equal
/// priorities, the least recently used leaves (the paper is silent).
#[derive(Debug, Clone)]
pub struct Hyperbolic {
    live: LiveSlots,
    uses: PerSlot<Uses>,
    requests: u64,
    sample: Option<u64>,
    rng: Rng,
    /// For sorting: kept so that its memory is.
    ranked: Vec<(Uses, Slot)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    count: u64,
    /// The tick of the request that fetched the object.
    since: u64,
    /// How many hits and entries came before the last one of it.
    order: u64,
}

impl Uses {
    /// The time in the cache per request: 1 / priority.
    #[inline]
    fn line(self) -> Line {
        Line::since(self.since).times(1.0 / self.count as f64)
    }

    /// The lowest leaves first.
    #[inline]
    fn compare(self, other: Self, now: f64) -> Ordering {
        other.line().at(now).total_cmp(&self.line().at(now)).then(self.order.cmp(&other.order))
    }
}

impl Hyperbolic {
    fn leaves(&mut self, now: u64) -> Option<Slot> {
        let now = now as f64;
        let Self { live, uses, rng, .. } = self;
        let least = |one: Slot, other: Slot| {
            if uses[one].compare(uses[other], now).is_le() { one } else { other }
        };
        match self.sample {
            Some(_) if live.as_slice().is_empty() => None,
            Some(sample) => (0..sample).map(|_| live.draw(rng)).reduce(least),
            None => live.as_slice().iter().copied().reduce(least),
        }
    }
}

impl Build for Hyperbolic {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            live: LiveSlots::new(shape.entries),
            uses: PerSlot::new(shape.entries),
            requests: 0,
            sample: params.integer("sample"),
            rng: shape.seed.stream("policy/hyperbolic"),
            ranked: Vec::new(),
        })
    }

    fn looks_at_all(params: &Params) -> bool {
        params.integer("sample").is_none()
    }
}

impl CachePolicy for Hyperbolic {
    fn counts_requests(&self) -> bool {
        true
    }

    #[inline]
    fn hit(&mut self, slot: Slot, _: &Access) {
        let uses = &mut self.uses[slot];
        uses.count += 1;
        uses.order = self.requests;
        self.requests += 1;
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        self.leaves(new.time).map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        first_candidate(self, new, may_leave)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        // A request that waited for nobody is the only one: where a miss takes no time
        // (the classical model) its latency says nothing of when it came.
        let since = if new.waiting > 1 { new.time.saturating_sub(new.latency) } else { new.last };
        self.uses.set(slot, Uses { count: new.waiting, since, order: self.requests });
        self.requests += 1;
        self.live.insert(slot);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.live.remove(slot);
    }
}

impl Estimate for Hyperbolic {
    const GROUPS: usize = 1;

    /// 1 / priority.
    fn line(&self, slot: Slot) -> Line {
        self.uses[slot].line()
    }

    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let now = new.time as f64;
        self.ranked.clear();
        let Self { live, uses, rng, .. } = self;
        let ranked = |slot: Slot| (uses[slot], slot);
        match self.sample {
            Some(_) if live.as_slice().is_empty() => {}
            Some(sample) => self.ranked.extend((0..sample).map(|_| ranked(live.draw(rng)))),
            None => self.ranked.extend(live.as_slice().iter().copied().map(ranked)),
        }
        self.ranked.sort_unstable_by(|(one, _), (other, _)| one.compare(*other, now));
        for &(uses, slot) in &self.ranked {
            if see(slot, 1.0 / uses.line().at(now)).is_break() {
                return;
            }
        }
    }
}
