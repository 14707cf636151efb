//! A heap of slots from which any slot can be taken out.

use super::PerSlot;
use crate::access::Slot;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Places by rank, least first. Ranks must differ, so that the order is one.
///
/// O(log n) per change. Four children per node: half as deep as a binary heap, and
/// the children of a node lie side by side.
#[derive(Debug, Clone)]
pub struct Heap<R> {
    nodes: Vec<(R, Slot)>,
    at: PerSlot<u32>,
    /// For [`in_order`](Self::in_order): kept so that its memory is.
    frontier: BinaryHeap<Reverse<(R, usize)>>,
}

const CHILDREN: usize = 4;
const NOWHERE: u32 = u32::MAX;

impl<R: Ord + Copy> Heap<R> {
    /// An empty heap with room for this many slots before memory grows.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self { nodes: Vec::with_capacity(entries), at: PerSlot::new(entries), frontier: BinaryHeap::new() }
    }

    /// Adds a slot that is not in the heap.
    pub fn push(&mut self, slot: Slot, rank: R) {
        let index = self.nodes.len();
        self.nodes.push((rank, slot));
        self.at.set(slot, NOWHERE);
        self.rise(index);
    }

    /// Gives a slot of the heap another rank.
    pub fn update(&mut self, slot: Slot, rank: R) {
        let index = self.at[slot] as usize;
        self.nodes[index].0 = rank;
        let index = self.rise(index);
        self.sink(index);
    }

    /// Takes a slot of the heap out and returns its rank.
    pub fn remove(&mut self, slot: Slot) -> R {
        let index = self.at[slot] as usize;
        let (rank, _) = self.nodes.swap_remove(index);
        self.at[slot] = NOWHERE;
        if index < self.nodes.len() {
            let index = self.rise(index);
            self.sink(index);
        }
        rank
    }

    /// The slot of least rank, with its rank.
    #[must_use]
    pub fn first(&self) -> Option<(R, Slot)> {
        self.nodes.first().copied()
    }

    /// Whether nothing is in the heap.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The rank of a slot of the heap.
    #[must_use]
    pub fn rank(&self, slot: Slot) -> R {
        self.nodes[self.at[slot] as usize].0
    }

    /// All slots, least rank first: O(log k) for the k-th.
    pub fn in_order(&mut self) -> impl Iterator<Item = (R, Slot)> {
        let Self { nodes, frontier, .. } = self;
        frontier.clear();
        frontier.extend(nodes.first().map(|&(rank, _)| Reverse((rank, 0))));
        std::iter::from_fn(move || {
            let Reverse((rank, index)) = frontier.pop()?;
            let children = nodes.iter().enumerate().skip(CHILDREN * index + 1).take(CHILDREN);
            frontier.extend(children.map(|(child, &(rank, _))| Reverse((rank, child))));
            Some((rank, nodes[index].1))
        })
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 places")]
    fn put(&mut self, index: usize, node: (R, Slot)) {
        self.nodes[index] = node;
        self.at[node.1] = index as u32;
    }

    /// Moves the node up to where it belongs, and says where that is.
    fn rise(&mut self, mut index: usize) -> usize {
        let node = self.nodes[index];
        while index > 0 {
            let parent = (index - 1) / CHILDREN;
            if self.nodes[parent].0 <= node.0 {
                break;
            }
            self.put(index, self.nodes[parent]);
            index = parent;
        }
        self.put(index, node);
        index
    }

    /// Moves the node down to where it belongs.
    fn sink(&mut self, mut index: usize) {
        let node = self.nodes[index];
        loop {
            let first = CHILDREN * index + 1;
            let children = first..(first + CHILDREN).min(self.nodes.len());
            let Some(least) = children.min_by_key(|&child| self.nodes[child].0) else { break };
            if node.0 <= self.nodes[least].0 {
                break;
            }
            self.put(index, self.nodes[least]);
            index = least;
        }
        self.put(index, node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn behaves_as_a_sorted_set(ops in proptest::collection::vec((0..3_u8, 0..40_u32, 0..9_u64), 0..300)) {
            let mut heap = Heap::new(0);
            let mut model = BTreeSet::new();
            for (op, slot, rank) in ops {
                let rank = (rank, slot);
                let place = model.iter().find(|(_, other)| *other == slot).copied();
                match (op, place) {
                    (0 | 1, None) => heap.push(slot, rank),
                    (0 | 1, Some(_)) => heap.update(slot, rank),
                    (_, Some(place)) => prop_assert_eq!(heap.remove(slot), place.0),
                    _ => {}
                }
                model.retain(|(_, other)| *other != slot);
                if op < 2 {
                    model.insert((rank, slot));
                    prop_assert_eq!(heap.rank(slot), rank);
                }
                prop_assert_eq!(heap.first(), model.first().copied());
                prop_assert!(heap.in_order().eq(model.iter().copied()));
            }
        }
    }
}
