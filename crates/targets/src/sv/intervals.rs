//! The most cycles that an operation takes until the next one is accepted: those of `rtl/policy/policy_control.sv`, for
//! one policy.
//!
//! The generated README.md states these cycles, and the program `play` checks every operation against them.

use super::block::Block;
use super::owners::Owner;
use super::shape::Shape;
use super::victims::{Victim, holds};
use forebay_lang::Fixed;
use forebay_lang::ir::{Action, Case, Condition, Interval};

/// Cycles of operations, and how often the queue block is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Intervals {
    /// An arrival on which nothing acts.
    pub(super) arrival: u32,
    /// An arrival on which something acts, and that drops one packet or none.
    pub(super) acting: u32,
    /// More for each further packet that it drops.
    pub(super) further: u32,
    /// A pull on which nothing acts, and any.
    pub(super) pull: u32,
    pub(super) acting_pull: u32,
    /// The most cycles in which the queue block is not ready, which are in all of these.
    pub(super) turn: u32,
    /// The queue block's latency.
    pub(super) latency: u32,
}

impl Intervals {
    pub(super) fn new(shape: &Shape<'_>) -> Self {
        let policy = shape.model.policy;
        // Asking the queue block for an end of an order: the question, and its answer.
        let turn = u32::from(matches!(shape.block, Block::BbqFront { .. }));
        let asked = if shape.waits { 1 + latency(shape) + turn } else { 0 };
        let arrival = 1 + turn;
        let mut acting = arrival;
        for (id, queue) in policy.queues.iter().enumerate() {
            let buffer = queue.buffer.map(|buffer| usize::from(buffer.0));
            let own = steps(Owner::Queue, id, &queue.congestion, shape);
            // After its buffer has acted a queue is judged in a cycle of its own.
            let shared = buffer.map_or(0, |id| steps(Owner::Buffer, id, &policy.buffers[id].congestion, shape));
            let judged = u32::from(shared > 0);
            let drops = |condition: &Condition| condition.cases.iter().any(|case| visits(case) > 0);
            let any = drops(&queue.congestion) || buffer.is_some_and(|id| drops(&policy.buffers[id].congestion));
            let sorted_in = u32::from(any && !shape.waits && shape.victims[id] == Victim::Reverse);
            acting = acting.max(arrival + shared + judged + own + sorted_in + if any { asked } else { 0 });
        }
        let after = policy.ports.iter().enumerate().map(|(id, port)| steps(Owner::Port, id, &port.after, shape));
        // With an answer the port's condition is judged in a cycle of its own.
        let pull = turn + if shape.waits { asked + 1 } else { 1 };
        let acting_pull = pull + after.max().unwrap_or(0);
        Self { arrival, acting, further: 2 + asked, pull, acting_pull, turn, latency: latency(shape) }
    }

    /// The most cycles from an accepted pull to the offered packet, with a front of this many cycles, if nothing is
    /// being decided.
    pub(super) fn departs(self, front: u32) -> u32 {
        front + self.acting_pull + self.latency
    }

    /// The longer ones of two policies in one hardware.
    pub(super) fn longer(self, other: Self) -> Self {
        Self {
            arrival: self.arrival.max(other.arrival),
            acting: self.acting.max(other.acting),
            further: self.further.max(other.further),
            pull: self.pull.max(other.pull),
            acting_pull: self.acting_pull.max(other.acting_pull),
            turn: self.turn.max(other.turn),
            latency: self.latency.max(other.latency),
        }
    }
}

/// From the acceptance of an operation to its answer, as `bbq_pkg`, `bbq_front_queue` and `pifo` have it.
fn latency(shape: &Shape<'_>) -> u32 {
    let (levels, width) = match shape.block {
        Block::Bbq { levels, width } => (levels, width),
        Block::BbqFront { .. } => return 2,
        Block::Pifo => return 4,
    };
    let partition = shape.model.policy.queues.len().next_power_of_two().ilog2();
    let steered = (partition / width.ilog2()).min(levels - 1);
    2 * (levels - steered) + 5 + if steered > 0 { 2 } else { 0 }
}

/// The cycles of a condition's longest case, without those of victims beyond the first; 0 if it has none.
fn steps(owner: Owner, id: usize, condition: &Condition, shape: &Shape<'_>) -> u32 {
    let of = |case: &Case| {
        let actions = u32::try_from(case.actions.len()).expect("a case has fewer than 2^32 actions");
        // A victim is looked for once more if the condition may hold where nothing is left.
        let nothing = Interval { least: Fixed(0), greatest: Fixed(0), whole: true };
        let goes_on = visits(case) > 0 && case.can_be_lifted();
        let in_vain = goes_on && holds((owner, id), &case.when, nothing, &shape.model) != Some(false);
        actions + visits(case) + 1 + if in_vain { 2 } else { 0 }
    };
    condition.cases.iter().map(of).max().unwrap_or(0)
}

/// How often the actions of a case look for a victim.
fn visits(case: &Case) -> u32 {
    let drops = case.actions.iter().filter(|action| matches!(action, Action::Drop(_)));
    u32::try_from(drops.count()).expect("a case has fewer than 2^32 actions")
}
