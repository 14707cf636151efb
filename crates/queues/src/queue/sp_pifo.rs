//! SP-PIFO: a rank queue approximated by a few strict-priority FIFO queues.
//!
//! Each queue has a bound: the lowest rank that it is meant for. An arriving
//! packet goes to the lowest-priority queue whose bound its rank reaches, and the
//! bound becomes its rank (push-up). If its rank is below all bounds, it goes to
//! the highest-priority queue, and all bounds sink by how much it fell short
//! (push-down). Source: SP-PIFO (NSDI'20), section 2 and Algorithm 1.
//!
//! As in a switch, where the ingress pipeline chooses the queue before the queue
//! says whether it has room, the bounds also move for a packet that then finds
//! its queue full. Bounds stay sorted and never fall below zero: a push-up stays
//! below the next bound, a push-down moves the lowest bound to the rank and the
//! others by the same amount.

use crate::entry::{BuiltQueue, QueueEntry};
use crate::traits::{PushError, RankQueue};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec};
use std::collections::VecDeque;

/// The registry's entry for [`SpPifo`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "sp-pifo",
        title: "Strict-priority FIFO queues whose bounds follow the ranks",
        exactness: Exactness::Approximate,
        hardware: "strict-priority queues and one register per queue; runs on programmable switches",
        cost: "O(queues) per push, O(queues) per pop; one slot per packet and one bound per queue",
        source: "Alcoz, Dietmueller, Vanbever: SP-PIFO, NSDI'20, section 2 and Algorithm 1",
        params: &[
            ParamSpec {
                name: "queues",
                kind: ParamKind::Integer { min: 1, max: 1024, default: Some(8) },
                meaning: "number of strict-priority queues",
            },
            ParamSpec {
                name: "queue_packets",
                kind: ParamKind::Integer { min: 1, max: 1 << 24, default: None },
                meaning: "packets that each queue holds (default: the buffer divided by the queues, rounded up)",
            },
        ],
    },
    build: |size, params| {
        let queues = usize::try_from(params.integer("queues").unwrap_or(8)).unwrap_or(1);
        let each = match params.integer("queue_packets") {
            Some(packets) => usize::try_from(packets).unwrap_or(usize::MAX),
            None => size.packets.div_ceil(queues),
        };
        if queues.saturating_mul(each) > 1 << 28 {
            let message = format!("{queues} queues of {each} packets are more than 2^28 packets");
            return Err(ParamError::of("queue_packets", message));
        }
        Ok(BuiltQueue::SingleEnded(Box::new(SpPifo::new(queues, each))))
    },
};

/// Strict-priority queues with moving bounds.
#[derive(Debug)]
pub struct SpPifo<T> {
    /// `bounds[i]` is the lowest rank meant for `queues[i]`; index 0 has the
    /// highest priority.
    bounds: Box<[u64]>,
    queues: Box<[VecDeque<(u64, T)>]>,
    queue_capacity: usize,
    len: usize,
}

impl<T> SpPifo<T> {
    /// `queues` empty queues of `queue_capacity` items each, all bounds zero.
    ///
    /// # Panics
    /// If there are no queues.
    #[must_use]
    pub fn new(queues: usize, queue_capacity: usize) -> Self {
        assert!(queues > 0, "SP-PIFO needs at least one queue");
        Self {
            bounds: vec![0; queues].into(),
            queues: (0..queues).map(|_| VecDeque::with_capacity(queue_capacity)).collect(),
            queue_capacity,
            len: 0,
        }
    }

    /// The bounds, highest priority first.
    #[must_use]
    pub fn bounds(&self) -> &[u64] {
        &self.bounds
    }

    /// Chooses the queue for `rank` and moves the bounds.
    fn map(&mut self, rank: u64) -> usize {
        if let Some(queue) = self.bounds.iter().rposition(|&bound| bound <= rank) {
            self.bounds[queue] = rank;
            queue
        } else {
            let cost = self.bounds[0] - rank;
            for bound in &mut self.bounds {
                *bound -= cost;
            }
            debug_assert!(self.bounds.is_sorted());
            0
        }
    }
}

impl<T> RankQueue<T> for SpPifo<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let queue = self.map(rank);
        if self.queues[queue].len() == self.queue_capacity {
            return Err(PushError::full(item));
        }
        self.queues[queue].push_back((rank, item));
        self.len += 1;
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let item = self.queues.iter_mut().find_map(VecDeque::pop_front)?;
        self.len -= 1;
        Some(item)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.queues.iter().find_map(VecDeque::front).map(|(rank, item)| (*rank, item))
    }

    fn len(&self) -> usize {
        self.len
    }

    fn capacity(&self) -> usize {
        self.queues.len() * self.queue_capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of section 2 (Figure 3), two queues. The text gives the
    /// first two packets (3, then 4), that 2 comes before the second 1, and the
    /// bounds before and after that inversion; section 3.2 gives the packets as
    /// 1 1 2 3 4 4 5. What lies between is put in the order that fits.
    #[test]
    fn the_worked_example_of_the_paper() {
        let mut queue = SpPifo::new(2, 10);
        let mut steps = Vec::new();
        for rank in [3, 4, 5, 1, 2, 1] {
            queue.push(rank, ()).unwrap();
            steps.push((queue.bounds()[0], queue.bounds()[1]));
        }
        // "updates its queue bound to 3", "updates the queue bound to 4", ...
        assert_eq!(steps[..2], [(0, 3), (0, 4)]);
        // ... "adapts the queue bounds to 1 and 5-1 = 4".
        assert_eq!(steps[4..], [(2, 5), (1, 4)]);
    }

    #[test]
    fn one_and_two_in_turn_end_in_separate_queues() {
        let mut queue = SpPifo::new(2, 100);
        for rank in [3, 4, 5, 1, 2, 1] {
            queue.push(rank, ()).unwrap();
        }
        for _ in 0..4 {
            queue.push(2, ()).unwrap();
            queue.push(1, ()).unwrap();
        }
        assert_eq!(queue.bounds(), [1, 2], "the text: the bound of the lowest queue eventually reaches 2");
    }

    #[test]
    fn a_full_queue_refuses_while_others_have_room() {
        let mut queue = SpPifo::new(2, 1);
        queue.push(5, 'a').unwrap();
        assert_eq!(queue.push(6, 'b'), Err(PushError::full('b')));
        assert_eq!(queue.bounds(), [0, 6], "the bound moves before the queue refuses");
        queue.push(1, 'c').unwrap();
        assert_eq!(queue.pop_min(), Some((1, 'c')));
        assert_eq!(queue.pop_min(), Some((5, 'a')));
    }
}
