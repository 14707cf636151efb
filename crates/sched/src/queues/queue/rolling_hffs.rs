//! Rolling HFFS: a window of ranks that moves on as it is served, so that ranks may
//! rise for ever.
//!
//! One half of an HFFS holds the ranks from `base` to below `base + span`, the other half the next `span` ranks. When service reaches the
//! second half, the first is empty: the window moves on by one span and the halves swap roles. Source: BBQ (NSDI'24), appendix D, after
//! Eiffel's circular queue.
//!
//! The paper leaves open how to treat ranks outside the window. Here a rank before the window enters the first bucket: it is served next,
//! after the items already in this bucket. A rank beyond the window enters the last bucket. Both kinds of ranks are counted. When a rank
//! outside the window arrives at an empty queue, the window moves to include this rank, in the second half if the ranks rise. So ranks from
//! the last served rank up to one span ahead always fit, and the queue is exact while no rank is clamped.

use crate::queues::bitmap_tree::{FixedTree, Levels1, Levels2, Levels3, Levels4};
use crate::queues::entry::{BuiltQueue, QueueEntry, QueueSize};
use crate::queues::partition::Partitioning;
use crate::queues::partitioned_hffs::PartitionedHffs;
use crate::queues::rolling_partitions::RollingPartitions;
use crate::queues::traits::{PopMax, PushError, RankQueue};
use forebay_core::params::ParamKind;
use forebay_core::{About, Counter, Exactness, ParamError, ParamSpec, Params, convert};

/// Four levels hold 16,777,216 ranks.
const MAX_RANKS: u64 = 1 << 24;

/// The registry's entry for [`RollingHffs`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "rolling-hffs",
        title: "HFFS with a window of ranks that moves on: for ranks that rise for ever",
        exactness: Exactness::ExactWithinWindow,
        hardware: "software with a find-first-set instruction; in hardware two logical partitions of BBQ",
        cost: "O(levels) per operation, at most 4; 8 bytes per rank and 24 bytes plus the packet per entry",
        source: "Atre et al.: BBQ, NSDI'24, appendix D",
        params: &[ParamSpec {
            name: "ranks",
            kind: ParamKind::Integer { min: 2, max: MAX_RANKS, default: Some(32_768) },
            meaning: "ranks in the window, rounded up to whole subtrees; outside it they are clamped and counted",
        }],
    },
    build,
};

fn build(size: QueueSize, params: &Params) -> Result<BuiltQueue, ParamError> {
    let ranks = convert::index(params.integer("ranks").unwrap_or(MAX_RANKS));
    let half = ranks.div_ceil(2);
    Ok(BuiltQueue::DoubleEnded(match Partitioning::levels_for(64, 2, half) {
        Some(1) => Box::new(RollingHffs::<_, Levels1>::new(size.packets, half)),
        Some(2) => Box::new(RollingHffs::<_, Levels2>::new(size.packets, half)),
        Some(3) => Box::new(RollingHffs::<_, Levels3>::new(size.packets, half)),
        _ => Box::new(RollingHffs::<_, Levels4>::new(size.packets, half)),
    }))
}

/// An HFFS queue with a window of ranks that moves on.
#[derive(Debug)]
pub struct RollingHffs<T, Tree> {
    /// Items with their true ranks, in two partitions.
    queue: PartitionedHffs<(u64, T), Tree>,
    rolling: RollingPartitions,
}

impl<T: Default, Tree: FixedTree> RollingHffs<T, Tree> {
    /// Creates an empty queue for `capacity` items whose window has two halves of `span` ranks, rounded up to whole subtrees.
    ///
    /// # Panics
    /// If `span` is zero or does not fit half of the tree, or if `capacity` does not
    /// fit 32 bits.
    #[must_use]
    pub fn new(capacity: usize, span: usize) -> Self {
        let queue = PartitionedHffs::new(capacity, 2, span).expect("the span fits half of the tree");
        let rolling = RollingPartitions::new(&queue, 0);
        Self { queue, rolling }
    }

    /// The ranks that the window covers now: the first rank, and the end of the range, which is not included.
    #[must_use]
    pub fn window(&self) -> (u128, u128) {
        self.rolling.window().ranks()
    }
}

impl<T: Default, Tree: FixedTree> RankQueue<T> for RollingHffs<T, Tree> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let pushed = self.rolling.push(&mut self.queue, rank, (rank, item));
        pushed.map_err(|error| PushError { item: error.item.1, kind: error.kind })
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        self.rolling.pop_min(&mut self.queue)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.rolling.peek_min(&self.queue).map(|(rank, item)| (*rank, item))
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn capacity(&self) -> usize {
        self.queue.capacity()
    }

    fn counters(&self) -> Vec<Counter> {
        self.rolling.window().counters()
    }
}

impl<T: Default, Tree: FixedTree> PopMax<T> for RollingHffs<T, Tree> {
    fn pop_max(&mut self) -> Option<(u64, T)> {
        self.rolling.pop_max(&mut self.queue)
    }

    fn peek_max(&self) -> Option<(u64, &T)> {
        self.rolling.peek_max(&self.queue).map(|(rank, item)| (*rank, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::reference::Reference;
    use forebay_core::Seed;
    use rand::RngExt;

    #[test]
    fn rising_ranks_are_served_as_by_an_unbounded_queue() {
        let mut rng = Seed(1).stream("rolling");
        let mut queue = RollingHffs::<_, Levels2>::new(100, 200);
        let mut reference = Reference::new(100, u64::MAX);
        let mut virtual_time = 1_000_000_u64;
        for item in 0..100_000 {
            if rng.random_bool(0.52) {
                // At most one span ahead of what is served, as fair queueing has it.
                let rank = virtual_time + rng.random_range(0..200);
                assert_eq!(queue.push(rank, item).is_ok(), reference.push(rank, item).is_ok());
            } else if rng.random_bool(0.1) {
                assert_eq!(queue.pop_max(), reference.pop_max());
            } else {
                assert_eq!(queue.peek_min().map(|(rank, _)| rank), reference.peek_min().map(|(rank, _)| *rank));
                let popped = queue.pop_min();
                assert_eq!(popped, reference.pop_min());
                virtual_time = popped.map_or(virtual_time, |(rank, _)| rank.max(virtual_time));
            }
            assert_eq!(queue.peek_max().map(|(rank, _)| rank), reference.peek_max().map(|(rank, _)| *rank));
        }
        assert_eq!(queue.counters().iter().map(|counter| counter.value).sum::<u64>(), 0, "nothing was clamped");
        assert!(queue.window().0 > 1_000_000 + 10 * 256, "the window moved on many times");
    }

    #[test]
    fn the_window_moves_on_when_service_reaches_its_second_half() {
        let mut queue = RollingHffs::<_, Levels1>::new(10, 8);
        queue.push(3, 'a').unwrap();
        queue.push(12, 'b').unwrap();
        assert_eq!(queue.pop_min(), Some((3, 'a')));
        assert_eq!(queue.window(), (0, 16));
        queue.push(4, 'c').unwrap();
        assert_eq!(queue.pop_min(), Some((4, 'c')));
        assert_eq!(queue.pop_min(), Some((12, 'b')));
        assert_eq!(queue.window(), (8, 24));
        queue.push(23, 'd').unwrap();
        assert_eq!(queue.pop_min(), Some((23, 'd')));
    }

    #[test]
    fn ranks_outside_the_window_are_clamped_and_counted() {
        let mut queue = RollingHffs::<_, Levels1>::new(10, 8);
        queue.push(100, 'a').unwrap();
        assert_eq!(queue.window(), (88, 104), "an empty queue starts anywhere");
        queue.push(5, 'b').unwrap();
        queue.push(500, 'c').unwrap();
        assert_eq!(queue.counters().iter().map(|counter| counter.value).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(
            [queue.pop_min(), queue.pop_min(), queue.pop_min()],
            [Some((5, 'b')), Some((100, 'a')), Some((500, 'c'))]
        );
    }

    #[test]
    fn the_greatest_rank_of_all_works() {
        let mut queue = RollingHffs::<_, Levels1>::new(10, 8);
        queue.push(u64::MAX, 'a').unwrap();
        assert_eq!(queue.pop_min(), Some((u64::MAX, 'a')));
    }
}
