//! A tournament: an exact double-ended queue for any 64-bit rank, from which any item can be removed.
//!
//! Two trees of matches over the slots: in one the lower rank wins, in the other the higher; equal ranks by arrival. The winner at the root
//! is the first item, or the last. When a slot changes, its matches are played again from the leaf upwards, until a match has the same
//! result as before. The trees double when more items wait than they have slots for. [`Pifo`](crate::queues::queue::pifo::Pifo) stores its
//! keys more compactly, but does not know the position of an item. A tournament suits orders whose items change their rank while they wait.
//!
//! Cost: at most log2(capacity) matches per tree and operation, fewer where the item is not near an end; 44 bytes plus the item per entry.
//! Source: Knuth: The art of computer programming 3, section 5.2.3 (tree selection).
//!
//! ```
//! use forebay_sched::queues::{PopMax, RankQueue, Remove, Tournament};
//! let mut queue = Tournament::new(100);
//! let handle = queue.insert(u64::MAX, "worst").unwrap();
//! queue.push(7, "first").unwrap();
//! queue.push(7, "second").unwrap();
//! assert_eq!(queue.remove(handle), Some((u64::MAX, "worst")));
//! assert_eq!(queue.pop_min(), Some((7, "first")));
//! assert_eq!(queue.pop_max(), Some((7, "second")));
//! ```

use crate::queues::slab::Slab;
use crate::queues::traits::{Handle, PopMax, PushError, RankQueue, Remove};

/// No slot.
const NIL: u32 = u32::MAX;
/// The number of slots in the first trees.
const LEAST_PLACES: usize = 16;

/// An exact double-ended rank queue from which any item can be removed.
#[derive(Debug)]
pub struct Tournament<T> {
    items: Slab<T>,
    /// Rank and arrival of the item in each slot.
    keys: Vec<(u64, u64)>,
    first: Matches,
    last: Matches,
    arrivals: u64,
}

/// One tree of matches: node 1 is the root, those below node `n` are `2 n` and `2 n + 1`, and the slots are the last
/// half.
#[derive(Debug)]
struct Matches(Box<[u32]>);

impl Matches {
    fn new(slots: usize) -> Self {
        Self(vec![NIL; 2 * slots.max(1)].into())
    }

    /// The slot that wins against all.
    fn winner(&self) -> Option<u32> {
        self.0.get(1).copied().filter(|&slot| slot != NIL)
    }

    /// Adds `slot` to the matches or removes it, and plays its matches again; `beats` decides the winner of two slots.
    #[inline]
    fn play(&mut self, slot: u32, takes_part: bool, beats: impl Fn(u32, u32) -> bool) {
        let nodes = &mut self.0;
        let mut node = nodes.len() / 2 + slot as usize;
        nodes[node] = if takes_part { slot } else { NIL };
        while node > 1 {
            node /= 2;
            let (left, right) = (nodes[2 * node], nodes[2 * node + 1]);
            let winner = if right == NIL || left != NIL && beats(left, right) { left } else { right };
            if nodes[node] == winner && winner != slot {
                return;
            }
            nodes[node] = winner;
        }
    }
}

impl<T> Tournament<T> {
    /// Creates an empty queue for `capacity` items.
    ///
    /// # Panics
    /// If `capacity` does not fit 31 bits.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        assert!(i32::try_from(capacity).is_ok(), "capacity must fit 31 bits");
        Self {
            items: Slab::new(capacity),
            keys: Vec::new(),
            first: Matches::new(0),
            last: Matches::new(0),
            arrivals: 0,
        }
    }

    /// Makes room in the trees for a slot, by doubling the trees if they are too small.
    fn make_room(&mut self, slot: u32) {
        let places = self.keys.len();
        if (slot as usize) < places {
            return;
        }
        self.keys.resize((2 * places).max(LEAST_PLACES).min(self.items.capacity()), (0, 0));
        (self.first, self.last) = (Matches::new(self.keys.len()), Matches::new(self.keys.len()));
        // A slot is new only if all before it are taken.
        (0..slot).for_each(|other| self.play(other, true));
    }

    fn play(&mut self, slot: u32, takes_part: bool) {
        let key = |slot: u32| self.keys[slot as usize];
        self.first.play(slot, takes_part, |a, b| key(a) < key(b));
        self.last.play(slot, takes_part, |a, b| key(a) > key(b));
    }

    fn take(&mut self, slot: u32) -> Option<(u64, T)> {
        let item = self.items.take(slot)?;
        self.play(slot, false);
        Some((self.keys[slot as usize].0, item))
    }

    fn get(&self, slot: u32) -> Option<(u64, &T)> {
        Some((self.keys[slot as usize].0, self.items.get(slot)?))
    }

    /// Returns the item of `handle`, with its rank.
    pub(crate) fn find(&self, handle: Handle) -> Option<(u64, &T)> {
        self.items.find(handle)?;
        self.get(handle.slot)
    }

    /// Returns the handle of the last item.
    pub(crate) fn last_handle(&self) -> Option<Handle> {
        self.last.winner().map(|slot| self.items.handle(slot))
    }
}

impl<T> RankQueue<T> for Tournament<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        self.insert(rank, item).map(|_| ())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        self.take(self.first.winner()?)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.get(self.first.winner()?)
    }

    fn len(&self) -> usize {
        self.items.len()
    }

    fn capacity(&self) -> usize {
        self.items.capacity()
    }

    fn as_remove_mut(&mut self) -> Option<&mut dyn Remove<T>> {
        Some(self)
    }
}

impl<T> PopMax<T> for Tournament<T> {
    fn pop_max(&mut self) -> Option<(u64, T)> {
        self.take(self.last.winner()?)
    }

    fn peek_max(&self) -> Option<(u64, &T)> {
        self.get(self.last.winner()?)
    }
}

impl<T> Remove<T> for Tournament<T> {
    fn insert(&mut self, rank: u64, item: T) -> Result<Handle, PushError<T>> {
        let slot = self.items.insert(item).map_err(PushError::full)?;
        self.make_room(slot);
        self.keys[slot as usize] = (rank, self.arrivals);
        self.arrivals += 1;
        self.play(slot, true);
        Ok(self.items.handle(slot))
    }

    fn remove(&mut self, handle: Handle) -> Option<(u64, T)> {
        self.items.find(handle)?;
        self.take(handle.slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_fits_into_a_queue_of_nothing() {
        let mut queue = Tournament::new(0);
        assert_eq!(queue.push(0, 'a'), Err(PushError::full('a')));
        assert_eq!((queue.pop_min(), queue.pop_max()), (None, None));
    }

    #[test]
    fn a_stale_handle_removes_nothing() {
        let mut queue = Tournament::new(1);
        let old = queue.insert(5, 'a').unwrap();
        assert_eq!(queue.pop_min(), Some((5, 'a')));
        let new = queue.insert(5, 'b').unwrap();
        assert_eq!((queue.remove(old), queue.remove(new), queue.remove(new)), (None, Some((5, 'b')), None));
    }
}
