//! PACKS: strict-priority FIFO queues with admission and mapping by the rank's quantile among recent ranks.
//!
//! A packet enters the queue with the highest priority that has room and for which the share of the last W ranks below its own is at most
//! `1 / (1 - burst) x (free slots of this queue and those before) / capacity`. If there is no such queue, the packet is dropped. So low ranks enter
//! queues of high priority, and high ranks queues of low priority. A packet that would be pushed out by better packets before its service
//! is not admitted. Source: Alcoz et al.: Everything matters in programmable packet scheduling, NSDI'25.

use super::aifo::{BURST, WINDOW, admission, admits};
use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::rank_window::RankWindow;
use crate::queues::serve_from::serve_from;
use crate::queues::strict_priority::{Shape, StrictPriority};
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::{About, Exactness};

/// The registry's entry for [`Packs`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "packs",
        title: "Strict-priority FIFO queues, chosen by the rank's quantile among recent ranks",
        exactness: Exactness::Approximate,
        hardware: "strict-priority queues, their lengths at ingress, a window of recent ranks",
        cost: "O(window + queues) per push, O(queues) per pop; one slot per packet, 16 bytes per rank of the window",
        source: "Alcoz et al.: PACKS, NSDI'25",
        params: &[Shape::QUEUES, Shape::QUEUE_PACKETS, WINDOW, BURST],
    },
    build: |size, params| {
        let shape = Shape::from_params(size.packets, params)?;
        let (window, burst) = admission(params);
        Ok(BuiltQueue::SingleEnded(Box::new(Packs::new(shape.queues, shape.queue_capacity, window, burst))))
    },
};

/// Strict-priority queues behind admission by rank.
#[derive(Debug)]
pub struct Packs<T> {
    queues: StrictPriority<T>,
    window: RankWindow,
    burst: f64,
}

impl<T> Packs<T> {
    /// Creates `queues` empty queues of `queue_capacity` items that remember the last `window` ranks.
    ///
    /// # Panics
    /// If there are no queues, the window is empty or `burst` is not from 0 up to 1.
    #[must_use]
    pub fn new(queues: usize, queue_capacity: usize, window: usize, burst: f64) -> Self {
        assert!((0.0..1.0).contains(&burst), "the burst allowance is a share");
        let shape = Shape { queues, queue_capacity };
        Self { queues: StrictPriority::new(shape), window: RankWindow::new(window), burst }
    }

    /// Returns the queue for `rank`, or `None` if the packet is not admitted.
    fn map(&self, rank: u64) -> Option<usize> {
        let share = self.window.share_below(rank);
        let mut free = 0;
        (0..self.queues.queues()).find(|&queue| {
            let room = self.queues.free(queue);
            free += room;
            room > 0 && admits(share, self.burst, free, self.queues.capacity())
        })
    }
}

impl<T> RankQueue<T> for Packs<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let queue = self.map(rank);
        self.window.push(rank);
        match queue {
            Some(queue) => self.queues.push(queue, rank, item),
            None => Err(PushError::full(item)),
        }
    }

    serve_from!(queues);

    fn sure_capacity(&self) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_go_where_their_place_among_recent_ones_puts_them() {
        let mut queue = Packs::new(2, 2, 10, 0.0);
        for rank in 0..10 {
            queue.push(rank, ()).ok();
        }
        while queue.pop_min().is_some() {}
        assert_eq!(queue.map(4), Some(0), "four tenths are better; half the buffer is the first queue");
        assert_eq!(queue.map(7), Some(1));
        queue.push(0, ()).unwrap();
        assert_eq!(queue.map(4), Some(1), "only a quarter is free in the first queue");
        queue.push(0, ()).unwrap();
        queue.push(0, ()).unwrap();
        assert_eq!(queue.map(9), None, "a quarter is free, and nearly all recent ranks are better");
        assert_eq!(queue.map(0), Some(1), "the first queue is full");
    }
}
