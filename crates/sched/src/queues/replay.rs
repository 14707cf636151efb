//! Replays op streams on rank queues.
//!
//! An adapter knows the operations that a queue supports; the checks are in [`forebay_core::ops`].

use crate::queues::entry::BuiltQueue;
use crate::queues::reference::Reference;
use crate::queues::traits::{Handle, PushError, PushErrorKind, RankQueue};
use forebay_core::Packet;
use forebay_core::ops::{Answer, Op, OpTarget};
use std::collections::HashMap;

/// A built queue with every operation that it supports. Items are the ids of packets.
pub struct Replayed {
    queue: BuiltQueue,
    /// Handles of the pushed items, stale ones as well: the queue must reject those.
    handles: HashMap<u64, Handle>,
    removal: bool,
}

impl Replayed {
    /// Wraps an empty queue.
    #[must_use]
    pub fn new(mut queue: BuiltQueue) -> Self {
        let removal = queue.as_rank_queue_mut().as_remove_mut().is_some();
        Self { queue, handles: HashMap::new(), removal }
    }

    /// Wraps an empty queue from which no items are removed by handle: items enter by `push`, not by `insert`.
    #[must_use]
    pub fn without_removal(queue: BuiltQueue) -> Self {
        Self { queue, handles: HashMap::new(), removal: false }
    }

    /// The queue.
    #[must_use]
    pub fn queue(&self) -> &dyn RankQueue<Packet> {
        self.queue.as_rank_queue()
    }

    fn keep(&mut self, item: u64, inserted: Result<Handle, PushError<Packet>>) -> Answer {
        match inserted {
            Ok(handle) => {
                self.handles.insert(item, handle);
                Answer::Done
            }
            Err(error) => refusal(error.kind),
        }
    }
}

impl OpTarget for Replayed {
    fn apply(&mut self, op: Op) -> Option<Answer> {
        let queue = self.queue.as_rank_queue_mut();
        Some(match op {
            Op::Push { rank, item } if self.removal => {
                let inserted = queue.as_remove_mut()?.insert(rank, packet(item));
                self.keep(item, inserted)
            }
            Op::PushAt { rank, item, eligible_at } => {
                let inserted = queue.as_pop_eligible_mut()?.insert_at(rank, eligible_at, packet(item));
                self.keep(item, inserted)
            }
            Op::Remove { item } if self.removal => {
                let remove = queue.as_remove_mut()?;
                let removed = self.handles.get(&item).and_then(|&handle| remove.remove(handle));
                answer(removed, Answer::Absent)
            }
            Op::PopMax => match &mut self.queue {
                BuiltQueue::DoubleEnded(queue) => answer(queue.pop_max(), Answer::Empty),
                BuiltQueue::SingleEnded(_) => return None,
            },
            Op::PopEligible(now) => answer(queue.as_pop_eligible_mut()?.pop_eligible(now), Answer::Empty),
            Op::NextEligible => queue.as_pop_eligible_mut()?.next_eligible().map_or(Answer::Empty, Answer::At),
            op => return apply_front(queue, op),
        })
    }
}

fn packet(item: u64) -> Packet {
    Packet { id: item, ..Packet::default() }
}

fn answer(popped: Option<(u64, Packet)>, otherwise: Answer) -> Answer {
    popped.map_or(otherwise, |(rank, packet)| Answer::Item { rank, item: packet.id })
}

fn refusal(kind: PushErrorKind) -> Answer {
    match kind {
        PushErrorKind::Full => Answer::Full,
        PushErrorKind::RankOutOfRange => Answer::OutOfRange,
    }
}

/// The operations that every queue has.
fn apply_front<Q: RankQueue<Packet> + ?Sized>(queue: &mut Q, op: Op) -> Option<Answer> {
    Some(match op {
        Op::Push { rank, item } => match queue.push(rank, packet(item)) {
            Ok(()) => Answer::Done,
            Err(error) => refusal(error.kind),
        },
        Op::Pop => answer(queue.pop_min(), Answer::Empty),
        Op::Peek => answer(queue.peek_min().map(|(rank, packet)| (rank, *packet)), Answer::Empty),
        _ => return None,
    })
}

/// A queue and the reference side by side: every operation is applied to both, and their answers must agree.
pub struct SideBySide {
    queue: Replayed,
    reference: Reference<u64>,
}

/// A difference between a queue and the reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// The answers differ.
    #[error("`{op}` must answer `{}`, got `{answer}`", expected.map_or_else(String::new, |expected| expected.to_string()))]
    Answer {
        /// The operation.
        op: Op,
        /// The answer of the reference, if it has the operation.
        expected: Option<Answer>,
        /// The answer of the queue.
        answer: Answer,
    },
    /// The numbers of items differ.
    #[error("after `{op}` there are {expected} items, not {len}")]
    Items {
        /// The operation.
        op: Op,
        /// The number of items in the reference.
        expected: usize,
        /// The number of items in the queue.
        len: usize,
    },
}

impl SideBySide {
    /// Puts the empty `queue` beside a reference of the same capacity and ranks.
    #[must_use]
    pub fn new(queue: Replayed) -> Self {
        let (capacity, max_rank) = (queue.queue().capacity(), queue.queue().max_rank());
        let reference = match max_rank.checked_add(1) {
            Some(ranks) => Reference::new(capacity, ranks),
            None => Reference::of_any_rank(capacity),
        };
        Self { queue, reference }
    }

    /// The queue.
    #[must_use]
    pub fn queue(&self) -> &dyn RankQueue<Packet> {
        self.queue.queue()
    }

    /// Applies `op` to both and returns their common answer; `None` if the queue does not support the operation.
    ///
    /// # Errors
    /// If their answers or their numbers of items differ.
    pub fn apply(&mut self, op: Op) -> Result<Option<Answer>, Difference> {
        let Some(answer) = self.queue.apply(op) else { return Ok(None) };
        let expected = self.reference.apply(op);
        if Some(answer) != expected {
            return Err(Difference::Answer { op, expected, answer });
        }
        let (len, expected) = (self.queue.queue().len(), self.reference.len());
        if len != expected {
            return Err(Difference::Items { op, expected, len });
        }
        Ok(Some(answer))
    }
}

impl OpTarget for Reference<u64> {
    fn apply(&mut self, op: Op) -> Option<Answer> {
        let item = |popped: Option<(u64, u64)>, otherwise| {
            popped.map_or(otherwise, |(rank, item)| Answer::Item { rank, item })
        };
        let pushed = |result: Result<(), PushErrorKind>| result.map_or_else(refusal, |()| Answer::Done);
        Some(match op {
            Op::Push { rank, item } => pushed(self.push(rank, item)),
            Op::PushAt { rank, item, eligible_at } => pushed(self.push_at(rank, eligible_at, item)),
            Op::Pop => item(self.pop_min(), Answer::Empty),
            Op::PopMax => item(self.pop_max(), Answer::Empty),
            Op::PopEligible(now) => item(self.pop_eligible(now), Answer::Empty),
            Op::NextEligible => self.next_eligible().map_or(Answer::Empty, Answer::At),
            Op::Peek => item(self.peek_min().copied(), Answer::Empty),
            Op::Remove { item: removed } => item(self.remove(&removed), Answer::Absent),
        })
    }
}
