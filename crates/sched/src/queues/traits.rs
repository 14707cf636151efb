//! The traits of rank queues. A design without an operation does not implement the trait of this operation, so no method panics for lack of
//! support.

use forebay_core::{Counter, Time};

/// A priority queue over 64-bit ranks: the lowest rank leaves first, equal ranks
/// in order of arrival.
pub trait RankQueue<T> {
    /// Enqueues an item.
    ///
    /// # Errors
    /// Returns the item if the queue is full or the rank is out of range.
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>>;

    /// Removes the first item, with its rank.
    fn pop_min(&mut self) -> Option<(u64, T)>;

    /// Looks at the item that [`pop_min`](Self::pop_min) would remove.
    fn peek_min(&self) -> Option<(u64, &T)>;

    /// The number of items.
    fn len(&self) -> usize;

    /// Whether nothing is in.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most items that the queue can hold.
    fn capacity(&self) -> usize;

    /// The number of items that the queue surely holds, whatever their ranks: with fewer items, it admits every item. If parts of the queue
    /// can be full before the queue is, the number is below [`capacity`](Self::capacity). If the queue may reject any item, it is 0.
    fn sure_capacity(&self) -> usize {
        self.capacity()
    }

    /// The highest rank that the queue accepts.
    fn max_rank(&self) -> u64 {
        u64::MAX
    }

    /// Counters for the report, for example of ranks outside a window.
    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }

    /// Appends the bounds of its FIFO queues, if it has bounds: the lowest rank meant for each, highest priority first.
    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        let _ = bounds;
    }

    /// This queue as one from which any item can be taken, if it is one. Each type that implements [`Remove`] overrides this method, for
    /// callers that have a trait object.
    fn as_remove_mut(&mut self) -> Option<&mut dyn Remove<T>> {
        None
    }

    /// This queue as one that holds items back, if it is one. Each type that implements [`PopEligible`] overrides this method.
    fn as_pop_eligible_mut(&mut self) -> Option<&mut dyn PopEligible<T>> {
        None
    }

    /// As [`as_pop_eligible_mut`](Self::as_pop_eligible_mut), without mutable access.
    fn as_pop_eligible(&self) -> Option<&dyn PopEligible<T>> {
        None
    }
}

/// A queue whose worst item can be removed.
pub trait PopMax<T>: RankQueue<T> {
    /// Removes the item of highest rank, the latest arrival among equals.
    fn pop_max(&mut self) -> Option<(u64, T)>;

    /// Looks at the item that [`pop_max`](Self::pop_max) would remove.
    fn peek_max(&self) -> Option<(u64, &T)>;
}

/// A queue from which any item can be removed.
pub trait Remove<T>: RankQueue<T> {
    /// Enqueues an item, as [`push`](RankQueue::push) does, and returns its handle.
    ///
    /// # Errors
    /// As [`push`](RankQueue::push).
    fn insert(&mut self, rank: u64, item: T) -> Result<Handle, PushError<T>>;

    /// Removes the item of `handle`; returns `None` if the item has left already.
    fn remove(&mut self, handle: Handle) -> Option<(u64, T)>;
}

/// A queue in which each item has its own earliest departure time, as a shaper needs.
///
/// Eligibility affects only the operations of this trait. An item from [`push`](RankQueue::push) is eligible at once, and
/// [`pop_min`](RankQueue::pop_min) removes the first of all items.
pub trait PopEligible<T>: Remove<T> {
    /// Enqueues an item that becomes eligible at `eligible_at`, and returns its handle.
    ///
    /// # Errors
    /// As [`push`](RankQueue::push).
    fn insert_at(&mut self, rank: u64, eligible_at: Time, item: T) -> Result<Handle, PushError<T>>;

    /// Removes the item of lowest rank among those eligible at `now`, the first to arrive among equals.
    fn pop_eligible(&mut self, now: Time) -> Option<(u64, T)>;

    /// Looks at the item that [`pop_eligible`](Self::pop_eligible) would remove.
    fn peek_eligible(&self, now: Time) -> Option<(u64, &T)>;

    /// The earliest time at which an item becomes eligible, which may be in the past; `None` if the queue is empty. When `pop_eligible`
    /// finds no item, a discipline requests a wake-up at this time.
    fn next_eligible(&self) -> Option<Time>;
}

/// Identifies one queued item. The handle becomes stale when the item leaves. It differs from the handles of the next four billion items in
/// the same slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

/// An item that was not enqueued, and the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PushError<T> {
    /// The item, returned to the caller.
    pub item: T,
    /// The reason for the failure.
    pub kind: PushErrorKind,
}

/// The reason why an item was not enqueued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushErrorKind {
    /// There is no room.
    Full,
    /// Its rank is above [`RankQueue::max_rank`].
    RankOutOfRange,
}

impl<T> PushError<T> {
    pub(crate) fn full(item: T) -> Self {
        Self { item, kind: PushErrorKind::Full }
    }

    pub(crate) fn rank_out_of_range(item: T) -> Self {
        Self { item, kind: PushErrorKind::RankOutOfRange }
    }
}
