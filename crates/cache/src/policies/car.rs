//! CAR: ARC with clocks for lists, so that a hit sets one bit.

use crate::access::{Access, Fetched, Slot};
use crate::cache::Entry;
use crate::estimate::Estimate;
use crate::policy::{Build, Make, Policy, PolicyEntry, Shape, Victim};
use crate::structures::{GhostLists, Lists, PerSlot, Rising, by_age};
use forebay_core::{About, Exactness, ParamError, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Car`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "car",
        title: "Clock with adaptive replacement: ARC with two clocks, so that a hit sets one bit",
        exactness: Exactness::NotApplicable,
        hardware: "one bit per entry, two rings with a hand each, and a table of as many ghosts",
        cost: "O(1) amortised; two links and a bit per entry, and ghosts of one more capacity",
        source: "Bansal and Modha, FAST 2004, figure 2",
        params: &[],
    },
    also_known_as: &["clock-with-adaptive-replacement"],
    offline: false,
    make: Make::with_mad::<Car>(),
};

/// T1 and B1 of the paper: objects requested once for some time.
const ONCE: usize = 0;
/// T2 and B2 of the paper: objects requested again later.
const OFTEN: usize = 1;

/// The paper's algorithm, with sizes instead of numbers of objects as in ARC: with sizes
/// of 1 it is the paper's. The back of a list is where its hand points.
///
/// With delayed hits all happens when a fetch completes, as if its requests came then:
/// further ones set the bit.
#[derive(Debug, Clone)]
pub struct Car {
    capacity: u64,
    /// p of the paper: how much `ONCE` should hold.
    target: f64,
    entries: Lists<2>,
    ghosts: GhostLists<2>,
    referenced: PerSlot<bool>,
    /// Per place: the tick of the last request.
    last: PerSlot<u64>,
}

impl Build for Car {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            capacity: shape.capacity,
            target: 0.0,
            entries: Lists::new(shape.entries),
            ghosts: GhostLists::new(shape.entries),
            referenced: PerSlot::new(shape.entries),
            last: PerSlot::new(shape.entries),
        })
    }
}

impl Car {
    /// Moves the hands to an object that was not referenced: `replace()` of the paper.
    #[inline]
    fn turn(&mut self) -> Option<(usize, Slot)> {
        loop {
            let enough = self.entries.total(ONCE) as f64 >= self.target.max(1.0);
            let from_once = !self.entries.is_empty(ONCE) && (enough || self.entries.is_empty(OFTEN));
            let list = if from_once { ONCE } else { OFTEN };
            let slot = self.entries.back(list)?;
            if !self.referenced[slot] {
                return Some((list, slot));
            }
            self.referenced[slot] = false;
            self.entries.move_to(OFTEN, slot);
        }
    }

    /// Forgets a ghost that came back, and adapts the target; says whether it was one.
    #[inline]
    fn adapt(&mut self, new: &Fetched) -> bool {
        let (once, often) = (self.ghosts.total(ONCE) as f64, self.ghosts.total(OFTEN) as f64);
        let size = new.size as f64;
        match self.ghosts.remove(new.key) {
            Some((ONCE, _)) => self.target = (self.target + size * (often / once).max(1.0)).min(self.capacity as f64),
            Some(_) => self.target = (self.target - size * (once / often).max(1.0)).max(0.0),
            None => return false,
        }
        true
    }
}

impl Policy for Car {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.referenced[slot] = true;
        self.last[slot] = access.time;
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.turn().map_or(Victim::New, |(_, slot)| Victim::Slot(slot))
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let list = if self.adapt(new) { OFTEN } else { ONCE };
        self.entries.push_front(list, slot, new.size);
        self.referenced.set(slot, new.waiting > 1);
        self.last.set(slot, new.last);
        // The paper forgets before it inserts, if the sum would be too much: the same.
        self.ghosts.shrink_to(ONCE, self.capacity.saturating_sub(self.entries.total(ONCE)));
        let held = self.entries.total(ONCE) + self.entries.total(OFTEN) + self.ghosts.total(ONCE);
        self.ghosts.shrink_to(OFTEN, self.capacity.saturating_mul(2).saturating_sub(held));
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

impl Estimate for Car {
    /// The hands say which list has to give and where to begin; within it, the age.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let Some((list, _)) = self.turn() else { return };
        let mut rising = Rising::new(see);
        for slot in self.entries.from_back(list) {
            if rising.show(slot, by_age(new.time, self.last[slot])).is_break() {
                return;
            }
        }
    }
}
