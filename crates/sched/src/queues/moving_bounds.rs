//! The bounds of SP-PIFO: the choice of a queue for a rank, and the rise and fall of the bounds.
//!
//! Source: SP-PIFO (NSDI'20), section 2, Algorithm 1 and, for the second pass, section 5.

use forebay_core::Params;
use std::collections::VecDeque;

/// The distance by which the bounds sink when the rank of a packet is below all of them. In each case, the bound of the queue that the
/// packet enters becomes the packet's rank. The other bounds never sink below the bound of the queue before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushDown {
    /// The bounds sink by the distance of the packet's rank to the lowest bound (Algorithm 1).
    Cost,
    /// Each bound sinks to the bound that the queue of next higher priority had.
    QueueBound,
    /// The bounds sink by the packet's rank.
    Rank,
    /// The bounds sink by one.
    One,
}

impl PushDown {
    /// Reads the push-down from the parameter `push_down` of `sp-pifo`.
    #[must_use]
    pub fn from_params(params: &Params) -> Self {
        match params.text("push_down") {
            "queue-bound" => Self::QueueBound,
            "rank" => Self::Rank,
            "one" => Self::One,
            _ => Self::Cost,
        }
    }
}

/// The lowest rank meant for each queue, highest priority first; every packet moves them.
#[derive(Debug)]
pub(crate) struct MovingBounds {
    bounds: Box<[u64]>,
    push_down: PushDown,
    second_passes: Option<SecondPasses>,
}

/// Inversions whose packets have not had their second pass.
#[derive(Debug)]
struct SecondPasses {
    /// Packets that arrive between the two passes.
    between: u64,
    /// Packets that have arrived.
    arrived: u64,
    /// The numbers of arrived packets after which the other bounds sink, and the distances.
    waiting: VecDeque<(u64, u64)>,
    /// Packets that were resubmitted for a second pass.
    resubmissions: u64,
}

impl MovingBounds {
    /// Creates bounds that are all zero, as in Algorithm 1.
    pub(crate) fn new(queues: usize, push_down: PushDown) -> Self {
        Self { bounds: vec![0; queues].into(), push_down, second_passes: None }
    }

    /// Returns bounds with the same settings for another number of queues, all zero.
    pub(crate) fn for_queues(self, queues: usize) -> Self {
        Self { bounds: vec![0; queues].into(), ..self }
    }

    /// Makes the other bounds sink in a second pass, after `packets` more packets have arrived.
    pub(crate) fn with_second_pass(self, packets: u64) -> Self {
        let passes = SecondPasses { between: packets, arrived: 0, waiting: VecDeque::new(), resubmissions: 0 };
        Self { second_passes: Some(passes), ..self }
    }

    /// The bounds, highest priority first.
    pub(crate) fn as_slice(&self) -> &[u64] {
        &self.bounds
    }

    /// Packets that were resubmitted; `None` if the bounds sink in one pass.
    pub(crate) fn resubmissions(&self) -> Option<u64> {
        self.second_passes.as_ref().map(|passes| passes.resubmissions)
    }

    /// Replaces all bounds. Pending second passes are forgotten.
    pub(crate) fn replace(&mut self, bounds: impl Iterator<Item = u64>) {
        for (bound, new) in self.bounds.iter_mut().zip(bounds) {
            *bound = new;
        }
        if let Some(passes) = &mut self.second_passes {
            passes.waiting.clear();
        }
    }

    /// Returns the queue for `rank`: the queue of lowest priority whose bound is not above `rank`, or else the first queue.
    pub(crate) fn queue_of(&self, rank: u64) -> usize {
        self.last_bounded_by(rank).unwrap_or(0)
    }

    fn last_bounded_by(&self, rank: u64) -> Option<usize> {
        self.bounds.iter().rposition(|&bound| bound <= rank)
    }

    /// Chooses the queue for `rank` and moves the bounds.
    pub(crate) fn map(&mut self, rank: u64) -> usize {
        if let Some(passes) = &mut self.second_passes {
            while let Some((_, cost)) = passes.waiting.pop_front_if(|(after, _)| *after <= passes.arrived) {
                for bound in &mut self.bounds[1..] {
                    *bound = bound.saturating_sub(cost);
                }
            }
            passes.arrived += 1;
        }
        if let Some(queue) = self.last_bounded_by(rank) {
            self.bounds[queue] = rank;
            return queue;
        }
        let cost = self.bounds[0] - rank;
        if let Some(passes) = &mut self.second_passes {
            self.bounds[0] = rank;
            passes.waiting.push_back((passes.arrived + passes.between, cost));
            passes.resubmissions += 1;
            return 0;
        }
        match self.push_down {
            PushDown::Cost => self.sink(|bound| bound - cost),
            PushDown::Rank => self.sink(|bound| bound.saturating_sub(rank)),
            PushDown::One => self.sink(|bound| bound.saturating_sub(1)),
            PushDown::QueueBound => self.bounds.rotate_right(1),
        }
        self.bounds[0] = rank;
        for queue in 1..self.bounds.len() {
            self.bounds[queue] = self.bounds[queue].max(self.bounds[queue - 1]);
        }
        0
    }

    fn sink(&mut self, lower: impl Fn(u64) -> u64) {
        for bound in &mut self.bounds {
            *bound = lower(*bound);
        }
    }
}
