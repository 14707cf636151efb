//! ARC: two LRU lists, one for objects seen once and one for others, and two lists of
//! ghosts that say which of them should be longer.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::Estimate;
use crate::mad::MadDefaults;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::adaptive::{Adaptive, OFTEN, ONCE};
use crate::structures::{Line, PerSlot, age};
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
        source: "Megiddo and Modha, ARC, FAST 2003, figure 4",
        params: &[],
    },
    also_known_as: &["adaptive-replacement-cache"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Arc>(),
};

/// The paper's algorithm, with sizes instead of numbers of objects (see [`Adaptive`]).
///
/// With delayed hits, everything happens when a fetch completes, as if its requests arrived then: the first inserts the
/// object, each further one hits it.
#[derive(Debug, Clone)]
pub struct Arc {
    lists: Adaptive,
    /// Per slot: the tick of the last request.
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
        Ok(Self { lists: Adaptive::new(shape), last: PerSlot::new(shape.entries), arriving: None })
    }
}

impl Arc {
    /// How much the list of objects requested once should hold: p of the paper.
    #[must_use]
    pub fn target(&self) -> f64 {
        self.lists.target()
    }

    /// Adapts the target if the object is a ghost (cases II and III of the paper), once
    /// per fetch; returns in which list of ghosts it was.
    #[inline]
    fn arrive(&mut self, new: &Fetched) -> Option<usize> {
        if let Some(Arriving { key, ghost }) = self.arriving
            && key == new.key
        {
            return ghost;
        }
        let ghost = self.lists.adapt(new);
        self.arriving = Some(Arriving { key: new.key, ghost });
        ghost
    }

    /// The list that has to give: REPLACE of the paper.
    #[inline]
    fn giving(&mut self, new: &Fetched) -> usize {
        let ghost = self.arrive(new);
        let Adaptive { entries, .. } = &self.lists;
        let (once, target) = (entries.total(ONCE) as f64, self.lists.target());
        let gives = once > target || (ghost == Some(OFTEN) && once >= target);
        if entries.is_empty(OFTEN) || (gives && !entries.is_empty(ONCE)) { ONCE } else { OFTEN }
    }
}

impl CachePolicy for Arc {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.lists.entries.move_to(OFTEN, slot);
        self.last[slot] = access.time;
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.lists.entries.resize(slot, size);
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        let list = self.giving(new);
        self.lists.entries.back(list).map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        // If the list that gives has none that may leave, the other one gives.
        let list = self.giving(new);
        let entries = &self.lists.entries;
        let mut in_order = entries.from_back(list).chain(entries.from_back(ONCE + OFTEN - list));
        in_order.find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let ghost = self.arrive(new);
        self.arriving = None;
        self.last.set(slot, new.last);
        let list = if ghost.is_some() { OFTEN } else { ONCE };
        self.lists.insert(list, slot, new.size);
        if list == ONCE && new.waiting > 1 {
            self.lists.entries.move_to(OFTEN, slot);
        }
    }

    #[inline]
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        self.lists.evict(slot, entry);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.lists.entries.remove(slot);
    }
}

impl Estimate for Arc {
    const MAD: MadDefaults = MadDefaults::ARC;
    const GROUPS: usize = 2;

    fn group(&self, slot: Slot) -> usize {
        self.lists.entries.list_of(slot).unwrap_or(ONCE)
    }

    /// The age: an object that was not requested for long will not be requested for as long.
    fn line(&self, slot: Slot) -> Line {
        Line::since(self.last[slot])
    }

    /// ARC says which list has to give.
    fn victims(&mut self, new: &Fetched) -> Option<usize> {
        Some(self.giving(new))
    }

    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let list = self.giving(new);
        for slot in self.lists.entries.from_back(list) {
            if see(slot, 1.0 / age(new.time, self.last[slot])).is_break() {
                return;
            }
        }
    }
}
