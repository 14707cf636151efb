//! What ARC and CAR share: two lists, their ghosts, and a target between them.

use super::{GhostLists, Lists};
use crate::access::{Entry, Fetched, Slot};
use crate::policy::Shape;

/// T1 and B1 of the papers: objects requested once for some time.
pub const ONCE: usize = 0;
/// T2 and B2 of the papers: objects requested again.
pub const OFTEN: usize = 1;

/// The lists `ONCE` and `OFTEN`, the ghosts of both, and the papers' p.
///
/// Sizes stand for numbers of objects: a ghost that is requested moves the target by its
/// size times the papers' step. With sizes of 1 it is the papers'.
#[derive(Debug, Clone)]
pub struct Adaptive {
    /// The objects in the cache.
    pub entries: Lists<2>,
    capacity: u64,
    target: f64,
    ghosts: GhostLists<2>,
}

impl Adaptive {
    /// Nothing in the cache, and no ghosts.
    #[must_use]
    pub fn new(shape: &Shape) -> Self {
        let (entries, ghosts) = (Lists::new(shape.entries), GhostLists::new(shape.entries));
        Self { entries, capacity: shape.capacity, target: 0.0, ghosts }
    }

    /// How much `ONCE` should hold.
    #[inline]
    #[must_use]
    pub fn target(&self) -> f64 {
        self.target
    }

    /// Forgets a ghost that returned, and moves the target; returns its list.
    #[inline]
    pub fn adapt(&mut self, new: &Fetched) -> Option<usize> {
        let (once, often) = (self.ghosts.total(ONCE) as f64, self.ghosts.total(OFTEN) as f64);
        let (list, _) = self.ghosts.remove(new.key)?;
        let size = new.size as f64;
        // The ghost was counted, so the divisor is above 0.
        self.target = if list == ONCE {
            (self.target + size * (often / once).max(1.0)).min(self.capacity as f64)
        } else {
            (self.target - size * (once / often).max(1.0)).max(0.0)
        };
        Some(list)
    }

    /// Puts an object in front of a list, and forgets ghosts so that `ONCE` and its
    /// ghosts take up one capacity at most, and everything two.
    ///
    /// The papers forget ghosts before they make room. The order makes no difference, and
    /// this way the limits also hold for sizes.
    #[inline]
    pub fn insert(&mut self, list: usize, slot: Slot, size: u64) {
        self.entries.push_front(list, slot, size);
        self.ghosts.shrink_to(ONCE, self.capacity.saturating_sub(self.entries.total(ONCE)));
        let held = self.entries.total(ONCE) + self.entries.total(OFTEN);
        let held = held.saturating_add(self.ghosts.total(ONCE));
        self.ghosts.shrink_to(OFTEN, self.capacity.saturating_mul(2).saturating_sub(held));
    }

    /// Makes an object a ghost of its list.
    #[inline]
    pub fn evict(&mut self, slot: Slot, entry: &Entry) {
        let list = self.entries.remove(slot);
        self.ghosts.push(list, entry.key, entry.size);
    }
}
