//! A variant of SP-PIFO that knows the highest rank in each queue.
//!
//! The cost of a packet is the distance from its rank to the highest rank among the packets that share its queue. SP-PIFO (NSDI'20, section
//! 4.1, equations 6 to 8) starts from this cost. It then keeps one bound for each queue instead, since a switch cannot afford to select the
//! highest of all ranks. This queue keeps the highest ranks themselves, so a comparison shows the price of the bounds.
//!
//! A packet enters the queue of lowest priority such that no higher rank waits in it or in a queue of higher priority: the packet's cost
//! there is 0. If a higher rank waits in the first queue, the packet enters the first queue, as in Algorithm 1. Highest ranks fall as
//! packets leave, so there is no push-down. Of the three sources of inversions (section 4.1), the second cannot occur here: no bound can
//! sink below a waiting rank.
//!
//! An empty queue has no highest rank, so it accepts all ranks from the highest rank of the queues before it on. The paper does not define
//! this case.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::highest_waiting::HighestWaiting;
use crate::queues::inversion_sources::{self, InversionSources};
use crate::queues::strict_priority::{Shape, StrictPriority};
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::{About, Counter, Exactness};

/// The registry's entry for [`SpPifoHighest`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "sp-pifo-highest",
        title: "SP-PIFO without its relaxation: bounds are the highest ranks that wait in each queue",
        exactness: Exactness::Approximate,
        hardware: "strict-priority queues, and the highest rank in each, which no present switch knows",
        cost: "O(queues) per push and pop; one slot per packet and up to 8 bytes more",
        source: "Alcoz, Dietmueller, Vanbever: SP-PIFO, NSDI'20, section 4.1, equations 6 to 8",
        params: &[Shape::QUEUES, Shape::QUEUE_PACKETS, inversion_sources::PARAM],
    },
    build: |size, params| {
        let shape = Shape::from_params(size.packets, params)?;
        let mut queue = SpPifoHighest::new(shape.queues, shape.queue_capacity);
        if params.boolean(inversion_sources::PARAM.name) {
            queue.sources = Some(InversionSources::new(shape.queues));
        }
        Ok(BuiltQueue::SingleEnded(Box::new(queue)))
    },
};

/// Strict-priority queues that know their highest ranks.
#[derive(Debug)]
pub struct SpPifoHighest<T> {
    queues: StrictPriority<T>,
    highest: Box<[HighestWaiting]>,
    sources: Option<InversionSources>,
}

impl<T> SpPifoHighest<T> {
    /// Creates `queues` empty queues of `queue_capacity` items each.
    ///
    /// # Panics
    /// If there are no queues.
    #[must_use]
    pub fn new(queues: usize, queue_capacity: usize) -> Self {
        Self {
            queues: StrictPriority::new(Shape { queues, queue_capacity }),
            highest: (0..queues).map(|_| HighestWaiting::default()).collect(),
            sources: None,
        }
    }

    /// Returns the number of queues from the first on in which no higher rank waits.
    fn queues_without_higher(&self, rank: u64) -> usize {
        self.highest.iter().take_while(|highest| highest.get().is_none_or(|highest| highest <= rank)).count()
    }
}

impl<T> RankQueue<T> for SpPifoHighest<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let without_higher = self.queues_without_higher(rank);
        let queue = without_higher.saturating_sub(1);
        self.queues.push(queue, rank, item)?;
        self.highest[queue].push(rank);
        if let Some(sources) = &mut self.sources {
            sources.entered(queue, rank, without_higher == 0);
        }
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let queue = self.queues.first_occupied()?;
        let (rank, item) = self.queues.pop_from(queue)?;
        self.highest[queue].pop(rank);
        if let Some(sources) = &mut self.sources {
            sources.left(queue, rank);
        }
        Some((rank, item))
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.queues.peek_min()
    }

    fn len(&self) -> usize {
        self.queues.len()
    }

    fn capacity(&self) -> usize {
        self.queues.capacity()
    }

    fn sure_capacity(&self) -> usize {
        self.queues.sure_capacity()
    }

    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        let mut bound = 0;
        bounds.extend(self.highest.iter().map(|highest| {
            bound = highest.get().map_or(bound, |highest| highest.max(bound));
            bound
        }));
    }

    fn counters(&self) -> Vec<Counter> {
        self.sources.as_ref().map(|sources| sources.counters().into()).unwrap_or_default()
    }
}
