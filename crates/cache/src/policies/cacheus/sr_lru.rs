//! CACHEUS' scan-resistant LRU.

use crate::access::Slot;
use crate::structures::{Lists, PerSlot, share_up};

/// R of the paper: objects that were requested once, and those for which `REUSED` had no room.
const ONCE: usize = 0;
/// SR of the paper: objects that were requested more than once.
const REUSED: usize = 1;

/// Two LRU lists; only the first gives victims.
///
/// An object that is requested again moves to the second list. If there are too many, the oldest of the second are
/// *demoted* to the first. A request for a demoted object shows that the second list was too short. A request for a
/// *new* object that has left the first list shows that the first was too short.
#[derive(Debug, Clone)]
pub(super) struct SrLru {
    capacity: f64,
    /// How much `REUSED` may hold.
    reused_limit: f64,
    lists: Lists<2>,
    /// Whether an object was demoted and not requested since.
    demoted: PerSlot<bool>,
    demoted_count: u64,
}

impl SrLru {
    pub(super) fn new(capacity: u64, entries: usize) -> Self {
        let once = share_up(capacity, 0.01).max(1);
        Self {
            capacity: capacity as f64,
            reused_limit: capacity.saturating_sub(once) as f64,
            lists: Lists::new(entries),
            demoted: PerSlot::new(entries),
            demoted_count: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lists.len(ONCE) + self.lists.len(REUSED)
    }

    /// Whether an object was never requested again since it entered.
    pub(super) fn is_new(&self, slot: Slot) -> bool {
        self.lists.list_of(slot) == Some(ONCE) && !self.demoted[slot]
    }

    pub(super) fn victim(&self) -> Option<Slot> {
        self.in_order().next()
    }

    /// All objects as they would leave.
    #[inline]
    pub(super) fn in_order(&self) -> impl Iterator<Item = Slot> {
        self.lists.from_back(ONCE).chain(self.lists.from_back(REUSED))
    }

    /// `ghosts` is how many objects that left as new are remembered.
    #[inline]
    pub(super) fn hit(&mut self, slot: Slot, ghosts: u64) {
        if self.demoted[slot] {
            let step = (ghosts as f64 / self.demoted_count as f64).max(1.0) * self.lists.size(slot) as f64;
            self.reused_limit = (self.reused_limit + step).min(self.capacity - 1.0);
        }
        self.undo_demotion(slot);
        self.lists.remove(slot);
        self.reuse(slot, self.lists.size(slot));
    }

    /// Puts an object that is in no list into `REUSED`. If it alone is too large, it is
    /// demoted at once, and nothing else.
    #[inline]
    fn reuse(&mut self, slot: Slot, size: u64) {
        if size as f64 <= self.reused_limit {
            self.lists.push_front(REUSED, slot, size);
            return self.demote();
        }
        self.demote();
        self.lists.push_front(ONCE, slot, size);
        self.demoted[slot] = true;
        self.demoted_count += 1;
    }

    /// An object that left as new returns: one of `ghosts` that are remembered.
    pub(super) fn regret(&mut self, size: u64, ghosts: u64) {
        let step = (self.demoted_count as f64 / ghosts as f64).max(1.0) * size as f64;
        self.reused_limit = (self.reused_limit - step).max(0.0);
    }

    /// An object enters; one that returned is not new.
    pub(super) fn insert(&mut self, slot: Slot, size: u64, came_back: bool) {
        self.demoted.set(slot, false);
        if came_back {
            self.reuse(slot, size);
        } else {
            self.lists.push_front(ONCE, slot, size);
        }
    }

    pub(super) fn resize(&mut self, slot: Slot, size: u64) {
        self.lists.resize(slot, size);
    }

    pub(super) fn remove(&mut self, slot: Slot) {
        self.undo_demotion(slot);
        self.lists.remove(slot);
    }

    #[inline]
    fn undo_demotion(&mut self, slot: Slot) {
        self.demoted_count -= u64::from(self.demoted[slot]);
        self.demoted[slot] = false;
    }

    #[inline]
    fn demote(&mut self) {
        while self.lists.total(REUSED) as f64 > self.reused_limit {
            let Some(oldest) = self.lists.back(REUSED) else { break };
            self.lists.move_to(ONCE, oldest);
            self.demoted[oldest] = true;
            self.demoted_count += 1;
        }
    }
}
