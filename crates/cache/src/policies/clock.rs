//! CLOCK: FIFO in which an object that was requested gets another round.

use crate::access::{Access, Fetched, Slot};
use crate::estimate::Estimate;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Isotonic, Lists, Mark, PerSlot, age};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The registry's entry for [`Clock`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "clock",
        title: "CLOCK, or second chance: FIFO in which a requested object gets another round",
        exactness: Exactness::NotApplicable,
        hardware: "a ring, a hand, reference bits",
        cost: "O(1) amortised, one counter on a hit; two links and a counter per entry",
        source: "Corbató, A paging experiment with the Multics system, MIT 1968; more bits: Smith, TODS 1978",
        params: &[ParamSpec {
            name: "bits",
            kind: ParamKind::Integer { min: 1, max: 4, default: Some(1) },
            meaning: "reference bits per entry: hits are counted up to 2^bits - 1, each is worth a round",
        }],
    },
    also_known_as: &["second-chance", "fifo-reinsertion", "gclock"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Clock>(),
};

/// The ring as a list. The hand points at the back. A new object enters at the front, behind the hand, and an object
/// that gets another round moves there.
///
/// The request that fetches an object does not set its bit (the paper is silent); requests that waited with it count as
/// hits.
#[derive(Debug, Clone)]
pub struct Clock {
    ring: Lists<1>,
    uses: PerSlot<Uses>,
    most: u8,
    fit: Isotonic,
}

#[derive(Debug, Clone, Default)]
struct Uses {
    /// The tick of the last request.
    last: u64,
    /// Rounds that the object is still to get.
    rounds: Mark,
}

impl Clock {
    /// Moves the hand to an object that gets no other round.
    fn turn(&mut self) -> Option<Slot> {
        loop {
            let slot = self.ring.back(0)?;
            if !self.uses[slot].rounds.lower() {
                return Some(slot);
            }
            self.ring.to_front(slot);
        }
    }
}

impl Build for Clock {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let bits = params.integer("bits").unwrap_or(1);
        let most = u8::try_from((1_u64 << bits) - 1).expect("at most 4 bits");
        let (ring, uses) = (Lists::new(shape.entries), PerSlot::new(shape.entries));
        Ok(Self { ring, uses, most, fit: Isotonic::default() })
    }
}

impl CachePolicy for Clock {
    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        let uses = &mut self.uses[slot];
        uses.last = access.time;
        uses.rounds.raise(self.most);
    }

    #[inline]
    fn mark(&self, slot: Slot) -> bool {
        self.uses[slot].rounds.raise(self.most);
        true
    }

    fn marks(&self) -> bool {
        true
    }

    fn set_capacity(&mut self, _: u64) -> bool {
        true
    }

    fn eviction_order(&self) -> Option<Vec<Slot>> {
        Some(self.ring.from_back(0).collect())
    }

    fn weighs_latency(&self) -> bool {
        false
    }

    fn recorded_hits(&self, slot: Slot) -> u8 {
        self.uses[slot].rounds.get()
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.ring.resize(slot, size);
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.turn().map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        self.turn()?;
        // The hand would reach those without another round first.
        let Self { ring, uses, most, .. } = &*self;
        let with = |rounds: u8| ring.from_back(0).filter(move |&slot| uses[slot].rounds.get() == rounds);
        let mut in_order = (0..=*most).flat_map(with);
        in_order.find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let rounds = u8::try_from(new.waiting - 1).map_or(self.most, |hits| hits.min(self.most));
        self.uses.set(slot, Uses { last: new.last, rounds: Mark::new(rounds) });
        self.ring.push_front(0, slot, new.size);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.ring.remove(slot);
    }
}

impl Estimate for Clock {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, _: Slot, new: &Fetched) -> Option<f64> {
        Some(1.0 / age(new.time, self.uses[slot].last))
    }

    /// The age of the last request, fitted to the order in which the hand would evict if nothing more were requested.
    /// Objects without another round are first, then those with one, and so on.
    fn candidates(&mut self, new: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        self.turn();
        let Self { ring, uses, most, fit } = self;
        let uses = &*uses;
        let with = |rounds: u8| ring.from_back(0).filter(move |&slot| uses[slot].rounds.get() == rounds);
        let in_order = (0..=*most).flat_map(with);
        let times = in_order.map(|slot| (slot, age(new.time, uses[slot].last)));
        fit.show(times.take(ring.len(0)), see);
    }
}
