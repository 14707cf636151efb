//! SIEVE-k: SIEVE with a counter for each entry, so that an object that is requested often outlasts a scan.

use crate::access::{Access, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Lists, Mark, PerSlot, age};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`SieveK`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "sieve-k",
        title: "SIEVE-k: a hand lowers counters of requests, evicts at 0 and leaves the others in place",
        exactness: Exactness::NotApplicable,
        hardware: "a queue, a hand, a counter per entry",
        cost: "O(1) amortised, one counter on a hit; two links and a counter per entry; one victim may take O(k n)",
        source: "Brooker, Why aren't we SIEVE-ing?, 2023; SIEVE: Zhang et al., NSDI 2024, algorithm 1",
        params: &[ParamSpec {
            name: "k",
            kind: ParamKind::Integer { min: 1, max: 255, default: Some(3) },
            meaning: "greatest count of an entry; 1: SIEVE",
        }],
    },
    also_known_as: &[],
    offline: false,
    compared: Compared::OnRequest,
    make: Make::with_mad::<SieveK>(),
};

/// New objects enter at the front; the hand goes from the back to the front.
///
/// A hit raises the counter, up to k. The hand lowers the counters that it passes. The requests that waited with the one that
/// fetched the object count as hits.
#[derive(Debug, Clone)]
pub struct SieveK {
    queue: Lists<1>,
    uses: PerSlot<Uses>,
    /// Where the next search begins; `None`: at the back.
    hand: Option<Slot>,
    most: u8,
}

#[derive(Debug, Clone, Default)]
struct Uses {
    /// The tick of the last request.
    last: u64,
    /// Hits, less the passes of the hand.
    count: Mark,
}

impl SieveK {
    /// Moves the hand to an object whose count is 0.
    #[inline]
    fn sift(&mut self) -> Option<Slot> {
        let mut slot = self.hand.or_else(|| self.queue.back(0))?;
        while self.uses[slot].count.lower() {
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

impl Build for SieveK {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let (queue, uses) = (Lists::new(shape.entries), PerSlot::new(shape.entries));
        let most = params.integer("k").and_then(|most| u8::try_from(most).ok()).unwrap_or(u8::MAX);
        Ok(Self { queue, uses, hand: None, most })
    }
}

impl CachePolicy for SieveK {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        let uses = &mut self.uses[slot];
        uses.last = access.time;
        uses.count.raise(self.most);
    }

    #[inline]
    fn mark(&self, slot: Slot) -> bool {
        self.uses[slot].count.raise(self.most);
        true
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
        let Self { queue, uses, hand, most } = &*self;
        // The hand would reach those with the least count first.
        let with = |count: u8| from_hand(queue, *hand).filter(move |&slot| uses[slot].count.get() == count);
        (0..=*most).flat_map(with).find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let hits = u8::try_from(new.waiting - 1).map_or(self.most, |hits| hits.min(self.most));
        self.uses.set(slot, Uses { last: new.last, count: Mark::new(hits) });
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

impl Estimate for SieveK {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        let uses = &self.uses[slot];
        (uses.count.get() == 0).then(|| 1.0 / age(new.time, uses.last))
    }

    /// The age of the last request of those with a count of 0; the others are not for eviction, whatever their delays. The hand's order is not
    /// one of ages, so only its own choice is put first, as if it were the oldest.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        self.sift();
        let Self { queue, uses, hand, .. } = self;
        let uncounted = || from_hand(queue, *hand).filter(|&slot| uses[slot].count.get() == 0);
        let age = |slot: Slot| age(new.time, uses[slot].last);
        let oldest = uncounted().map(age).fold(1.0, f64::max);
        for (place, slot) in uncounted().enumerate() {
            let time = if place == 0 { oldest } else { age(slot) };
            if see(slot, 1.0 / time).is_break() {
                return;
            }
        }
    }
}
