//! Belady-AggregateDelay: the object leaves whose next miss costs least for the time that
//! it would take up room until then.

use crate::access::{Access, Fetched, Future, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Kinetic, LateHits, Line};
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};

/// The registry's entry for [`BeladyAd`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "belady-ad",
        title: "Belady-AggregateDelay: evicts the lowest ratio of the next request's aggregate delay to the time until then",
        exactness: Exactness::NotApplicable,
        hardware: "knowledge of the future",
        cost: "O(log n) to change, a polylogarithm in the mean to find the victim; 56 bytes per entry",
        source: "thesis 2.5.1, equation 2.45; Atre et al., SIGCOMM 2020",
        params: &[ParamSpec::choice(
            "rank",
            &["ratio", "delay"],
            "ratio",
            "number that the victim has least of: ratio (aggregate delay / time to the next request) or delay (the aggregate delay alone, \
             which figure 2.15 of the thesis rejects)",
        )],
    },
    also_known_as: &["belady-aggregate-delay"],
    offline: true,
    compared: Compared::Always,
    make: Make::of::<BeladyAd>(),
};

/// Keeps 1 / cost of each entry, which is linear in time. Of equal ones the one that
/// entered or was hit first leaves.
///
/// The clock counts slots: a fetch is complete in the slot before its object can be hit, and a request in slot `t` is
/// `t - clock + 1` away. A new object is not admitted if its cost is strictly below all others. For a hit in the slot
/// in which a fetch ends, see [`LateHits`].
#[derive(Debug, Clone)]
pub struct BeladyAd {
    order: Kinetic,
    stamp: u64,
    late: LateHits,
    weighs_time: bool,
}

/// 1 / cost of an object that is never requested again.
const NEVER: f64 = 1e300;

impl BeladyAd {
    /// Time to the next request / its aggregate delay, or 1 / the aggregate delay. At `Fetched::time` the clock is one less.
    fn inverse_cost(&self, future: Future) -> Line {
        if future.next == Future::NEVER {
            return Line::constant(NEVER);
        }
        let time = if self.weighs_time { Line::until(future.next.saturating_add(2)) } else { Line::constant(1.0) };
        time.times(1.0 / future.delay as f64)
    }

    fn settle(&mut self, time: u64) {
        while let Some((slot, future)) = self.late.next_before(time) {
            self.set(slot, future);
        }
    }

    fn set(&mut self, slot: Slot, future: Future) {
        self.order.set(slot, self.inverse_cost(future), self.stamp);
        self.stamp += 1;
    }
}

impl Build for BeladyAd {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let weighs_time = params.text("rank") == "ratio";
        Ok(Self { order: Kinetic::new(shape.entries), stamp: 0, late: LateHits::default(), weighs_time })
    }
}

impl CachePolicy for BeladyAd {
    fn counts_requests(&self) -> bool {
        true
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        self.settle(access.time);
        self.late.push(slot, access);
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        self.settle(LateHits::until(new));
        let own = self.inverse_cost(new.future).at(new.time as f64);
        let cheapest = self.order.greatest(new.time as f64);
        let cheapest = cheapest.filter(|&slot| own <= self.order.value(slot, new.time as f64));
        cheapest.map_or(Victim::New, Victim::Slot)
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.set(slot, new.future);
    }

    fn remove(&mut self, slot: Slot) {
        self.late.forget(slot);
        self.order.remove(slot);
    }
}
