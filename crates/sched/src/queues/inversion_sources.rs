//! The sources of SP-PIFO's inversions, and the cost of packets at enqueue.
//!
//! Source: SP-PIFO (NSDI'20), section 4.1. An inversion is a packet that is dequeued while a packet of lower rank waits, as in the results
//! of a port. Its source depends on the packet that a PIFO would have sent instead, the first packet of lowest rank:
//!
//! - **In the first queue**: that packet arrived below all bounds, so it was enqueued behind higher ranks in the queue of highest priority.
//! - **Behind a sunk bound**: that packet waits in the same queue as the departing packet, though its rank reached the bound: the bound had
//!   sunk below a waiting rank.
//! - **Between queues**: that packet waits in a queue of lower priority, since the ranks of the queues overlap.
//!
//! The cost of a packet at enqueue is the distance from its rank to the highest rank in its queue, itself included (equations 6 to 8).

use crate::queues::highest_waiting::HighestWaiting;
use forebay_core::params::ParamKind;
use forebay_core::{Counter, ParamSpec};
use std::collections::{BTreeMap, VecDeque};

/// The parameter that turns the counts on.
pub(crate) const PARAM: ParamSpec = ParamSpec {
    name: "sources",
    kind: ParamKind::Boolean { default: false },
    meaning: "count inversions by their source, and the cost of packets at enqueue (section 4.1), for the metrics \
              `inversions_in_first_queue`, `inversions_behind_sunk_bounds`, `inversions_between_queues` and \
              `cost_at_enqueue`",
};

/// The packets that wait in strict-priority FIFO queues, and their counts.
#[derive(Debug)]
pub(crate) struct InversionSources {
    /// The numbers of the packets in each queue.
    fifos: Box<[VecDeque<u64>]>,
    highest: Box<[HighestWaiting]>,
    /// For each waiting packet, by rank and number: its queue, and whether it arrived below all bounds.
    waiting: BTreeMap<(u64, u64), (usize, bool)>,
    entered: u64,
    cost: u64,
    in_first_queue: u64,
    behind_sunk_bounds: u64,
    between_queues: u64,
}

impl InversionSources {
    /// Creates the counts for `queues` empty queues.
    pub(crate) fn new(queues: usize) -> Self {
        Self {
            fifos: (0..queues).map(|_| VecDeque::new()).collect(),
            highest: (0..queues).map(|_| HighestWaiting::default()).collect(),
            waiting: BTreeMap::new(),
            entered: 0,
            cost: 0,
            in_first_queue: 0,
            behind_sunk_bounds: 0,
            between_queues: 0,
        }
    }

    /// Records that a packet entered `queue`.
    pub(crate) fn entered(&mut self, queue: usize, rank: u64, is_below_all_bounds: bool) {
        let highest = self.highest[queue].get().unwrap_or(rank);
        self.cost = self.cost.saturating_add(highest.saturating_sub(rank));
        self.highest[queue].push(rank);
        self.fifos[queue].push_back(self.entered);
        self.waiting.insert((rank, self.entered), (queue, is_below_all_bounds));
        self.entered += 1;
    }

    /// Records that the first packet of `queue`, with this rank, left.
    pub(crate) fn left(&mut self, queue: usize, rank: u64) {
        self.highest[queue].pop(rank);
        let Some(number) = self.fifos[queue].pop_front() else { return };
        self.waiting.remove(&(rank, number));
        match self.waiting.first_key_value() {
            Some((&(best, _), &(its_queue, is_below))) if best < rank => {
                let source = match (its_queue == queue, is_below) {
                    (false, _) => &mut self.between_queues,
                    (true, true) => &mut self.in_first_queue,
                    (true, false) => &mut self.behind_sunk_bounds,
                };
                *source += 1;
            }
            _ => {}
        }
    }

    /// The counters. The cost is in ranks, summed over the packets that entered.
    pub(crate) fn counters(&self) -> [Counter; 4] {
        let counter = |name, value| Counter { name, value };
        [
            counter("inversions_in_first_queue", self.in_first_queue),
            counter("inversions_behind_sunk_bounds", self.behind_sunk_bounds),
            counter("inversions_between_queues", self.between_queues),
            counter("cost_at_enqueue", self.cost),
        ]
    }
}
