//! Segmented LRU: a hit raises an object to a segment that is better protected.

use crate::access::{Access, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Isotonic, LARGE, Lists, PerSlot, age, rejects_large, share_up};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Slru`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "slru",
        title: "Segmented LRU: a hit raises an object to a segment that is better protected",
        exactness: Exactness::NotApplicable,
        hardware: "an order per segment",
        cost: "O(1) amortised; two links per entry",
        source: "Karedla, Love and Wherry, Caching strategies to improve disk system performance, IEEE Computer 1994",
        params: &[
            ParamSpec {
                name: "segments",
                kind: ParamKind::Integer { min: 2, max: MOST as u64, default: Some(2) },
                meaning: "number of segments; the paper has two, probationary and protected",
            },
            ParamSpec {
                name: "probation",
                kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.2 },
                meaning: "share of the capacity for the lowest segment; the others share the rest equally",
            },
            ParamSpec::choice(
                "first-fill",
                &["lowest", "upwards"],
                "lowest",
                "segment of new objects: lowest (as in the paper) or, while a segment has room, the lowest with room: upwards \
                 (as in libCacheSim)",
            ),
            LARGE,
        ],
    },
    also_known_as: &["segmented-lru"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Slru>(),
};

const MOST: usize = 8;

/// Segment 0 takes in new objects and gives the victims. An object that a segment has
/// no room for goes to the front of the one below.
///
/// The paper leaves the share of the segments to be tuned; one fifth for the lowest is
/// what W-TinyLFU has (Einziger, Friedman and Manes, 2017). Each request that waited
/// with the one that fetched the object raises it, as a hit. An object larger than a
/// segment stays in the lowest.
#[derive(Debug, Clone)]
pub struct Slru {
    segments: Lists<MOST>,
    /// Per slot: the tick of the last request.
    last: PerSlot<u64>,
    highest: usize,
    /// Room in each segment but the lowest.
    room: u64,
    /// Room in the lowest segment.
    probation: u64,
    /// Whether new objects enter the next segment with room when the lowest is full.
    fills_upwards: bool,
    rejects_large: bool,
    fit: Isotonic,
}

impl Slru {
    /// Raises an object by so many segments at most.
    #[inline]
    fn raise(&mut self, slot: Slot, steps: usize) {
        let from = self.segments.list_of(slot).unwrap_or(0);
        let to = (from + steps).min(self.highest);
        // An object for which no segment has room would only drive out the others.
        if to == from || self.segments.size(slot) > self.room {
            return self.segments.to_front(slot);
        }
        self.segments.move_to(to, slot);
        for segment in (1..=to).rev() {
            while self.segments.total(segment) > self.room {
                let Some(least) = self.segments.back(segment) else { break };
                self.segments.move_to(segment - 1, least);
            }
        }
    }

    /// The segment that a new object enters.
    fn entrance(&self, size: u64) -> usize {
        if !self.fills_upwards {
            return 0;
        }
        let has_room = |segment: usize| {
            let room = if segment == 0 { self.probation } else { self.room };
            self.segments.total(segment) + size <= room
        };
        (0..=self.highest).find(|&segment| has_room(segment)).unwrap_or(0)
    }

    fn lowest(&self) -> usize {
        (0..self.highest).find(|&segment| !self.segments.is_empty(segment)).unwrap_or(self.highest)
    }
}

impl Build for Slru {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let segments = params.integer("segments").unwrap_or(2);
        let probation = share_up(shape.capacity, params.number("probation"));
        let protected = shape.capacity - probation;
        Ok(Self {
            segments: Lists::new(shape.entries),
            last: PerSlot::new(shape.entries),
            highest: usize::try_from(segments - 1).map_or(1, |highest| highest.min(MOST - 1)),
            room: protected / (segments - 1),
            probation,
            fills_upwards: params.text("first-fill") == "upwards",
            rejects_large: rejects_large(params),
            fit: Isotonic::default(),
        })
    }
}

impl CachePolicy for Slru {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.last[slot] = access.time;
        self.raise(slot, 1);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.segments.resize(slot, size);
    }

    fn admits(&self, new: &Fetched) -> bool {
        !self.rejects_large || new.size <= self.probation.max(1)
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.segments.back(self.lowest()).map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        let mut in_order = (0..=self.highest).flat_map(|segment| self.segments.from_back(segment));
        in_order.find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.last.set(slot, new.last);
        self.segments.push_front(self.entrance(new.size), slot, new.size);
        if new.waiting > 1 {
            self.raise(slot, usize::try_from(new.waiting - 1).unwrap_or(MOST).min(MOST));
        }
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.segments.remove(slot);
    }
}

impl Estimate for Slru {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        Some(1.0 / age(new.time, self.last[slot]))
    }

    /// The age of the last request, fitted to the order of the segments.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let Self { segments, last, highest, fit, .. } = self;
        let in_order = (0..=*highest).flat_map(|segment| segments.from_back(segment));
        fit.show(in_order.map(|slot| (slot, age(new.time, last[slot]))), see);
    }
}
