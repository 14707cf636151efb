//! Two neighbouring partitions of a queue as one queue for ranks that rise for ever.
//!
//! [`RollingWindow`] maps ranks to the partitions; this module moves the items. The caller owns the queue, which may have further
//! partitions.

use crate::queues::partitioned_hffs::PartitionedHffs;
use crate::queues::rank_set::RankSet;
use crate::queues::rolling_window::RollingWindow;
use crate::queues::traits::PushError;

/// Two neighbouring partitions of a queue, with a window of ranks that moves forward.
#[derive(Debug, Clone)]
pub struct RollingPartitions {
    first: usize,
    window: RollingWindow,
}

impl RollingPartitions {
    /// Uses the empty partitions `first` and `first` + 1 of `queue`.
    #[must_use]
    pub fn new<T: Default, Tree: RankSet>(queue: &PartitionedHffs<T, Tree>, first: usize) -> Self {
        Self { first, window: RollingWindow::new(queue.max_rank() + 1) }
    }

    /// The present window.
    #[must_use]
    pub fn window(&self) -> &RollingWindow {
        &self.window
    }

    /// The partition that is served first, and the other.
    fn halves(&self) -> (usize, usize) {
        let half = self.window.first_half();
        (self.first + half, self.first + 1 - half)
    }

    /// Inserts an item; a rank outside the window is clamped to it and counted.
    ///
    /// # Errors
    /// Gives the item back if the queue is full.
    ///
    /// # Panics
    /// If `queue` lacks these partitions, as in all methods with the argument `queue`.
    pub fn push<T: Default, Tree: RankSet>(
        &mut self,
        queue: &mut PartitionedHffs<T, Tree>,
        rank: u64,
        item: T,
    ) -> Result<(), PushError<T>> {
        if queue.len_of(self.first) + queue.len_of(self.first + 1) == 0 {
            self.window.move_to(rank);
        }
        let place = self.window.place(rank);
        queue.push(self.first + place.half, place.rank, item)?;
        self.window.count(place);
        Ok(())
    }

    /// Removes the first item.
    pub fn pop_min<T: Default, Tree: RankSet>(&mut self, queue: &mut PartitionedHffs<T, Tree>) -> Option<T> {
        let (first, second) = self.halves();
        if let Some((_, item)) = queue.pop_min(first) {
            return Some(item);
        }
        let (_, item) = queue.pop_min(second)?;
        self.window.advance();
        Some(item)
    }

    /// Removes the last item.
    pub fn pop_max<T: Default, Tree: RankSet>(&mut self, queue: &mut PartitionedHffs<T, Tree>) -> Option<T> {
        let (first, second) = self.halves();
        queue.pop_max(second).or_else(|| queue.pop_max(first)).map(|(_, item)| item)
    }

    /// Looks at the item that [`pop_min`](Self::pop_min) would remove.
    #[must_use]
    pub fn peek_min<'a, T: Default, Tree: RankSet>(&self, queue: &'a PartitionedHffs<T, Tree>) -> Option<&'a T> {
        let (first, second) = self.halves();
        queue.peek_min(first).or_else(|| queue.peek_min(second)).map(|(_, item)| item)
    }

    /// Looks at the item that [`pop_max`](Self::pop_max) would remove.
    #[must_use]
    pub fn peek_max<'a, T: Default, Tree: RankSet>(&self, queue: &'a PartitionedHffs<T, Tree>) -> Option<&'a T> {
        let (first, second) = self.halves();
        queue.peek_max(second).or_else(|| queue.peek_max(first)).map(|(_, item)| item)
    }
}
