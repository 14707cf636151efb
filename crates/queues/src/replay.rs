//! Replays op streams on rank queues.
//!
//! An adapter says which operations a queue has; the checks themselves are in
//! [`forebay_core::ops`].

use crate::reference::Reference;
use crate::traits::{Handle, PopMax, PushErrorKind, RankQueue, Remove};
use forebay_core::Packet;
use forebay_core::ops::{Answer, Op, OpTarget};
use std::collections::HashMap;

/// Any rank queue of packets; the packet's id is the item.
pub struct SingleEnded<'a>(pub &'a mut dyn RankQueue<Packet>);

/// A queue of packets with both ends.
pub struct DoubleEnded<'a>(pub &'a mut dyn PopMax<Packet>);

/// A queue with both ends from which any item can be taken.
pub struct Removable<Q> {
    queue: Q,
    handles: HashMap<u64, Handle>,
}

impl<Q> Removable<Q> {
    /// Wraps an empty queue.
    pub fn new(queue: Q) -> Self {
        Self { queue, handles: HashMap::new() }
    }
}

fn packet(item: u64) -> Packet {
    Packet { id: item, ..Packet::default() }
}

fn answer(popped: Option<(u64, u64)>, otherwise: Answer) -> Answer {
    popped.map_or(otherwise, |(rank, item)| Answer::Item { rank, item })
}

fn refusal(kind: PushErrorKind) -> Answer {
    match kind {
        PushErrorKind::Full => Answer::Full,
        PushErrorKind::RankOutOfRange => Answer::OutOfRange,
    }
}

fn apply_front<Q: RankQueue<Packet> + ?Sized>(queue: &mut Q, op: Op) -> Option<Answer> {
    Some(match op {
        Op::Push { rank, item } => match queue.push(rank, packet(item)) {
            Ok(()) => Answer::Done,
            Err(error) => refusal(error.kind),
        },
        Op::Pop => answer(queue.pop_min().map(|(rank, packet)| (rank, packet.id)), Answer::Empty),
        Op::Peek => answer(queue.peek_min().map(|(rank, packet)| (rank, packet.id)), Answer::Empty),
        Op::Time(_) => Answer::Done,
        Op::PopMax | Op::Remove { .. } => return None,
    })
}

impl OpTarget for SingleEnded<'_> {
    fn apply(&mut self, op: Op) -> Option<Answer> {
        apply_front(self.0, op)
    }
}

impl OpTarget for DoubleEnded<'_> {
    fn apply(&mut self, op: Op) -> Option<Answer> {
        match op {
            Op::PopMax => Some(answer(self.0.pop_max().map(|(rank, packet)| (rank, packet.id)), Answer::Empty)),
            op => apply_front(self.0, op),
        }
    }
}

impl<Q: PopMax<Packet> + Remove<Packet>> OpTarget for Removable<Q> {
    fn apply(&mut self, op: Op) -> Option<Answer> {
        match op {
            Op::Push { rank, item } => Some(match self.queue.insert(rank, packet(item)) {
                Ok(handle) => {
                    self.handles.insert(item, handle);
                    Answer::Done
                }
                Err(error) => refusal(error.kind),
            }),
            // Stale handles stay in the map on purpose: the queue must refuse them.
            Op::Remove { item } => {
                let removed = self.handles.get(&item).and_then(|&handle| self.queue.remove(handle));
                Some(answer(removed.map(|(rank, packet)| (rank, packet.id)), Answer::Absent))
            }
            op => DoubleEnded(&mut self.queue).apply(op),
        }
    }
}

impl OpTarget for Reference<u64> {
    fn apply(&mut self, op: Op) -> Option<Answer> {
        Some(match op {
            Op::Push { rank, item } => match self.push(rank, item) {
                Ok(()) => Answer::Done,
                Err(kind) => refusal(kind),
            },
            Op::Pop => answer(self.pop_min(), Answer::Empty),
            Op::PopMax => answer(self.pop_max(), Answer::Empty),
            Op::Peek => answer(self.peek_min().copied(), Answer::Empty),
            Op::Remove { item } => answer(self.remove(&item), Answer::Absent),
            Op::Time(_) => Answer::Done,
        })
    }
}
