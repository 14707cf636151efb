//! Numbers as keys.

use std::cmp::Ordering;

/// A number in the total order of its bits (IEEE 754, `totalOrder`), so that it can be part of a key.
#[derive(Debug, Clone, Copy)]
pub struct Ordered(pub f64);

impl Ord for Ordered {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ordered {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}
