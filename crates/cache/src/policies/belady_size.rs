//! Belady-Size: the object with the greatest size x time to its next request leaves.

use crate::access::{Access, Fetched, Future, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{Kinetic, Line, Lines, PerSlot};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params, Rng};

/// The registry's entry for [`BeladySize`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "belady-size",
        title: "Belady-Size: evicts, or does not admit, the object with the greatest size x time to its next request",
        exactness: Exactness::NotApplicable,
        hardware: "knowledge of the future",
        cost: "O(log n) to change, a polylogarithm in the mean to find the victim; with sample=n O(1) and O(n)",
        source: "Berger, Beckmann and Harchol-Balter, Practical Bounds on Optimal Caching with Variable Object Sizes, \
                 SIGMETRICS 2018",
        params: &[ParamSpec {
            name: "sample",
            kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: None },
            meaning: "number of cached objects drawn as candidates; all if not given",
        }],
    },
    also_known_as: &[],
    offline: true,
    compared: Compared::WithSizes,
    make: Make::of::<BeladySize>(),
};

/// Keeps size x time to the next request of each entry, which is linear in time. Of equal
/// ones the one that entered or was hit first leaves.
///
/// With equal sizes this is Belady's rule; with others it is a heuristic, and no bound. A new object is not admitted if
/// its own product is not below that of the candidate.
#[derive(Debug, Clone)]
pub struct BeladySize {
    order: Order,
    /// Per slot.
    sizes: PerSlot<u64>,
    stamp: u64,
}

#[derive(Debug, Clone)]
enum Order {
    All(Kinetic),
    Drawn { lines: Lines, draws: u64, rng: Rng },
}

/// Size x time of what is never requested again: more than any other, and more for the
/// larger.
const NEVER: f64 = 1e200;

fn product(size: u64, future: Future) -> Line {
    let time = if future.next == Future::NEVER { Line::constant(NEVER) } else { Line::until(future.next) };
    time.times(size as f64)
}

impl BeladySize {
    fn set(&mut self, slot: Slot, future: Future) {
        let line = product(self.sizes[slot], future);
        match &mut self.order {
            Order::All(lines) => lines.set(slot, line, self.stamp),
            Order::Drawn { lines, .. } => lines.set(slot, line),
        }
        self.stamp += 1;
    }
}

impl Build for BeladySize {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let order = match params.integer("sample") {
            None => Order::All(Kinetic::new(shape.entries)),
            Some(draws) => {
                let rng = shape.seed.stream("cache/belady-size/sample");
                Order::Drawn { lines: Lines::default(), draws, rng }
            }
        };
        Ok(Self { order, sizes: PerSlot::new(shape.entries), stamp: 0 })
    }
}

impl CachePolicy for BeladySize {
    fn counts_requests(&self) -> bool {
        true
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        self.set(slot, access.future);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.sizes[slot] = size;
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        let now = new.time as f64;
        let own = product(new.size, new.future).at(now);
        let candidate = match &mut self.order {
            Order::All(lines) => lines.greatest(new.time as f64).map(|slot| (slot, lines.value(slot, new.time as f64))),
            Order::Drawn { lines, draws, rng } => lines.greatest_drawn(new.time as f64, *draws, rng),
        };
        let candidate = candidate.filter(|(_, product)| own < *product);
        candidate.map_or(Victim::New, |(slot, _)| Victim::Slot(slot))
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.sizes.set(slot, new.size);
        self.set(slot, new.future);
    }

    fn remove(&mut self, slot: Slot) {
        match &mut self.order {
            Order::All(lines) => lines.remove(slot),
            Order::Drawn { lines, .. } => lines.remove(slot),
        }
    }
}
