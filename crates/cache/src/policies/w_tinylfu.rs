//! W-TinyLFU: a small window lets everything in, and a sketch of how often objects were
//! requested says which of them may stay.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{HillClimb, Lists, PerSlot, Rising, Sketch, share, share_up};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`WTinyLfu`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "w-tinylfu",
        title: "Window TinyLFU: an object from a small LRU window stays if it was requested more often than another",
        exactness: Exactness::NotApplicable,
        hardware: "three orders of entries, and a table of 4-bit counters",
        cost: "O(1) amortised; two links and 8 to 16 bytes of counters per entry",
        source: "Einziger, Friedman and Manes, TinyLFU, ACM Transactions on Storage 2017",
        params: &[
            ParamSpec {
                name: "window",
                kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.01 },
                meaning: "share of the capacity for the window, 1 unit at least",
            },
            ParamSpec {
                name: "protected",
                kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.8 },
                meaning: "share of the rest for objects that were hit there",
            },
            ParamSpec {
                name: "sample",
                kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: Some(10) },
                meaning: "requests per entry after which all counters are halved",
            },
            ParamSpec::choice(
                "adapt",
                &["no", "climb"],
                "no",
                "whether the size of the window adapts: no, or climb (by hill climbing, as in Caffeine, which compares the                  hit ratios of samples of 10 requests per entry)",
            ),
        ],
    },
    also_known_as: &["tinylfu", "window-tinylfu"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<WTinyLfu>(),
};

/// The window, in which everything begins.
const WINDOW: usize = 0;
/// Objects not hit since they left the window, or since they were protected.
const PROBATION: usize = 1;
/// Objects that were hit after they had left the window.
const PROTECTED: usize = 2;

/// The paper's window, main cache (a segmented LRU) and sketch. Where the paper is
/// silent: an object larger than the window passes it by; with sizes, a candidate
/// contends with one victim after the other. All requests are counted when they arrive,
/// those that wait included.
///
/// With `adapt=climb`, what the window gains the protected objects lose (Caffeine). When the window grows, the oldest
/// objects of probation move into it, or those that are protected.
#[derive(Debug, Clone)]
pub struct WTinyLfu {
    capacity: u64,
    window: u64,
    protected: u64,
    climb: Option<HillClimb>,
    entries: Lists<3>,
    keys: PerSlot<u64>,
    sketch: Sketch,
}

/// The objects that contend for the last slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contest {
    /// The object that leaves the window (`None`: the new one) loses.
    Candidate(Option<Slot>),
    /// The main cache's victim loses.
    Main(Slot),
}

impl Build for WTinyLfu {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let window = share_up(shape.capacity, params.number("window")).max(1);
        let main = shape.capacity.saturating_sub(window);
        let climb = (params.text("adapt") == "climb").then(HillClimb::default);
        Ok(Self {
            capacity: shape.capacity,
            climb,
            window,
            protected: share(main, params.number("protected")),
            entries: Lists::new(shape.entries),
            keys: PerSlot::new(shape.entries),
            sketch: Sketch::new(shape.seed.part("sketch").0, params.integer("sample").unwrap_or(1)),
        })
    }
}

/// Requests in a sample for each entry of the cache.
const SAMPLE: u64 = 10;

impl WTinyLfu {
    /// Moves so much of the capacity from the protected objects to the window, or back.
    #[cold]
    fn adapt(&mut self, step: f64) {
        let moved = share(self.capacity, step.abs());
        if step > 0.0 {
            let moved = moved.min(self.protected);
            (self.window, self.protected) = (self.window + moved, self.protected - moved);
            self.protect();
            while let Some(oldest) = self.entries.back(PROBATION).or_else(|| self.entries.back(PROTECTED)) {
                if self.entries.total(WINDOW).saturating_add(self.entries.size(oldest)) > self.window {
                    break;
                }
                self.entries.move_to(WINDOW, oldest);
            }
        } else {
            let moved = moved.min(self.window - 1);
            (self.window, self.protected) = (self.window - moved, self.protected + moved);
            self.slide();
        }
    }

    /// Moves the oldest protected objects to probation until the others have room.
    #[inline]
    fn protect(&mut self) {
        while self.entries.total(PROTECTED) > self.protected {
            let Some(oldest) = self.entries.back(PROTECTED) else { break };
            self.entries.move_to(PROBATION, oldest);
        }
    }

    /// Moves the oldest objects of the window to probation until the others have room.
    #[inline]
    fn slide(&mut self) {
        while self.entries.total(WINDOW) > self.window {
            let Some(oldest) = self.entries.back(WINDOW) else { break };
            self.entries.move_to(PROBATION, oldest);
        }
    }

    fn entries(&self) -> usize {
        (0..3).map(|list| self.entries.len(list)).sum()
    }

    /// Who has to leave for `new`.
    #[inline]
    fn contest(&self, new: &Fetched) -> Contest {
        let main = self.entries.back(PROBATION).or_else(|| self.entries.back(PROTECTED));
        let passes_by = new.size > self.window;
        let candidate = if passes_by { None } else { self.entries.back(WINDOW) };
        let Some(main) = main else {
            // Then there is something in the window.
            return Contest::Candidate(self.entries.back(WINDOW));
        };
        if self.entries.total(WINDOW).saturating_add(new.size) <= self.window {
            return Contest::Main(main);
        }
        let key = candidate.map_or(new.key, |slot| self.keys[slot]);
        if self.sketch.count(key) > self.sketch.count(self.keys[main]) {
            Contest::Main(main)
        } else {
            Contest::Candidate(candidate)
        }
    }
}

impl CachePolicy for WTinyLfu {
    #[inline]
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        self.sketch.add(access.key);
        let sample = SAMPLE * self.entries() as u64;
        if let Some(step) = self.climb.as_mut().and_then(|climb| climb.request(slot.is_some(), sample)) {
            self.adapt(step);
        }
    }

    #[inline]
    fn hit(&mut self, slot: Slot, _: &Access) {
        // An object for which protection has no room would only drive out protected objects.
        if self.entries.list_of(slot) != Some(PROBATION) || self.entries.size(slot) > self.protected {
            return self.entries.to_front(slot);
        }
        self.entries.move_to(PROTECTED, slot);
        self.protect();
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.entries.resize(slot, size);
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        match self.contest(new) {
            Contest::Candidate(None) => Victim::New,
            Contest::Candidate(Some(slot)) | Contest::Main(slot) => Victim::Slot(slot),
        }
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        match self.contest(new) {
            Contest::Candidate(None) => Some(Victim::New),
            Contest::Candidate(Some(slot)) | Contest::Main(slot) if may_leave(slot) => Some(Victim::Slot(slot)),
            _ => {
                // The loser stays: then the main cache in its order, and the window last.
                let lists = [PROBATION, PROTECTED, WINDOW];
                let mut in_order = lists.into_iter().flat_map(|list| self.entries.from_back(list));
                in_order.find(|&slot| may_leave(slot)).map(Victim::Slot)
            }
        }
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.keys.set(slot, new.key);
        if new.size > self.window {
            self.entries.push_front(PROBATION, slot, new.size);
        } else {
            self.entries.push_front(WINDOW, slot, new.size);
            self.slide();
        }
        self.sketch.fit(self.entries());
    }

    #[inline]
    fn evict(&mut self, slot: Slot, _: &Entry) {
        self.entries.remove(slot);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.entries.remove(slot);
    }
}

impl Estimate for WTinyLfu {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, own: Slot, _: &Fetched) -> Option<f64> {
        let is_main = self.entries.list_of(slot) != Some(WINDOW) || slot == own;
        is_main.then(|| (1 + self.sketch.count(self.keys[slot])) as f64)
    }

    /// The number of recent requests for the object: first the loser of the contest, then the main cache in its order.
    /// No candidates if the new object is not admitted.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let (Contest::Candidate(Some(loser)) | Contest::Main(loser)) = self.contest(new) else { return };
        let mut rising = Rising::new(see);
        let main = self.entries.from_back(PROBATION).chain(self.entries.from_back(PROTECTED));
        for slot in std::iter::once(loser).chain(main.filter(|&slot| slot != loser)) {
            let count = 1 + self.sketch.count(self.keys[slot]);
            if rising.show(slot, count as f64).is_break() {
                return;
            }
        }
    }
}
