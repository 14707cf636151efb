//! P-heap: a binary heap that is filled from the top, so that it can be pipelined.
//!
//! An ordinary heap puts a new key at the bottom and moves it up; the next operation must wait, since all start at the root. In a P-heap a
//! push starts at the root, too. Every node knows how many free slots are in its subtree. The key descends to the left child if that
//! subtree has a free slot, and else to the right. It swaps with any key on its path that ranks higher. A pop removes the root's key; the
//! lower of the two keys below fills the gap, and so on down. Each operation works on one level after the other, so one operation can be in
//! flight on every second level. Source: Bhagwan and Lin: Fast and scalable priority queue architecture for high-speed network switches,
//! INFOCOM 2000.
//!
//! Choices: the key is rank, then arrival, so that equal ranks leave in order of arrival, which the paper leaves open. The heap has the
//! least number of levels that hold the buffer, so the buffer limits the number of packets.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::keyed_slab::{Key, KeyedSlab};
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::{About, Exactness};

/// The registry's entry for [`PHeap`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "pheap",
        title: "Pipelined binary heap: exact for any rank, filled from the top",
        exactness: Exactness::Exact,
        hardware: "a pipeline with one RAM and two comparators per level; push and pop only",
        cost: "O(log n) per operation, in hardware one per two levels' time; 40 bytes per slot of the heap (up to \
               twice the buffer) and 16 bytes plus the packet per entry",
        source: "Bhagwan and Lin: Fast and scalable priority queue architecture, INFOCOM 2000",
        params: &[],
    },
    build: |size, _| Ok(BuiltQueue::SingleEnded(Box::new(PHeap::new(size.packets)))),
};

/// A binary heap with a count of the free slots below every node.
#[derive(Debug)]
pub struct PHeap<T> {
    /// The nodes, level after level; the children of node `n` are `2n + 1` and `2n + 2`.
    nodes: Box<[Node]>,
    items: KeyedSlab<T>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    key: Option<Key>,
    /// The number of free slots in this node and below it: the paper's capacity.
    free: u32,
}

impl<T> PHeap<T> {
    /// An empty heap for `capacity` items.
    ///
    /// # Panics
    /// If `capacity` is more than 2^31.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        assert!(capacity <= 1 << 31, "the places are counted in 32 bits");
        let places = (capacity + 1).next_power_of_two() - 1;
        let mut nodes = vec![Node::default(); places];
        for node in (0..places).rev() {
            let below = |child: usize| nodes.get(child).map_or(0, |child| child.free);
            nodes[node].free = 1 + below(2 * node + 1) + below(2 * node + 2);
        }
        Self { nodes: nodes.into(), items: KeyedSlab::new(capacity) }
    }

    /// Returns the child of `node` with the lower key.
    fn lower_child(&self, node: usize) -> Option<usize> {
        let children = [2 * node + 1, 2 * node + 2];
        let key = |child: usize| self.nodes.get(child).and_then(|child| child.key);
        match children.map(key) {
            [None, None] => None,
            [Some(_), None] => Some(children[0]),
            [None, Some(_)] => Some(children[1]),
            [left, right] => Some(if left < right { children[0] } else { children[1] }),
        }
    }
}

impl<T> RankQueue<T> for PHeap<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let mut moving = self.items.insert(rank, item)?;
        let mut index = 0;
        loop {
            let node = &mut self.nodes[index];
            node.free -= 1;
            match &mut node.key {
                Some(key) if moving < *key => std::mem::swap(key, &mut moving),
                Some(_) => {}
                None => {
                    node.key = Some(moving);
                    return Ok(());
                }
            }
            let left = 2 * index + 1;
            index = if self.nodes[left].free > 0 { left } else { left + 1 };
        }
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let first = self.nodes.first()?.key?;
        let mut index = 0;
        loop {
            self.nodes[index].free += 1;
            let Some(child) = self.lower_child(index) else { break };
            self.nodes[index].key = self.nodes[child].key;
            index = child;
        }
        self.nodes[index].key = None;
        self.items.take(first)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.items.get(self.nodes.first()?.key?)
    }

    fn len(&self) -> usize {
        self.items.len()
    }

    fn capacity(&self) -> usize {
        self.items.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    #[test]
    fn every_place_is_used_and_the_heap_stays_sorted() {
        for capacity in [1, 3, 5, 31] {
            let mut heap = PHeap::new(capacity);
            let mut rng = Seed(1).stream("pheap");
            for step in 0..20_000_u32 {
                let pushes = if step / 100 % 2 == 0 { 0.7 } else { 0.3 };
                if rng.random_bool(pushes) {
                    let has_room = heap.len() < capacity;
                    assert_eq!(heap.push(rng.random_range(0..50), step).is_ok(), has_room);
                } else {
                    heap.pop_min();
                }
                let mut free = 0;
                for (index, node) in heap.nodes.iter().enumerate() {
                    free += u32::from(node.key.is_none());
                    let above = index.checked_sub(1).and_then(|below| heap.nodes[below / 2].key);
                    assert!(index == 0 || node.key.is_none() || (above.is_some() && above < node.key));
                }
                assert_eq!(heap.nodes[0].free, free);
            }
        }
    }
}
