//! The registry's description of a queue, and the constructor that builds the queue by name.

use crate::queues::traits::{PopMax, PushError, RankQueue};
use forebay_core::{About, Counter, Named, Packet, ParamError, Params};

/// One rank queue in the registry.
pub struct QueueEntry {
    /// The name, title, cost and source of the queue.
    pub about: About,
    /// Builds the queue.
    pub build: fn(QueueSize, &Params) -> Result<BuiltQueue, ParamError>,
}

impl Named for QueueEntry {
    fn about(&self) -> &About {
        &self.about
    }
}

/// The size of a queue that is to be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueSize {
    /// The most packets that the buffer holds.
    pub packets: usize,
}

/// A built queue, by the operations that it supports.
pub enum BuiltQueue {
    /// A queue whose items leave from the front only.
    SingleEnded(Box<dyn RankQueue<Packet> + Send>),
    /// A queue from which the worst item can be removed, too.
    DoubleEnded(Box<dyn PopMax<Packet> + Send>),
}

impl BuiltQueue {
    /// The queue, with the operations that every queue has.
    #[must_use]
    pub fn as_rank_queue(&self) -> &dyn RankQueue<Packet> {
        match self {
            Self::SingleEnded(queue) => queue.as_ref(),
            Self::DoubleEnded(queue) => queue.as_ref(),
        }
    }

    /// The queue, with the operations that every queue has, mutably.
    #[must_use]
    pub fn as_rank_queue_mut(&mut self) -> &mut dyn RankQueue<Packet> {
        match self {
            Self::SingleEnded(queue) => queue.as_mut(),
            Self::DoubleEnded(queue) => queue.as_mut(),
        }
    }
}

impl RankQueue<Packet> for BuiltQueue {
    fn push(&mut self, rank: u64, packet: Packet) -> Result<(), PushError<Packet>> {
        self.as_rank_queue_mut().push(rank, packet)
    }

    fn pop_min(&mut self) -> Option<(u64, Packet)> {
        self.as_rank_queue_mut().pop_min()
    }

    fn peek_min(&self) -> Option<(u64, &Packet)> {
        self.as_rank_queue().peek_min()
    }

    fn len(&self) -> usize {
        self.as_rank_queue().len()
    }

    fn capacity(&self) -> usize {
        self.as_rank_queue().capacity()
    }

    fn sure_capacity(&self) -> usize {
        self.as_rank_queue().sure_capacity()
    }

    fn max_rank(&self) -> u64 {
        self.as_rank_queue().max_rank()
    }

    fn counters(&self) -> Vec<Counter> {
        self.as_rank_queue().counters()
    }

    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        self.as_rank_queue().add_bounds(bounds);
    }
}
