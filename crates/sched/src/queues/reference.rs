//! The definition of an exact rank queue: a sorted list.
//!
//! The list is slow (every operation scans the whole list) and obviously right. Op streams are generated with it, and every exact queue is
//! compared with it.

use crate::queues::traits::PushErrorKind;
use forebay_core::Time;

/// A list of (rank, item) in order of rank, then of arrival.
#[derive(Debug, Clone)]
pub struct Reference<T> {
    list: Vec<Queued<T>>,
    capacity: usize,
    /// The end of the ranks; all 64-bit ranks if it is 2^64.
    ranks: u128,
}

/// An item of the list.
#[derive(Debug, Clone)]
struct Queued<T> {
    rank_and_item: (u64, T),
    /// The earliest time at which the item may leave by [`Reference::pop_eligible`].
    eligible_at: Time,
}

impl<T: PartialEq> Reference<T> {
    /// Creates an empty list for `capacity` items with ranks below `ranks`.
    #[must_use]
    pub fn new(capacity: usize, ranks: u64) -> Self {
        Self { list: Vec::new(), capacity, ranks: ranks.into() }
    }

    /// Creates an empty list for `capacity` items of any rank.
    #[must_use]
    pub fn of_any_rank(capacity: usize) -> Self {
        Self { list: Vec::new(), capacity, ranks: 1 << 64 }
    }

    /// Inserts an item behind all items of lower or equal rank.
    ///
    /// # Errors
    /// If the rank is out of range or the list is full.
    pub fn push(&mut self, rank: u64, item: T) -> Result<(), PushErrorKind> {
        self.push_at(rank, Time::ZERO, item)
    }

    /// As [`push`](Self::push), with an item that may not leave by
    /// [`pop_eligible`](Self::pop_eligible) before `eligible_at`.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_at(&mut self, rank: u64, eligible_at: Time, item: T) -> Result<(), PushErrorKind> {
        if u128::from(rank) >= self.ranks {
            return Err(PushErrorKind::RankOutOfRange);
        }
        if self.list.len() == self.capacity {
            return Err(PushErrorKind::Full);
        }
        let place = self.list.iter().filter(|queued| queued.rank_and_item.0 <= rank).count();
        self.list.insert(place, Queued { rank_and_item: (rank, item), eligible_at });
        Ok(())
    }

    /// Removes the first item.
    pub fn pop_min(&mut self) -> Option<(u64, T)> {
        if self.list.is_empty() { None } else { Some(self.list.remove(0).rank_and_item) }
    }

    /// Removes the last item.
    pub fn pop_max(&mut self) -> Option<(u64, T)> {
        self.list.pop().map(|queued| queued.rank_and_item)
    }

    /// Removes the first item that may leave at `now`.
    pub fn pop_eligible(&mut self, now: Time) -> Option<(u64, T)> {
        let place = self.list.iter().position(|queued| queued.eligible_at <= now)?;
        Some(self.list.remove(place).rank_and_item)
    }

    /// The earliest time at which any item may leave.
    #[must_use]
    pub fn next_eligible(&self) -> Option<Time> {
        self.list.iter().map(|queued| queued.eligible_at).min()
    }

    /// Looks at the first item.
    #[must_use]
    pub fn peek_min(&self) -> Option<&(u64, T)> {
        self.list.first().map(|queued| &queued.rank_and_item)
    }

    /// Looks at the last item.
    #[must_use]
    pub fn peek_max(&self) -> Option<&(u64, T)> {
        self.list.last().map(|queued| &queued.rank_and_item)
    }

    /// Removes the item that equals `item`.
    pub fn remove(&mut self, item: &T) -> Option<(u64, T)> {
        let place = self.list.iter().position(|queued| queued.rank_and_item.1 == *item)?;
        Some(self.list.remove(place).rank_and_item)
    }

    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
