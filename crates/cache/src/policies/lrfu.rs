//! LRFU: each request counts, and counts less the longer ago it was.

use crate::access::{Access, Fetched, Slot};
use crate::estimate::{Estimate, first_candidate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Heap, Ordered, PerSlot};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use std::f64::consts::LN_2;
use std::ops::ControlFlow;

/// The registry's entry for [`Lrfu`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "lrfu",
        title: "Least recently/frequently used: counts requests, each with a weight that decays with its age",
        exactness: Exactness::NotApplicable,
        hardware: "a priority queue, a counter of requests, a power of two per request",
        cost: "O(log n); a heap node and two numbers per entry",
        source: "Lee, Choi, Kim, Noh, Min, Cho and Kim, LRFU, IEEE Transactions on Computers 2001",
        params: &[ParamSpec {
            name: "lambda",
            kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.001 },
            meaning: "a request x requests ago has the weight (1/2)^(lambda x): 0 is LFU, 1 is LRU",
        }],
    },
    also_known_as: &["least-recently-frequently-used"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Lrfu>(),
};

/// The object of least CRF leaves: the paper's combined recency and frequency, the sum of
/// (1/2)^(lambda x) over the requests since the object entered, with x the requests since.
/// Of equal ones, the least recently used leaves.
///
/// All values decay alike, so that their order changes only for the requested object. The
/// heap compares logarithms: log2 of the CRF at the last request plus lambda times the
/// clock at that request. Whole and fractional part are apart, so that neither overflow nor
/// lost digits limit the length of a trace.
///
/// The clock counts the requests that hit, and those that waited when their object enters:
/// as if they had come then, one after the other. So `lambda=1` is LRU and `lambda=0` is LFU
/// with delayed hits as well.
#[derive(Debug, Clone)]
pub struct Lrfu {
    order: Heap<Rank>,
    values: PerSlot<Value>,
    lambda: f64,
    clock: u64,
}

/// The CRF at the last request, and the clock then.
#[derive(Debug, Clone, Copy, Default)]
struct Value {
    crf: f64,
    last: u64,
}

/// log2(CRF) + lambda x clock, and the clock for equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    whole: Ordered,
    /// From 0 to below 1.
    fraction: Ordered,
    last: u64,
}

impl Rank {
    /// How many times as large a CRF is as another.
    fn over(&self, other: &Self) -> f64 {
        /// Above, an object is out of the question, and products with delays would overflow.
        const MOST_DOUBLINGS: f64 = 900.0;
        let doublings = self.whole.0 - other.whole.0 + (self.fraction.0 - other.fraction.0);
        doublings.clamp(0.0, MOST_DOUBLINGS).exp2()
    }
}

impl Value {
    fn rank(self, lambda: f64) -> Rank {
        let clock = self.last as f64;
        let product = lambda * clock;
        let lost = lambda.mul_add(clock, -product);
        let rest = product.fract() + lost + self.crf.log2();
        Rank { whole: Ordered(product.trunc() + rest.floor()), fraction: Ordered(rest - rest.floor()), last: self.last }
    }
}

impl Lrfu {
    /// The paper's F: the weight of a request so many requests ago.
    fn weight(&self, ago: u64) -> f64 {
        (-self.lambda * ago as f64).exp2()
    }

    /// The CRF of an object for which this many requests arrived one after the other, the last one now.
    fn of_waiting(&self, requests: u64) -> f64 {
        let requests = requests as f64;
        let falls = |requests: f64| -(-self.lambda * requests * LN_2).exp_m1();
        let once = falls(1.0);
        if once > 0.0 { falls(requests) / once } else { requests }
    }
}

impl Build for Lrfu {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let (order, values) = (Heap::new(shape.entries), PerSlot::new(shape.entries));
        Ok(Self { order, values, lambda: params.number("lambda"), clock: 0 })
    }
}

impl CachePolicy for Lrfu {
    #[inline]
    fn hit(&mut self, slot: Slot, _: &Access) {
        self.clock += 1;
        let before = self.values[slot];
        let value = Value { crf: 1.0 + self.weight(self.clock - before.last) * before.crf, last: self.clock };
        self.values[slot] = value;
        self.order.update(slot, value.rank(self.lambda));
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        self.order.first().map_or(Victim::New, |(_, slot)| Victim::Slot(slot))
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        first_candidate(self, new, may_leave)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.clock += new.waiting;
        let value = Value { crf: self.of_waiting(new.waiting), last: self.clock };
        self.values.set(slot, value);
        self.order.push(slot, value.rank(self.lambda));
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.order.remove(slot);
    }
}

impl Estimate for Lrfu {
    const DRAWS: bool = true;

    fn rate(&self, slot: Slot, own: Slot, _: &Fetched) -> Option<f64> {
        let (least, rank) = (self.order.rank(own), self.order.rank(slot));
        Some(rank.over(&least))
    }

    /// The CRF, in units of the least one: a moving mean of the object's rate of requests.
    fn candidates(&mut self, _: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let Some((least, _)) = self.order.first() else { return };
        for (rank, slot) in self.order.in_order() {
            if see(slot, rank.over(&least)).is_break() {
                return;
            }
        }
    }
}
