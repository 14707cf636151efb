//! A binary heap of packets that stores the position of each, so that any can be removed.

use super::entry::Entry;
use super::slab::Slab;

/// A heap; the links of `ORDER` in the slab store the position of each packet.
#[derive(Debug)]
pub(super) struct IndexedHeap<K, const ORDER: usize> {
    entries: Vec<Entry<K>>,
}

impl<K: Ord + Copy, const ORDER: usize> IndexedHeap<K, ORDER> {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new() }
    }

    pub(super) fn first(&self) -> Option<&Entry<K>> {
        self.entries.first()
    }

    pub(super) fn push(&mut self, slab: &mut Slab, entry: Entry<K>) {
        self.entries.push(entry);
        self.rise(slab, self.entries.len() - 1, entry);
    }

    pub(super) fn remove(&mut self, slab: &mut Slab, slot: u32) {
        let index = slab.link(slot, ORDER).next as usize;
        let Some(last) = self.entries.pop() else { return };
        if index < self.entries.len() {
            if index > 0 && last < self.entries[(index - 1) / 2] {
                self.rise(slab, index, last);
            } else {
                self.sink(slab, index, last);
            }
        }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a heap has fewer entries than there are slots")]
    fn put(&mut self, slab: &mut Slab, index: usize, entry: Entry<K>) {
        self.entries[index] = entry;
        slab.link_mut(entry.slot, ORDER).next = index as u32;
    }

    /// Moves an entry from the free position `index` up to its position.
    fn rise(&mut self, slab: &mut Slab, mut index: usize, entry: Entry<K>) {
        while index > 0 {
            let above = self.entries[(index - 1) / 2];
            if above < entry {
                break;
            }
            self.put(slab, index, above);
            index = (index - 1) / 2;
        }
        self.put(slab, index, entry);
    }

    /// Moves an entry from the free position `index` down to its position.
    fn sink(&mut self, slab: &mut Slab, mut index: usize, entry: Entry<K>) {
        loop {
            let child = 2 * index + 1;
            let Some(&left) = self.entries.get(child) else { break };
            let (child, least) = match self.entries.get(child + 1) {
                Some(&right) if right < left => (child + 1, right),
                _ => (child, left),
            };
            if entry < least {
                break;
            }
            self.put(slab, index, least);
            index = child;
        }
        self.put(slab, index, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::slab::{SERVICE, Stored};
    use forebay_core::Seed;
    use rand::RngExt;
    use std::collections::BTreeSet;

    #[test]
    fn a_heap_equals_a_sorted_set_whatever_is_taken_out() {
        let mut rng = Seed(3).stream("indexed heap");
        let (mut slab, mut set) = (Slab::new(), BTreeSet::new());
        let mut heap = IndexedHeap::<u64, SERVICE>::new();
        for tie in 0..20_000 {
            if rng.random_bool(0.55) {
                let entry = Entry { key: rng.random_range(0..50_u64), tie, slot: slab.insert(Stored::default()) };
                heap.push(&mut slab, entry);
                set.insert((entry.key, entry.tie, entry.slot));
            } else if let Some(&victim) = set.iter().nth(rng.random_range(0..set.len().max(1))) {
                heap.remove(&mut slab, victim.2);
                slab.free(victim.2);
                set.remove(&victim);
            }
            assert_eq!(heap.first().map(|entry| (entry.key, entry.tie, entry.slot)), set.first().copied());
        }
    }
}
