//! A Fibonacci heap over slot numbers (Fredman and Tarjan, JACM 1987).
//!
//! The heap consists of trees of slots, in which each slot is ordered before its children. A new slot becomes a tree of its own. The trees
//! are joined only when the first slot is taken, two of the same degree at a time; this does the work that inserts postpone. A slot in the
//! middle can be removed, too: its subtrees become trees, and an ancestor that loses a second child is cut off itself, which keeps trees
//! bushy. An insert takes constant time; a removal takes amortised O(log n), and O(n) at worst.

/// No slot.
const NONE: u32 = u32::MAX;

/// A heap of at most a fixed number of slots, each with a key.
#[derive(Debug)]
pub(crate) struct FibonacciHeap<K> {
    nodes: Box<[Node<K>]>,
    /// The first slot, one of the ring of roots; `NONE` if the heap is empty.
    first: u32,
    /// The root of each degree, while trees are joined.
    of_degree: Vec<u32>,
    /// The roots, while trees are joined.
    roots: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Node<K> {
    key: K,
    parent: u32,
    /// Any child of the slot; the children form a ring.
    child: u32,
    left: u32,
    right: u32,
    degree: u32,
    /// Whether it has lost a child since it became one.
    lost_one: bool,
}

/// Most children of a slot, as n < 2^32: log to the base of the golden ratio.
const MAX_DEGREE: usize = 47;

impl<K: Copy + Ord + Default> FibonacciHeap<K> {
    /// Creates an empty heap of slots 0 to `capacity - 1`.
    ///
    /// # Panics
    /// If `capacity` is 2^32 - 1 or more.
    pub(crate) fn new(capacity: usize) -> Self {
        assert!(u32::try_from(capacity).is_ok_and(|slots| slots < NONE), "slots are numbered in 32 bits");
        let node =
            Node { key: K::default(), parent: NONE, child: NONE, left: NONE, right: NONE, degree: 0, lost_one: false };
        Self {
            nodes: vec![node; capacity].into(),
            first: NONE,
            of_degree: vec![NONE; MAX_DEGREE],
            roots: Vec::with_capacity(capacity),
        }
    }

    /// The slot of least key.
    pub(crate) fn first(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }

    /// Inserts a slot that is not in the heap.
    pub(crate) fn insert(&mut self, slot: u32, key: K) {
        *self.node(slot) = Node { key, parent: NONE, child: NONE, left: slot, right: slot, degree: 0, lost_one: false };
        self.add_root(slot);
    }

    /// Removes a slot that is in the heap.
    pub(crate) fn remove(&mut self, slot: u32) {
        let parent = self.nodes[slot as usize].parent;
        if parent != NONE {
            self.cut(slot, parent);
            self.cut_upwards(parent);
        }
        // It is a root now; its children become roots, too.
        let child = self.nodes[slot as usize].child;
        if child != NONE {
            let mut each = child;
            loop {
                self.node(each).parent = NONE;
                each = self.nodes[each as usize].right;
                if each == child {
                    break;
                }
            }
            self.splice(slot, child);
        }
        let right = self.nodes[slot as usize].right;
        self.unlink(slot);
        if right == slot {
            self.first = NONE;
        } else if self.first == slot {
            self.join(right);
        }
    }

    fn node(&mut self, slot: u32) -> &mut Node<K> {
        &mut self.nodes[slot as usize]
    }

    fn before(&self, a: u32, b: u32) -> bool {
        self.nodes[a as usize].key < self.nodes[b as usize].key
    }

    /// Makes a slot that is alone in its ring a root.
    fn add_root(&mut self, slot: u32) {
        if self.first == NONE {
            self.first = slot;
        } else {
            self.splice(self.first, slot);
            if self.before(slot, self.first) {
                self.first = slot;
            }
        }
    }

    /// Joins the rings of two slots to one.
    fn splice(&mut self, a: u32, b: u32) {
        let (after_a, before_b) = (self.nodes[a as usize].right, self.nodes[b as usize].left);
        self.node(a).right = b;
        self.node(b).left = a;
        self.node(before_b).right = after_a;
        self.node(after_a).left = before_b;
    }

    /// Takes a slot out of its ring.
    fn unlink(&mut self, slot: u32) {
        let Node { left, right, .. } = self.nodes[slot as usize];
        self.node(left).right = right;
        self.node(right).left = left;
        let node = self.node(slot);
        (node.left, node.right) = (slot, slot);
    }

    /// Makes a child a root.
    fn cut(&mut self, slot: u32, parent: u32) {
        let right = self.nodes[slot as usize].right;
        self.unlink(slot);
        let above = self.node(parent);
        above.degree -= 1;
        above.child = if right == slot { NONE } else { right };
        let node = self.node(slot);
        node.parent = NONE;
        node.lost_one = false;
        self.add_root(slot);
    }

    /// Handles the loss of a child of `slot`: if this is the second lost child, the slot is cut off, too, and so on upwards.
    fn cut_upwards(&mut self, mut slot: u32) {
        loop {
            let Node { parent, lost_one, .. } = self.nodes[slot as usize];
            if parent == NONE {
                return;
            }
            if !lost_one {
                self.node(slot).lost_one = true;
                return;
            }
            self.cut(slot, parent);
            slot = parent;
        }
    }

    /// Joins trees until no two roots have the same degree, and finds the first one. `root` is any root.
    fn join(&mut self, root: u32) {
        let mut roots = std::mem::take(&mut self.roots);
        let mut each = root;
        loop {
            roots.push(each);
            each = self.nodes[each as usize].right;
            if each == root {
                break;
            }
        }
        for root in roots.drain(..) {
            let mut top = root;
            loop {
                let degree = self.nodes[top as usize].degree as usize;
                let other = std::mem::replace(&mut self.of_degree[degree], NONE);
                if other == NONE {
                    self.of_degree[degree] = top;
                    break;
                }
                let (upper, lower) = if self.before(other, top) { (other, top) } else { (top, other) };
                self.put_below(lower, upper);
                top = upper;
            }
        }
        self.roots = roots;
        self.first = NONE;
        for degree in 0..self.of_degree.len() {
            let root = std::mem::replace(&mut self.of_degree[degree], NONE);
            if root != NONE && (self.first == NONE || self.before(root, self.first)) {
                self.first = root;
            }
        }
    }

    /// Makes a root a child of another.
    fn put_below(&mut self, lower: u32, upper: u32) {
        self.unlink(lower);
        let child = self.nodes[upper as usize].child;
        if child == NONE {
            self.node(upper).child = lower;
        } else {
            self.splice(child, lower);
        }
        self.node(upper).degree += 1;
        let node = self.node(lower);
        node.parent = upper;
        node.lost_one = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt as _;
    use std::collections::BTreeSet;

    /// Checks that every slot is ordered before its children, and that degrees and rings are right. Returns the number of slots.
    fn check(heap: &FibonacciHeap<u64>, ring: u32, parent: u32) -> usize {
        if ring == NONE {
            return 0;
        }
        let (mut each, mut count, mut members) = (ring, 0, 0);
        loop {
            let node = heap.nodes[each as usize];
            assert_eq!(node.parent, parent);
            assert_eq!(heap.nodes[node.right as usize].left, each);
            assert!(parent == NONE || !heap.before(each, parent));
            members += 1;
            count += 1 + check(heap, node.child, each);
            each = node.right;
            if each == ring {
                break;
            }
        }
        assert!(parent == NONE || heap.nodes[parent as usize].degree == members);
        count
    }

    #[test]
    fn it_equals_a_sorted_set_whatever_is_taken() {
        let mut rng = Seed(1).stream("fibonacci");
        let mut heap = FibonacciHeap::new(200);
        let mut sorted = BTreeSet::<(u64, u32)>::new();
        let mut free: Vec<u32> = (0..200).collect();
        for step in 0..40_000_u32 {
            // In long waves, so that the heap fills and empties.
            let likely = if (step / 1_000) % 2 == 0 { 0.7 } else { 0.3 };
            match (rng.random_bool(likely), free.is_empty(), sorted.is_empty()) {
                (true, false, _) => {
                    let slot = free.swap_remove(rng.random_range(0..free.len()));
                    // Keys differ: the slot is their last part.
                    let key = rng.random_range(0..50_u64) << 32 | u64::from(slot);
                    heap.insert(slot, key);
                    sorted.insert((key, slot));
                }
                (false, _, false) => {
                    let taken = if rng.random_bool(0.5) {
                        heap.first().unwrap()
                    } else {
                        sorted.iter().nth(rng.random_range(0..sorted.len())).unwrap().1
                    };
                    heap.remove(taken);
                    sorted.retain(|&(_, slot)| slot != taken);
                    free.push(taken);
                }
                _ => {}
            }
            assert_eq!(heap.first(), sorted.first().map(|&(_, slot)| slot));
            if step % 50 == 0 {
                assert_eq!(check(&heap, heap.first, NONE), sorted.len());
            }
        }
    }

    #[test]
    fn degrees_grow_as_the_logarithm() {
        let mut heap = FibonacciHeap::new(1 << 15);
        for slot in 0..1 << 15 {
            heap.insert(slot, u64::from(slot));
        }
        heap.remove(0);
        let degree = heap.nodes.iter().map(|node| node.degree).max();
        assert_eq!(degree, Some(14));
    }
}
