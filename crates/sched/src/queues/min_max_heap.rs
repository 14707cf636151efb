//! A heap with both ends open: levels alternate between "least of its subtree"
//! and "greatest of its subtree" (Atkinson et al., CACM 1986).
//!
//! The root is the least element, and the greater of its children is the greatest element. Every operation is O(log n) in one array.

/// A heap from which the least and the greatest element can be removed.
#[derive(Debug, Clone)]
pub struct MinMaxHeap<K> {
    keys: Vec<K>,
}

/// The end that a level of the heap is sorted towards. A type, not a value, so that
/// each direction is compiled on its own.
trait End {
    type Other: End<Other = Self>;

    /// Whether `a` is nearer to this end than `b`.
    fn prefers<K: Ord>(a: &K, b: &K) -> bool;
}

struct Min;
struct Max;

impl End for Min {
    type Other = Max;

    fn prefers<K: Ord>(a: &K, b: &K) -> bool {
        a < b
    }
}

impl End for Max {
    type Other = Min;

    fn prefers<K: Ord>(a: &K, b: &K) -> bool {
        a > b
    }
}

/// Whether the level of `index` is sorted towards the minimum.
fn on_min_level(index: usize) -> bool {
    (index + 1).ilog2().is_multiple_of(2)
}

fn parent(index: usize) -> Option<usize> {
    index.checked_sub(1).map(|above| above / 2)
}

impl<K: Ord> MinMaxHeap<K> {
    /// Creates an empty heap with room for `capacity` keys. The heap grows if it gets more keys.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { keys: Vec::with_capacity(capacity) }
    }

    /// Whether the heap is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The number of keys in the heap.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Inserts a key.
    pub fn push(&mut self, key: K) {
        self.keys.push(key);
        let index = self.keys.len() - 1;
        if on_min_level(index) { self.bubble_up::<Min>(index) } else { self.bubble_up::<Max>(index) }
    }

    /// Returns the least key.
    #[must_use]
    pub fn peek_min(&self) -> Option<&K> {
        self.keys.first()
    }

    /// Returns the greatest key.
    #[must_use]
    pub fn peek_max(&self) -> Option<&K> {
        self.keys.get(self.max_index()?)
    }

    /// Removes and returns the least key.
    pub fn pop_min(&mut self) -> Option<K> {
        if self.keys.is_empty() { None } else { Some(self.take::<Min>(0)) }
    }

    /// Removes and returns the greatest key.
    pub fn pop_max(&mut self) -> Option<K> {
        self.max_index().map(|index| if index == 0 { self.take::<Min>(0) } else { self.take::<Max>(index) })
    }

    /// Removes all keys, in the order of the keys that `order` returns for them.
    pub fn drain_by_key<O: Ord>(&mut self, order: impl FnMut(&K) -> O) -> impl Iterator<Item = K> {
        self.keys.sort_unstable_by_key(order);
        self.keys.drain(..)
    }

    fn max_index(&self) -> Option<usize> {
        match self.keys.len() {
            0 => None,
            1 => Some(0),
            2 => Some(1),
            _ => Some(if self.keys[1] > self.keys[2] { 1 } else { 2 }),
        }
    }

    /// Removes the key at `index`, on a level of the end `E`.
    fn take<E: End>(&mut self, index: usize) -> K {
        let key = self.keys.swap_remove(index);
        self.trickle_down::<E>(index);
        key
    }

    fn bubble_up<E: End>(&mut self, index: usize) {
        match parent(index) {
            Some(above) if E::Other::prefers(&self.keys[index], &self.keys[above]) => {
                self.keys.swap(index, above);
                self.bubble_up_level::<E::Other>(above);
            }
            _ => self.bubble_up_level::<E>(index),
        }
    }

    fn bubble_up_level<E: End>(&mut self, mut index: usize) {
        while let Some(above) = parent(index).and_then(parent)
            && E::prefers(&self.keys[index], &self.keys[above])
        {
            self.keys.swap(index, above);
            index = above;
        }
    }

    fn trickle_down<E: End>(&mut self, mut index: usize) {
        while let Some(best) = self.best_below::<E>(index) {
            if !E::prefers(&self.keys[best], &self.keys[index]) {
                return;
            }
            self.keys.swap(best, index);
            let is_child = best <= 2 * index + 2;
            if is_child {
                return;
            }
            if let Some(above) = parent(best)
                && E::Other::prefers(&self.keys[best], &self.keys[above])
            {
                self.keys.swap(best, above);
            }
            index = best;
        }
    }

    /// The child or grandchild nearest to the end.
    fn best_below<E: End>(&self, index: usize) -> Option<usize> {
        let first = 2 * index + 1;
        let grandchild = 4 * index + 3;
        if first >= self.keys.len() {
            return None;
        }
        let mut best = first;
        for below in [first + 1, grandchild, grandchild + 1, grandchild + 2, grandchild + 3] {
            match self.keys.get(below) {
                Some(key) if E::prefers(key, &self.keys[best]) => best = below,
                Some(_) => {}
                None => break,
            }
        }
        Some(best)
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
