//! Boundary conditions (section III-C) and the classifier.

use super::{BufferRef, Cond, Num, PortRef, QueueRef, RoutineId};
use forebay_core::QueueId;

/// A boundary condition: the first case that holds acts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Condition {
    /// Its name in the policy, or `tailDrop` for the default; empty if it does nothing.
    pub name: String,
    /// Its cases.
    pub cases: Vec<Case>,
}

/// A case of a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// When it holds.
    pub when: Cond,
    /// What happens then, in this order.
    pub actions: Vec<Action>,
}

/// An action.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Drops a victim with a probability.
    Drop(Num),
    /// Marks the packet.
    Mark,
    /// Sets the packet's congestion notification.
    Notify,
    /// Gives a state a value.
    Modify(State, Num),
    /// Calls an action of the program, with these numbers.
    Call(RoutineId, Vec<Num>),
}

/// What `modify` can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// `admState` of a queue.
    QueueAdm(QueueRef),
    /// `schedState` of a queue.
    QueueSched(QueueRef),
    /// `schedState` of a port.
    PortSched(PortRef),
    /// `admState` of a buffer.
    BufferAdm(BufferRef),
    /// `value` of a queue's `findHigh()`.
    HeadValue(QueueRef),
    /// `value` of the arriving packet; of one that was dropped nothing changes.
    ArrivingValue,
}

/// A case of the classifier: the first that holds says which queue a packet enters.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// When it holds, of a packet ([`PacketRef::This`](super::PacketRef::This)).
    pub when: Cond,
    /// The queues among which `index` chooses; one if there is no choice.
    pub queues: Vec<QueueId>,
    /// The index of the first of `queues`.
    pub first: i64,
    /// The index, rounded down. If it is out of range, the packet is dropped.
    pub index: Num,
}

impl Case {
    /// Whether dropping can make the condition false, so that a sure drop goes on until it does
    /// (`docs/openqueue-semantics.md`, 6.5).
    #[must_use]
    pub fn can_be_lifted(&self) -> bool {
        self.when.reads_occupancy()
    }

    /// Whether its condition is about the arriving packet, so that it no longer holds when that has left
    /// (`docs/openqueue-semantics.md`, 6.5).
    #[must_use]
    pub fn is_about_arriving(&self) -> bool {
        self.when.reads_arriving()
    }
}
