//! ARC: two LRU lists, one for objects seen once and one for others, and two lists of
//! ghosts that say which of them should be longer.

use crate::access::{Access, Fetched, Slot};
use crate::cache::Entry;
use crate::estimate::Estimate;
use crate::mad::{Counters, MadDefaults};
use crate::policy::{Build, Make, Policy, PolicyEntry, Shape, Victim};
use crate::structures::{GhostLists, Line, Lists, PerSlot, Rising, by_age};
use forebay_core::{About, Exactness, ParamError, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Arc`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "arc",
        title: "Adaptive replacement: balances objects seen once and objects seen often by the ghosts of both",
        exactness: Exactness::NotApplicable,
        hardware: "two orders of all entries, and a table of as many ghosts",
        cost: "O(1); two links per entry, and ghosts of one more capacity",
        source: "Megiddo and Modha, FAST 2003, figure 4",
        params: &[],
    },
    also_known_as: &["adaptive-replacement-cache"],
    offline: false,
    make: Make::with_mad::<Arc>(),
};

/// T1 and B1 of the paper: objects requested once since they came.
const ONCE: usize = 0;
/// T2 and B2 of the paper: objects requested twice or more.
const OFTEN: usize = 1;

/// The paper's algorithm, with sizes instead of numbers of objects: the target and the
/// limits of the ghosts are in the unit of the capacity, and a ghost that is requested
/// moves the target by its size times the paper's step. With sizes of 1 it is the
/// paper's.
///
/// With delayed hits all happens when a fetch completes, as if its requests came then:
/// the first enters the object, each further one hits it.
#[derive(Debug, Clone)]
pub struct Arc {
    capacity: u64,
    /// p of the paper: how much `ONCE` should hold.
    target: f64,
    entries: Lists<2>,
    ghosts: GhostLists<2>,
    /// Per place: the tick of the last request.
    last: PerSlot<u64>,
    arriving: Option<Arriving>,
}

/// The object for which room is being made.
#[derive(Debug, Clone, Copy)]
struct Arriving {
    key: u64,
    /// The list of ghosts in which it was.
    ghost: Option<usize>,
}

impl Build for Arc {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            capacity: shape.capacity,
            target: 0.0,
            entries: Lists::new(shape.entries),
            ghosts: GhostLists::new(shape.entries),
            last: PerSlot::new(shape.entries),
            arriving: None,
        })
    }
}

impl Arc {
    /// How much the list of objects requested once should hold: p of the paper.
    #[must_use]
    pub fn target(&self) -> f64 {
        self.target
    }

    /// Adapts the target if the object is a ghost (cases II and III of the paper), once
    /// per fetch; says in which list of ghosts it was.
    #[inline]
    fn arrive(&mut self, new: &Fetched) -> Option<usize> {
        if let Some(Arriving { key, ghost }) = self.arriving
            && key == new.key
        {
            return ghost;
        }
        let (once, often) = (self.ghosts.total(ONCE) as f64, self.ghosts.total(OFTEN) as f64);
        let ghost = self.ghosts.remove(new.key).map(|(list, _)| list);
        let size = new.size as f64;
        match ghost {
            Some(ONCE) => self.target = (self.target + size * (often / once).max(1.0)).min(self.capacity as f64),
            Some(_) => self.target = (self.target - size * (once / often).max(1.0)).max(0.0),
            None => {}
        }
        self.arriving = Some(Arriving { key: new.key, ghost });
        ghost
    }

    /// The list that has to give: REPLACE of the paper.
    #[inline]
    fn giving(&mut self, new: &Fetched) -> usize {
        let ghost = self.arrive(new);
        let once = self.entries.total(ONCE) as f64;
        let gives = once > self.target || (ghost == Some(OFTEN) && once >= self.target);
        if self.entries.is_empty(OFTEN) || (gives && !self.entries.is_empty(ONCE)) { ONCE } else { OFTEN }
    }
}

impl Policy for Arc {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.entries.move_to(OFTEN, slot);
        self.last[slot] = access.time;
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        let list = self.giving(new);
        self.entries.back(list).map_or(Victim::New, Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let ghost = self.arrive(new);
        self.arriving = None;
        self.last.set(slot, new.last);
        let list = if ghost.is_some() { OFTEN } else { ONCE };
        self.entries.push_front(list, slot, new.size);
        // Case IV of the paper forgets ghosts first and then makes room. The order makes
        // no difference, and this way the limits also hold for sizes.
        self.ghosts.shrink_to(ONCE, self.capacity.saturating_sub(self.entries.total(ONCE)));
        let held = self.entries.total(ONCE) + self.entries.total(OFTEN) + self.ghosts.total(ONCE);
        self.ghosts.shrink_to(OFTEN, self.capacity.saturating_mul(2).saturating_sub(held));
        if list == ONCE && new.waiting > 1 {
            self.entries.move_to(OFTEN, slot);
        }
    }

    #[inline]
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        let list = self.entries.remove(slot);
        self.ghosts.push(list, entry.key, entry.size);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.entries.remove(slot);
    }
}

impl Estimate for Arc {
    /// As the ARC-MAD of the thesis counts.
    const MAD: MadDefaults = MadDefaults { counters: Counters::Forever, open_window: false, proven: 3 };
    const GROUPS: usize = 2;

    fn group(&self, slot: Slot) -> usize {
        self.entries.list_of(slot).unwrap_or(ONCE)
    }

    /// The age: what was not requested for long will not be requested for as long.
    fn line(&self, slot: Slot) -> Line {
        Line::since(self.last[slot])
    }

    /// ARC says which list has to give.
    fn victims(&mut self, new: &Fetched) -> usize {
        self.giving(new)
    }

    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let list = self.giving(new);
        let mut rising = Rising::new(see);
        for slot in self.entries.from_back(list) {
            if rising.show(slot, by_age(new.time, self.last[slot])).is_break() {
                return;
            }
        }
    }
}
