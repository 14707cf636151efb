//! Marking: of the objects that were not requested in this phase one leaves, each alike.

use crate::access::{Access, Fetched, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{LiveSlots, PerSlot};
use forebay_core::{About, Exactness, ParamError, Params, Rng};
use rand::RngExt as _;

/// The registry's entry for [`Marking`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "marking",
        title: "Randomised marking: evicts any object not requested in this phase, each equally likely",
        exactness: Exactness::NotApplicable,
        hardware: "a bit per entry, a random number",
        cost: "O(1); three numbers per entry",
        source: "Fiat, Karp, Luby, McGeoch, Sleator and Young, Competitive paging algorithms, Journal of Algorithms 1991",
        params: &[],
    },
    also_known_as: &["randomised-marking", "randomized-marking"],
    offline: false,
    compared: Compared::OnRequest,
    make: Make::of::<Marking>(),
};

/// A request marks its object, be it a hit or one that waits for the fetch. When all entries are marked and one has to leave, a phase
/// ends, and no entry is marked any more.
///
/// In the classical model no deterministic policy has a competitive ratio below `k`, and this one has 2 H(k) (`k` entries). There is no
/// MAD form: all that are not marked are equally likely to be wanted next.
#[derive(Debug, Clone)]
pub struct Marking {
    /// One has the marked slots, the other those that are not: which one changes with each phase.
    halves: [LiveSlots; 2],
    unmarked: usize,
    /// Per slot: in which half it is.
    half: PerSlot<usize>,
    rng: Rng,
}

impl Marking {
    /// Begins a phase if all are marked.
    fn turn(&mut self) {
        if self.halves[self.unmarked].as_slice().is_empty() {
            self.unmarked = 1 - self.unmarked;
        }
    }
}

impl Build for Marking {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        let halves = [LiveSlots::new(shape.entries), LiveSlots::new(shape.entries)];
        Ok(Self { halves, unmarked: 0, half: PerSlot::new(shape.entries), rng: shape.seed.stream("policy/marking") })
    }
}

impl CachePolicy for Marking {
    #[inline]
    fn hit(&mut self, slot: Slot, _: &Access) {
        if self.half[slot] == self.unmarked {
            self.remove(slot);
            self.half[slot] = 1 - self.unmarked;
            self.halves[1 - self.unmarked].insert(slot);
        }
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.turn();
        let unmarked = &self.halves[self.unmarked];
        if unmarked.as_slice().is_empty() { Victim::New } else { Victim::Slot(unmarked.draw(&mut self.rng)) }
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        self.turn();
        for half in [self.unmarked, 1 - self.unmarked] {
            let slots = self.halves[half].as_slice();
            let may: Vec<Slot> = slots.iter().copied().filter(|&slot| may_leave(slot)).collect();
            if !may.is_empty() {
                return Some(Victim::Slot(may[self.rng.random_range(0..may.len())]));
            }
        }
        None
    }

    #[inline]
    fn insert(&mut self, slot: Slot, _: &Fetched) {
        self.half.set(slot, 1 - self.unmarked);
        self.halves[1 - self.unmarked].insert(slot);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.halves[self.half[slot]].remove(slot);
    }
}
