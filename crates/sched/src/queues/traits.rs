//! The traits of rank queues. A design without an operation does not implement the trait of this operation, so no method panics for lack of
//! support.

use forebay_core::{Counter, Time};

/// A priority queue over 64-bit ranks: the lowest rank leaves first, equal ranks
/// in order of arrival.
pub trait RankQueue<T> {
    /// Puts an item in.
    ///
    /// # Errors
    /// Gives the item back if there is no room for it or its rank does not exist
    /// in this queue.
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>>;

    /// Takes the first item, with its rank.
    fn pop_min(&mut self) -> Option<(u64, T)>;

    /// Looks at what [`pop_min`](Self::pop_min) would take.
    fn peek_min(&self) -> Option<(u64, &T)>;

    /// How many items are in.
    fn len(&self) -> usize;

    /// Whether nothing is in.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items it holds at most.
    fn capacity(&self) -> usize;

    /// How many items it surely holds, whatever their ranks: it admits every item while it has fewer. A queue whose parts can be full
    /// before it is holds fewer than [`capacity`](Self::capacity). A queue that may turn away any item holds 0.
    fn sure_capacity(&self) -> usize {
        self.capacity()
    }

    /// The highest rank that it takes.
    fn max_rank(&self) -> u64 {
        u64::MAX
    }

    /// Numbers for the report, e.g. how many ranks lay outside a window.
    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }

    /// Appends the bounds of its FIFO queues, if it has bounds: the lowest rank meant for each, highest priority first.
    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        let _ = bounds;
    }

    /// This queue as one from which any item can be taken, if it is one. Each type
    /// that implements [`Remove`] says so here, for those that hold it as a trait
    /// object.
    fn as_remove_mut(&mut self) -> Option<&mut dyn Remove<T>> {
        None
    }

    /// This queue as one that holds items back, if it is one. Each type that
    /// implements [`PopEligible`] says so here.
    fn as_pop_eligible_mut(&mut self) -> Option<&mut dyn PopEligible<T>> {
        None
    }

    /// The same, to look at.
    fn as_pop_eligible(&self) -> Option<&dyn PopEligible<T>> {
        None
    }
}

/// A queue whose worst item can be removed.
pub trait PopMax<T>: RankQueue<T> {
    /// Takes the item of highest rank, the latest arrival among equals.
    fn pop_max(&mut self) -> Option<(u64, T)>;

    /// Looks at what [`pop_max`](Self::pop_max) would take.
    fn peek_max(&self) -> Option<(u64, &T)>;
}

/// A queue from which any item can be removed.
pub trait Remove<T>: RankQueue<T> {
    /// Puts an item in, as [`push`](RankQueue::push) does, and says how to find it.
    ///
    /// # Errors
    /// As [`push`](RankQueue::push).
    fn insert(&mut self, rank: u64, item: T) -> Result<Handle, PushError<T>>;

    /// Takes out the item that `handle` stands for; `None` if it has left already.
    fn remove(&mut self, handle: Handle) -> Option<(u64, T)>;
}

/// A queue in which each item has its own earliest departure time, as a shaper needs.
///
/// Eligibility affects only the operations of this trait. An item from [`push`](RankQueue::push) is eligible at once, and
/// [`pop_min`](RankQueue::pop_min) removes the first of all items.
pub trait PopEligible<T>: Remove<T> {
    /// Puts an item in that becomes eligible at `eligible_at`, and says how to find
    /// it.
    ///
    /// # Errors
    /// As [`push`](RankQueue::push).
    fn insert_at(&mut self, rank: u64, eligible_at: Time, item: T) -> Result<Handle, PushError<T>>;

    /// Takes the item of lowest rank among those eligible at `now`, the first to
    /// arrive among equals.
    fn pop_eligible(&mut self, now: Time) -> Option<(u64, T)>;

    /// Looks at what [`pop_eligible`](Self::pop_eligible) would take.
    fn peek_eligible(&self, now: Time) -> Option<(u64, &T)>;

    /// When the first of all items becomes eligible, be it past or to come; `None`
    /// if nothing is in. After `pop_eligible` found nothing, this is when a
    /// discipline asks to be woken up.
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
