//! Belady-AggregateDelay with sizes: the object leaves whose next miss costs least for the room and the time that it would
//! take up until then.

use crate::access::{Access, Fetched, Future, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Kinetic, LateHits, Line, PerSlot};
use forebay_core::{About, Exactness, ParamError, Params};

/// The registry's entry for [`BeladyAdSize`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "belady-ad-size",
        title: "Belady-AggregateDelay with sizes: evicts the lowest ratio of the next request's aggregate delay to size x time until then",
        exactness: Exactness::NotApplicable,
        hardware: "knowledge of the future",
        cost: "O(log n) to change, a polylogarithm in the mean to find the victim; 64 bytes per entry",
        source: "thesis 2.5.1, equation 2.45, with the size as in Belady-Size (Berger et al., SIGMETRICS 2018)",
        params: &[],
    },
    also_known_as: &["belady-aggregate-delay-size"],
    offline: true,
    compared: Compared::WithSizes,
    make: Make::of::<BeladyAdSize>(),
};

/// Keeps size x time / aggregate delay of each entry, which is linear in time. Of equal ones the one that entered or was hit
/// first leaves. A new object is not admitted if its own product is above all others.
///
/// With equal sizes this is [`BeladyAd`](super::belady_ad::BeladyAd), whose clock it has. It is a heuristic, and no bound.
#[derive(Debug, Clone)]
pub struct BeladyAdSize {
    order: Kinetic,
    sizes: PerSlot<u64>,
    stamp: u64,
    late: LateHits,
}

/// Time / aggregate delay of an object that is never requested again: more than any other.
const NEVER: f64 = 1e250;

/// Size x time to the next request / its aggregate delay. At `Fetched::time` the clock is one less.
fn inverse_cost(size: u64, future: Future) -> Line {
    let line = if future.next == Future::NEVER {
        Line::constant(NEVER)
    } else {
        Line::until(future.next.saturating_add(2)).times(1.0 / future.delay as f64)
    };
    line.times(size as f64)
}

impl BeladyAdSize {
    fn settle(&mut self, time: u64) {
        while let Some((slot, future)) = self.late.next_before(time) {
            self.set(slot, future);
        }
    }

    fn set(&mut self, slot: Slot, future: Future) {
        self.order.set(slot, inverse_cost(self.sizes[slot], future), self.stamp);
        self.stamp += 1;
    }
}

impl Build for BeladyAdSize {
    fn build(shape: &Shape, _: &Params) -> Result<Self, ParamError> {
        let (order, sizes) = (Kinetic::new(shape.entries), PerSlot::new(shape.entries));
        Ok(Self { order, sizes, stamp: 0, late: LateHits::default() })
    }
}

impl CachePolicy for BeladyAdSize {
    fn counts_requests(&self) -> bool {
        true
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        self.settle(access.time);
        self.late.push(slot, access);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.sizes[slot] = size;
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        self.settle(LateHits::until(new));
        let own = inverse_cost(new.size, new.future).at(new.time as f64);
        let cheapest = self.order.greatest(new.time as f64);
        let cheapest = cheapest.filter(|&slot| own <= self.order.value(slot, new.time as f64));
        cheapest.map_or(Victim::New, Victim::Slot)
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.sizes.set(slot, new.size);
        self.set(slot, new.future);
    }

    fn remove(&mut self, slot: Slot) {
        self.late.forget(slot);
        self.order.remove(slot);
    }
}
