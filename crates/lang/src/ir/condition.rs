//! Boundary conditions (section III-C) and the classifier.

use super::{BufferRef, Cond, Num, PortRef, QueueRef, RoutineId};
use forebay_core::QueueId;

/// A boundary condition: the first case that holds acts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Condition {
    /// The condition's name in the policy, or `tailDrop` for the default; empty if it does nothing.
    pub name: String,
    /// The condition's cases.
    pub cases: Vec<Case>,
}

/// A case of a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The condition of the case.
    pub when: Cond,
    /// The actions, in this order.
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
    /// Sets a state to a value.
    Modify(State, Num),
    /// Calls an action that the program implements, with these numbers.
    Call(RoutineId, Vec<Num>),
}

/// A state that `modify` can change.
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
    /// `value` of the arriving packet; if the packet was dropped, nothing changes.
    ArrivingValue,
}

/// A case of the classifier. The first case that holds chooses the queue of a packet.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The condition of the case, on a packet ([`PacketRef::This`](super::PacketRef::This)).
    pub when: Cond,
    /// The queues among which `index` chooses; one if there is no choice.
    pub queues: Vec<QueueId>,
    /// The index of the first of `queues`.
    pub first: i64,
    /// The index, rounded down. If it is out of range, the packet is dropped.
    pub index: Num,
}

impl Case {
    /// Whether dropping can make the condition false. Then a sure drop repeats until the condition is false (`docs/openqueue-semantics.md`,
    /// 6.5).
    #[must_use]
    pub fn can_be_lifted(&self) -> bool {
        self.when.reads_occupancy()
    }

    /// Whether the condition is about the arriving packet, so that it is false once that packet is dropped (`docs/openqueue-semantics.md`,
    /// 6.5).
    #[must_use]
    pub fn is_about_arriving(&self) -> bool {
        self.when.reads_arriving()
    }
}
