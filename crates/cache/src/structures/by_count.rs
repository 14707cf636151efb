//! Places in the order of a count that rises by one, in constant time.

use super::{Lists, PerSlot};
use crate::access::Slot;

/// One list of slots, least count at the back; of equal ones, that which reached its count first is further back.
///
/// For each count there is a *bucket* that knows the slot furthest in front (after
/// Shah, Mitra and Matani, "An O(1) algorithm for implementing the LFU cache eviction
/// scheme", 2010).
#[derive(Debug, Clone)]
pub struct ByCount {
    order: Lists<1>,
    counts: PerSlot<u64>,
    buckets: PerSlot<u32>,
    /// Per bucket: its slot furthest in front.
    fronts: Vec<Slot>,
    free: Vec<u32>,
}

impl ByCount {
    /// Nothing, and room for this many slots before memory grows.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        let (counts, buckets) = (PerSlot::new(entries), PerSlot::new(entries));
        let (fronts, free) = (Vec::with_capacity(entries), Vec::with_capacity(entries));
        Self { order: Lists::new(entries), counts, buckets, fronts, free }
    }

    /// The slot of the least count that reached it first.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<Slot> {
        self.order.back(0)
    }

    /// The count of a slot that is there.
    #[inline]
    #[must_use]
    pub fn count(&self, slot: Slot) -> u64 {
        self.counts[slot]
    }

    /// All slots with their counts, least first.
    pub fn in_order(&self) -> impl Iterator<Item = (Slot, u64)> {
        self.order.from_back(0).map(|slot| (slot, self.counts[slot]))
    }

    /// Adds a slot that has no count. Takes a step for each different lower count.
    pub fn insert(&mut self, slot: Slot, count: u64) {
        let (mut behind, mut next) = (None, self.order.back(0));
        while let Some(place) = next.filter(|&place| self.counts[place] < count) {
            behind = Some(self.front_of(place));
            next = behind.and_then(|front| self.order.towards_front(front));
        }
        self.counts.set(slot, count);
        self.buckets.set(slot, 0);
        let same = next.filter(|&place| self.counts[place] == count);
        match same.map(|place| self.front_of(place)).or(behind) {
            Some(place) => self.order.push_in_front_of(place, slot, 1),
            None => self.order.push_back(0, slot, 1),
        }
        self.join(slot, same);
    }

    /// Counts one more for a slot.
    #[inline]
    pub fn rise(&mut self, slot: Slot) {
        let front = self.front_of(slot);
        let count = self.counts[slot] + 1;
        let next = self.order.towards_front(front).filter(|&place| self.counts[place] == count);
        self.leave(slot);
        self.counts[slot] = count;
        let before = next.map_or(front, |place| self.front_of(place));
        if before != slot {
            self.order.remove(slot);
            self.order.push_in_front_of(before, slot, 1);
        }
        self.join(slot, next);
    }

    /// Takes a slot out.
    pub fn remove(&mut self, slot: Slot) {
        self.leave(slot);
        self.order.remove(slot);
    }

    #[inline]
    fn front_of(&self, slot: Slot) -> Slot {
        self.fronts[self.buckets[slot] as usize]
    }

    /// Makes `slot` the front of the bucket of `same`, or of a new one.
    #[inline]
    fn join(&mut self, slot: Slot, same: Option<Slot>) {
        let bucket = same.map(|place| self.buckets[place]).or_else(|| self.free.pop()).unwrap_or_else(|| {
            self.fronts.push(slot);
            u32::try_from(self.fronts.len() - 1).expect("no more buckets than places")
        });
        self.fronts[bucket as usize] = slot;
        self.buckets[slot] = bucket;
    }

    /// Takes a slot out of its bucket; one without slots is free for another count.
    #[inline]
    fn leave(&mut self, slot: Slot) {
        let bucket = self.buckets[slot];
        if self.fronts[bucket as usize] != slot {
            return;
        }
        match self.order.towards_back(slot).filter(|&next| self.counts[next] == self.counts[slot]) {
            Some(next) => self.fronts[bucket as usize] = next,
            None => self.free.push(bucket),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn behaves_as_a_sorted_list(ops in proptest::collection::vec((0..4_u8, 0..20_u32, 1..6_u64), 0..300)) {
            let mut fast = ByCount::new(0);
            let mut model: Vec<(Slot, u64)> = Vec::new();
            for (op, slot, count) in ops {
                let there = model.iter().position(|(other, _)| *other == slot);
                let after = match (op, there) {
                    (0, Some(at)) => {
                        fast.remove(slot);
                        model.remove(at);
                        None
                    }
                    (_, Some(at)) => {
                        fast.rise(slot);
                        Some(model.remove(at).1 + 1)
                    }
                    (_, None) => {
                        fast.insert(slot, count);
                        Some(count)
                    }
                };
                // The last to reach its count goes behind all of that count.
                if let Some(count) = after {
                    let at = model.iter().position(|(_, other)| *other > count).unwrap_or(model.len());
                    model.insert(at, (slot, count));
                }
                prop_assert!(fast.in_order().eq(model.iter().copied()));
                prop_assert_eq!(fast.first(), model.first().map(|(slot, _)| *slot));
                prop_assert!(fast.fronts.len() <= 20);
            }
        }
    }
}
