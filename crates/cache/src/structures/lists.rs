//! Doubly linked lists over the slots of a cache: each slot is in one list or none.

use crate::access::Slot;
use forebay_core::convert;

/// `N` lists. A new slot is put at the front; the back is the oldest.
///
/// Every operation is O(1); memory grows with the greatest slot.
#[derive(Debug, Clone)]
pub struct Lists<const N: usize> {
    /// The first `N` nodes are the lists themselves: `next` is their front, `prev`
    /// their back. The node of a slot comes `N` later.
    nodes: Vec<Node>,
    sizes: Vec<u64>,
    len: [usize; N],
    /// Ghosts of many capacities may be more than a `u64` holds.
    total: [u128; N],
}

#[derive(Debug, Clone, Copy)]
struct Node {
    prev: u32,
    next: u32,
    list: u32,
}

const NONE: u32 = u32::MAX;

impl<const N: usize> Lists<N> {
    /// Empty lists with room for this many slots before memory grows.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        let mut nodes = Vec::with_capacity(entries + N);
        nodes.extend((0..).take(N).map(|list| Node { prev: list, next: list, list: NONE }));
        Self { nodes, sizes: Vec::with_capacity(entries), len: [0; N], total: [0; N] }
    }

    /// Puts a slot that is in no list at the front of `list`; `size` counts for
    /// [`total`](Self::total).
    #[inline]
    pub fn push_front(&mut self, list: usize, slot: Slot, size: u64) {
        let front = self.nodes[list].next;
        self.enter(list, slot, size, front);
    }

    /// Puts a slot that is in no list at the back of `list`.
    #[inline]
    pub fn push_back(&mut self, list: usize, slot: Slot, size: u64) {
        self.enter(list, slot, size, Self::head(list));
    }

    /// Puts a slot that is in no list next to `other`, on the side of the front.
    #[inline]
    pub fn push_in_front_of(&mut self, other: Slot, slot: Slot, size: u64) {
        let list = self.nodes[other as usize + N].list as usize;
        self.enter(list, slot, size, Self::node(other));
    }

    /// Puts `slot` into `list` so that `before` (a node) follows it.
    #[inline]
    fn enter(&mut self, list: usize, slot: Slot, size: u64, before: u32) {
        let index = slot as usize;
        if self.sizes.len() <= index {
            self.sizes.resize(index + 1, 0);
            self.nodes.resize(index + 1 + N, Node { prev: NONE, next: NONE, list: NONE });
        }
        debug_assert_eq!(self.nodes[index + N].list, NONE, "a place is in one list");
        self.sizes[index] = size;
        self.len[list] += 1;
        self.total[list] += u128::from(size);
        self.nodes[index + N].list = Self::head(list);
        self.link(slot, before);
    }

    #[inline]
    fn link(&mut self, slot: Slot, before: u32) {
        let node = Self::node(slot);
        let prev = self.nodes[before as usize].prev;
        self.nodes[node as usize].prev = prev;
        self.nodes[node as usize].next = before;
        self.nodes[prev as usize].next = node;
        self.nodes[before as usize].prev = node;
    }

    #[inline]
    fn unlink(&mut self, slot: Slot) {
        let Node { prev, next, .. } = self.nodes[slot as usize + N];
        self.nodes[prev as usize].next = next;
        self.nodes[next as usize].prev = prev;
    }

    /// Takes a slot out of its list and returns which that was.
    ///
    /// # Panics
    /// If the slot is in no list.
    #[inline]
    pub fn remove(&mut self, slot: Slot) -> usize {
        let list = self.nodes[slot as usize + N].list as usize;
        self.unlink(slot);
        self.nodes[slot as usize + N].list = NONE;
        self.len[list] -= 1;
        self.total[list] -= u128::from(self.sizes[slot as usize]);
        list
    }

    /// Gives the object at a slot of a list another size.
    pub fn resize(&mut self, slot: Slot, size: u64) {
        let list = self.nodes[slot as usize + N].list as usize;
        let before = std::mem::replace(&mut self.sizes[slot as usize], size);
        self.total[list] = self.total[list] - u128::from(before) + u128::from(size);
    }

    /// Moves a slot to the front of the list in which it is.
    #[inline]
    pub fn to_front(&mut self, slot: Slot) {
        self.unlink(slot);
        let list = self.nodes[slot as usize + N].list;
        let front = self.nodes[list as usize].next;
        self.link(slot, front);
    }

    /// Moves a slot to the front of another list.
    #[inline]
    pub fn move_to(&mut self, list: usize, slot: Slot) {
        self.remove(slot);
        self.push_front(list, slot, self.sizes[slot as usize]);
    }

    /// The slot at the front.
    #[inline]
    #[must_use]
    pub fn front(&self, list: usize) -> Option<Slot> {
        Self::slot(self.nodes[list].next)
    }

    /// The slot at the back.
    #[inline]
    #[must_use]
    pub fn back(&self, list: usize) -> Option<Slot> {
        Self::slot(self.nodes[list].prev)
    }

    /// The neighbour of a slot on the side of the front.
    #[inline]
    #[must_use]
    pub fn towards_front(&self, slot: Slot) -> Option<Slot> {
        Self::slot(self.nodes[slot as usize + N].prev)
    }

    /// The neighbour of a slot on the side of the back.
    #[inline]
    #[must_use]
    pub fn towards_back(&self, slot: Slot) -> Option<Slot> {
        Self::slot(self.nodes[slot as usize + N].next)
    }

    /// The slots of a list, the back (the oldest) first.
    pub fn from_back(&self, list: usize) -> impl Iterator<Item = Slot> {
        std::iter::successors(self.back(list), |&slot| self.towards_front(slot))
    }

    /// In which list a slot is.
    #[inline]
    #[must_use]
    pub fn list_of(&self, slot: Slot) -> Option<usize> {
        let list = self.nodes.get(slot as usize + N)?.list;
        (list != NONE).then_some(list as usize)
    }

    /// How many slots a list has.
    #[inline]
    #[must_use]
    pub fn len(&self, list: usize) -> usize {
        self.len[list]
    }

    /// Whether a list has no slot.
    #[inline]
    #[must_use]
    pub fn is_empty(&self, list: usize) -> bool {
        self.len[list] == 0
    }

    /// The sum of the sizes of a list; `u64::MAX` if it is more.
    #[inline]
    #[must_use]
    pub fn total(&self, list: usize) -> u64 {
        convert::saturate(self.total[list])
    }

    /// The size with which a slot was put into its list.
    #[inline]
    #[must_use]
    pub fn size(&self, slot: Slot) -> u64 {
        self.sizes[slot as usize]
    }

    #[expect(clippy::cast_possible_truncation, reason = "the number of lists is small")]
    const fn head(list: usize) -> u32 {
        list as u32
    }

    #[expect(clippy::cast_possible_truncation, reason = "the number of lists is small")]
    const fn node(slot: Slot) -> u32 {
        slot + N as u32
    }

    #[expect(clippy::cast_possible_truncation, reason = "the number of lists is small")]
    const fn slot(node: u32) -> Option<Slot> {
        node.checked_sub(N as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        #[test]
        fn behaves_as_two_deques(ops in proptest::collection::vec((0..5_u8, 0..2_usize, 0..12_u32), 0..200)) {
            let mut lists = Lists::<2>::new(0);
            let mut model: [VecDeque<u32>; 2] = Default::default();
            for (op, list, slot) in ops {
                let place = (0..2).find(|&list| model[list].contains(&slot));
                prop_assert_eq!(lists.list_of(slot), place);
                match (op, place) {
                    (0, None) => {
                        lists.push_front(list, slot, u64::from(slot) + 1);
                        model[list].push_front(slot);
                    }
                    (1, None) => {
                        lists.push_back(list, slot, u64::from(slot) + 1);
                        model[list].push_back(slot);
                    }
                    (2, Some(at)) => {
                        prop_assert_eq!(lists.remove(slot), at);
                        model[at].retain(|&other| other != slot);
                    }
                    (3, Some(at)) => {
                        lists.to_front(slot);
                        model[at].retain(|&other| other != slot);
                        model[at].push_front(slot);
                    }
                    (4, Some(at)) => {
                        lists.move_to(list, slot);
                        model[at].retain(|&other| other != slot);
                        model[list].push_front(slot);
                    }
                    _ => {}
                }
                for (list, expected) in model.iter().enumerate() {
                    prop_assert!(lists.from_back(list).eq(expected.iter().rev().copied()));
                    prop_assert_eq!(lists.front(list), expected.front().copied());
                    prop_assert_eq!(lists.len(list), expected.len());
                    prop_assert_eq!(lists.total(list), expected.iter().map(|&slot| u64::from(slot) + 1).sum::<u64>());
                }
            }
        }
    }
}
