//! SIEVE: a queue whose hand evicts objects that were not requested, and leaves the others in place.

use crate::access::{Access, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Lists, Mark, PerSlot, age};
use forebay_core::{About, Exactness, ParamError, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Sieve`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "sieve",
        title: "SIEVE: a hand evicts objects that were not requested and leaves the others in place",
        exactness: Exactness::NotApplicable,
        hardware: "a queue, a hand, a bit per entry",
        cost: "O(1) amortised, one bit on a hit; two links and a bit per entry",
        source: "Zhang et al., SIEVE is simpler than LRU, NSDI 2024, algorithm 1",
        params: &[],
    },
    also_known_as: &[],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Sieve>(),
};

/// New objects enter at the front; the hand goes from the back to the front.
///
/// A request that waited with the one that fetched the object sets the bit, as a hit.
#[derive(Debug, Clone)]
pub struct Sieve {
    queue: Lists<1>,
    uses: PerSlot<Uses>,
    /// Where the next search begins; `None`: at the back.
    hand: Option<Slot>,
}

#[derive(Debug, Clone, Default)]
struct Uses {
    /// The tick of the last request.
    last: u64,
    /// Whether it was requested since the hand was there.
    visited: Mark,
}

impl Uses {
    fn is_visited(&self) -> bool {
        self.visited.get() > 0
    }
}

impl Sieve {
    /// Moves the hand to an object that was not requested.
    #[inline]
    fn sift(&mut self) -> Option<Slot> {
        let mut slot = self.hand.or_else(|| self.queue.back(0))?;
        while self.uses[slot].is_visited() {
            self.uses[slot].visited.set(0);
            slot = self.queue.towards_front(slot).or_else(|| self.queue.back(0))?;
        }
        self.hand = Some(slot);
        Some(slot)
    }
}

/// All slots from the hand on, once around.
fn from_hand(queue: &Lists<1>, hand: Option<Slot>) -> impl Iterator<Item = Slot> {
    let hand = hand.or_else(|| queue.back(0));
    let front = std::iter::successors(hand, |&slot| queue.towards_front(slot));
    front.chain(queue.from_back(0).take_while(move |&slot| Some(slot) != hand))
}

impl Build for Sieve {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        let (queue, uses) = (Lists::new(shape.entries), PerSlot::new(shape.entries));
        Ok(Self { queue, uses, hand: None })
    }
}

impl CachePolicy for Sieve {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        let uses = &mut self.uses[slot];
        uses.last = access.time;
        uses.visited.set(1);
    }

    #[inline]
    fn mark(&self, slot: Slot) -> bool {
        self.uses[slot].visited.raise(1);
        true
    }

    fn marks(&self) -> bool {
        true
    }

    fn set_capacity(&mut self, _: u64) -> bool {
        true
    }

    fn eviction_order(&self) -> Option<Vec<Slot>> {
        Some(from_hand(&self.queue, self.hand).collect())
    }

    fn weighs_latency(&self) -> bool {
        false
    }

    fn recorded_hits(&self, slot: Slot) -> u8 {
        self.uses[slot].visited.get()
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.queue.resize(slot, size);
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.sift().map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        self.sift()?;
        let Self { queue, uses, hand } = &*self;
        let with = |visited: bool| from_hand(queue, *hand).filter(move |&slot| uses[slot].is_visited() == visited);
        let mut in_order = with(false).chain(with(true));
        in_order.find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.uses.set(slot, Uses { last: new.last, visited: Mark::new(u8::from(new.waiting > 1)) });
        self.queue.push_front(0, slot, new.size);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        if self.hand == Some(slot) {
            self.hand = self.queue.towards_front(slot);
        }
        self.queue.remove(slot);
    }
}

impl Estimate for Sieve {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        let uses = &self.uses[slot];
        (!uses.is_visited()).then(|| 1.0 / age(new.time, uses.last))
    }

    /// The age of the last request of those that were not requested since the hand passed;
    /// the others are not for eviction, whatever their delays. The hand's order is not
    /// one of ages, so only its own choice is put first, as if it were the oldest.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        self.sift();
        let Self { queue, uses, hand, .. } = self;
        let unvisited = || from_hand(queue, *hand).filter(|&slot| !uses[slot].is_visited());
        let age = |slot: Slot| age(new.time, uses[slot].last);
        let oldest = unvisited().map(age).fold(1.0, f64::max);
        for (place, slot) in unvisited().enumerate() {
            let time = if place == 0 { oldest } else { age(slot) };
            if see(slot, 1.0 / time).is_break() {
                return;
            }
        }
    }
}
