//! Random: any object leaves, each alike.

use crate::access::{Access, Fetched, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::LiveSlots;
use forebay_core::{About, Exactness, ParamError, Params, Rng};
use rand::RngExt as _;

/// The registry's entry for [`Random`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "random",
        title: "Random replacement: evicts any object, each equally likely",
        exactness: Exactness::NotApplicable,
        hardware: "a random number",
        cost: "O(1), nothing on a hit; two numbers per entry",
        source: "Belady, IBM Systems Journal 1966",
        params: &[],
    },
    also_known_as: &["rr"],
    offline: false,
    compared: Compared::OnRequest,
    make: Make::of::<Random>(),
};

/// How often one that may leave is looked for by drawing.
const DRAWS: usize = 16;

/// Draws from a stream of its own, once per victim. There is no MAD form: all objects
/// are equally likely to be wanted next, so nothing is estimated.
#[derive(Debug, Clone)]
pub struct Random {
    live: LiveSlots,
    rng: Rng,
}

impl Build for Random {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        Ok(Self { live: LiveSlots::new(shape.entries), rng: shape.seed.stream("policy/random") })
    }
}

impl CachePolicy for Random {
    #[inline]
    fn hit(&mut self, _: Slot, _: &Access) {}

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        if self.live.as_slice().is_empty() { Victim::New } else { Victim::Slot(self.live.draw(&mut self.rng)) }
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        // Each that may leave alike. Drawing again finds one soon, unless there are few.
        let slots = self.live.as_slice().len();
        for _ in 0..slots.min(DRAWS) {
            let slot = self.live.draw(&mut self.rng);
            if may_leave(slot) {
                return Some(Victim::Slot(slot));
            }
        }
        let may: Vec<Slot> = self.live.as_slice().iter().copied().filter(|&slot| may_leave(slot)).collect();
        (!may.is_empty()).then(|| Victim::Slot(may[self.rng.random_range(0..may.len())]))
    }

    #[inline]
    fn insert(&mut self, slot: Slot, _: &Fetched) {
        self.live.insert(slot);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.live.remove(slot);
    }
}
