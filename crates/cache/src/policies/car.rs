//! CAR: ARC with clocks for lists, so that a hit sets one bit.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::adaptive::{Adaptive, OFTEN, ONCE};
use crate::structures::{Isotonic, PerSlot, age};
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
        source: "Bansal and Modha, CAR, FAST 2004, figure 2",
        params: &[],
    },
    also_known_as: &["clock-with-adaptive-replacement"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Car>(),
};

/// The paper's algorithm, with sizes instead of numbers of objects (see [`Adaptive`]).
/// The back of a list is where its hand points.
///
/// With delayed hits, everything happens when a fetch completes, as if its requests arrived then: further ones set the
/// bit.
#[derive(Debug, Clone)]
pub struct Car {
    lists: Adaptive,
    referenced: PerSlot<bool>,
    /// Per slot: the tick of the last request.
    last: PerSlot<u64>,
    fit: Isotonic,
}

impl Build for Car {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            lists: Adaptive::new(shape),
            referenced: PerSlot::new(shape.entries),
            last: PerSlot::new(shape.entries),
            fit: Isotonic::default(),
        })
    }
}

impl Car {
    /// Moves the hands to an object that was not referenced: `replace()` of the paper.
    #[inline]
    fn turn(&mut self) -> Option<(usize, Slot)> {
        let target = self.lists.target().max(1.0);
        let entries = &mut self.lists.entries;
        loop {
            let enough = entries.total(ONCE) as f64 >= target;
            let from_once = !entries.is_empty(ONCE) && (enough || entries.is_empty(OFTEN));
            let list = if from_once { ONCE } else { OFTEN };
            let slot = entries.back(list)?;
            if !self.referenced[slot] {
                return Some((list, slot));
            }
            self.referenced[slot] = false;
            entries.move_to(OFTEN, slot);
        }
    }
}

impl CachePolicy for Car {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.referenced[slot] = true;
        self.last[slot] = access.time;
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.lists.entries.resize(slot, size);
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.turn().map_or(Victim::New, |(_, slot)| Victim::Slot(slot))
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        // If the clock that gives has none that may leave, the other one gives.
        let (list, _) = self.turn()?;
        let entries = &self.lists.entries;
        let mut in_order = entries.from_back(list).chain(entries.from_back(ONCE + OFTEN - list));
        in_order.find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let list = if self.lists.adapt(new).is_some() { OFTEN } else { ONCE };
        self.lists.insert(list, slot, new.size);
        self.referenced.set(slot, new.waiting > 1);
        self.last.set(slot, new.last);
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

impl Estimate for Car {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, own: Slot, new: &Fetched) -> Option<f64> {
        let Self { lists, last, .. } = self;
        let gives = lists.entries.list_of(slot) == lists.entries.list_of(own);
        gives.then(|| 1.0 / age(new.time, last[slot]))
    }

    /// The hands say which list has to give and where to begin; within it, the age of the
    /// last request, fitted to the order in the ring.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let Some((list, _)) = self.turn() else { return };
        let Self { lists, last, fit, .. } = self;
        fit.show(lists.entries.from_back(list).map(|slot| (slot, age(new.time, last[slot]))), see);
    }
}
