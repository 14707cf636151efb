//! Random: any object leaves, each alike.

use crate::access::{Access, Fetched, Slot};
use crate::policy::{Build, Make, Policy, PolicyEntry, Shape, Victim};
use crate::structures::LiveSlots;
use forebay_core::{About, Exactness, ParamError, Params, Rng};

/// The registry's entry for [`Random`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "random",
        title: "Random replacement: any object leaves, each alike",
        exactness: Exactness::NotApplicable,
        hardware: "a random number",
        cost: "O(1), nothing on a hit; two numbers per entry",
        source: "Belady, IBM Systems Journal 1966",
        params: &[],
    },
    also_known_as: &["rr"],
    offline: false,
    make: Make::of::<Random>(),
};

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

impl Policy for Random {
    #[inline]
    fn hit(&mut self, _: Slot, _: &Access) {}

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        if self.live.as_slice().is_empty() { Victim::New } else { Victim::Slot(self.live.draw(&mut self.rng)) }
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
