//! The elements of a heap: a key, then the order of arrival.

use std::cmp::Ordering;

/// An element of a heap, which represents a packet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<K> {
    /// The key; the lowest is first.
    pub(super) key: K,
    /// The number of the packet, or its complement if ties are against the order of arrival; no two are equal.
    pub(super) tie: u64,
    /// The slot of the packet.
    pub(super) slot: u32,
}

impl<K: Ord> Ord for Entry<K> {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key).then(self.tie.cmp(&other.tie))
    }
}

impl<K: Ord> PartialOrd for Entry<K> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    // The comparisons of heaps, in fewer instructions than with an `Ordering`.
    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        self.key < other.key || (self.key == other.key && self.tie < other.tie)
    }

    #[inline(always)]
    fn gt(&self, other: &Self) -> bool {
        other < self
    }
}

impl<K: Ord> PartialEq for Entry<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<K: Ord> Eq for Entry<K> {}
