//! A heap with both ends open: levels alternate between "least of its subtree"
//! and "greatest of its subtree" (Atkinson et al., CACM 1986).
//!
//! The root is the least element, the greater of its children the greatest.
//! Every operation is O(log n) in one array.

/// A heap of fixed capacity from which the least and the greatest can be taken.
#[derive(Debug, Clone)]
pub(crate) struct MinMaxHeap<K> {
    keys: Vec<K>,
}

/// Which end a level of the heap is sorted towards.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Min,
    Max,
}

impl End {
    fn of_level(index: usize) -> Self {
        if (index + 1).ilog2().is_multiple_of(2) { Self::Min } else { Self::Max }
    }

    /// Whether `a` is nearer to this end than `b`.
    fn prefers<K: Ord>(self, a: &K, b: &K) -> bool {
        match self {
            Self::Min => a < b,
            Self::Max => a > b,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Min => Self::Max,
            Self::Max => Self::Min,
        }
    }
}

fn parent(index: usize) -> Option<usize> {
    index.checked_sub(1).map(|above| above / 2)
}

fn grandparent(index: usize) -> Option<usize> {
    parent(index).and_then(parent)
}

impl<K: Ord> MinMaxHeap<K> {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { keys: Vec::with_capacity(capacity) }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn push(&mut self, key: K) {
        self.keys.push(key);
        self.bubble_up(self.keys.len() - 1);
    }

    pub(crate) fn peek_min(&self) -> Option<&K> {
        self.keys.first()
    }

    pub(crate) fn peek_max(&self) -> Option<&K> {
        self.keys.get(self.max_index()?)
    }

    pub(crate) fn pop_min(&mut self) -> Option<K> {
        if self.keys.is_empty() { None } else { Some(self.take(0, End::Min)) }
    }

    pub(crate) fn pop_max(&mut self) -> Option<K> {
        self.max_index().map(|index| self.take(index, End::of_level(index)))
    }

    fn max_index(&self) -> Option<usize> {
        match self.keys.len() {
            0 => None,
            1 => Some(0),
            2 => Some(1),
            _ => Some(if self.keys[1] > self.keys[2] { 1 } else { 2 }),
        }
    }

    fn take(&mut self, index: usize, end: End) -> K {
        let key = self.keys.swap_remove(index);
        self.trickle_down(index, end);
        key
    }

    fn bubble_up(&mut self, mut index: usize) {
        let mut end = End::of_level(index);
        if let Some(above) = parent(index)
            && end.other().prefers(&self.keys[index], &self.keys[above])
        {
            self.keys.swap(index, above);
            index = above;
            end = end.other();
        }
        while let Some(above) = grandparent(index)
            && end.prefers(&self.keys[index], &self.keys[above])
        {
            self.keys.swap(index, above);
            index = above;
        }
    }

    fn trickle_down(&mut self, mut index: usize, end: End) {
        while let Some(best) = self.best_below(index, end) {
            if !end.prefers(&self.keys[best], &self.keys[index]) {
                return;
            }
            self.keys.swap(best, index);
            let is_child = best <= 2 * index + 2;
            if is_child {
                return;
            }
            if let Some(above) = parent(best)
                && end.other().prefers(&self.keys[best], &self.keys[above])
            {
                self.keys.swap(best, above);
            }
            index = best;
        }
    }

    /// The child or grandchild nearest to `end`.
    fn best_below(&self, index: usize, end: End) -> Option<usize> {
        let children = 2 * index + 1..2 * index + 3;
        let grandchildren = 4 * index + 3..4 * index + 7;
        children
            .chain(grandchildren)
            .filter(|&below| below < self.keys.len())
            .reduce(|best, below| if end.prefers(&self.keys[below], &self.keys[best]) { below } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::MinMaxHeap;

    #[test]
    fn both_ends_come_out_sorted() {
        let mut heap = MinMaxHeap::with_capacity(0);
        // Every residue once, in a scattered order.
        for i in 0..1_000_u32 {
            heap.push(i * 619 % 1_000);
        }
        for i in 0..500 {
            assert_eq!(heap.peek_max(), Some(&(999 - i)));
            assert_eq!(heap.pop_max(), Some(999 - i));
            assert_eq!(heap.peek_min(), Some(&i));
            assert_eq!(heap.pop_min(), Some(i));
        }
        assert_eq!((heap.pop_min(), heap.pop_max(), heap.len()), (None, None, 0));
    }
}
