//! Expressions: numbers and truth values.

use super::ids::{BufferId, ParameterId, PortId};
use crate::number::Ratio;
use forebay_core::QueueId;

/// A number.
#[derive(Debug, Clone, PartialEq)]
pub enum Num {
    /// A constant.
    Const(Ratio),
    /// A property, or the time.
    Read(Read),
    /// `-a`
    Neg(Box<Num>),
    /// `a + b`, `mod(a, b)`
    Arith(Arith, Box<Num>, Box<Num>),
}

/// An operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arith {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`; a division by 0 gives 0
    Div,
    /// `mod(a, b)`: `a - b * floor(a / b)`; 0 if `b` is 0
    Mod,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
}

/// A truth value.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// `true`, `false`
    Const(bool),
    /// `a < b`
    Compare(Relation, Num, Num),
    /// `a * b < c * d` in a comparator. Each product has a number of the first object and one of the second. The products are compared
    /// exactly, neither rounded nor clamped.
    CompareProducts(Relation, Box<[[Num; 2]; 2]>),
    /// `!a`
    Not(Box<Cond>),
    /// `a && b`
    And(Box<Cond>, Box<Cond>),
    /// `a || b`
    Or(Box<Cond>, Box<Cond>),
}

/// A relation between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
}

/// A value that an expression can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Read {
    /// A property of a packet.
    Packet(PacketRef, PacketField),
    /// A property of a queue.
    Queue(QueueRef, QueueField),
    /// A property of the queue of the next stage that the first packet of a queue would enter.
    Next(QueueRef, NextField),
    /// A property of a port.
    Port(PortRef, PortField),
    /// A property of a buffer.
    Buffer(BufferRef, BufferField),
    /// The time in nanoseconds.
    Now,
    /// A live parameter.
    Parameter(ParameterId),
}

impl Read {
    /// Returns the property of packets that this reads: a packet's own, or one that queues sum up.
    #[must_use]
    pub fn of_packets(self) -> Option<PacketField> {
        match self {
            Self::Packet(_, field) => Some(field),
            Self::Queue(_, QueueField::CurrProcessing) => Some(PacketField::Processing),
            _ => None,
        }
    }
}

/// A packet that an expression refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PacketRef {
    /// The first argument of a comparator.
    First,
    /// The second argument of a comparator.
    Second,
    /// The object of a [`Key`](super::Key), or the argument of a classifier.
    This,
    /// In `congestion`: the arriving packet, even after it was dropped.
    Arriving,
    /// `findHigh()` of a queue. In `postSchedAct`, for the queue that was served, it is the packet that was served.
    Head(QueueRef),
}

/// A queue that an expression refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QueueRef {
    /// The first argument of a comparator.
    First,
    /// The second argument of a comparator.
    Second,
    /// The object of a [`Key`](super::Key), or the queue that a condition belongs to.
    This,
    /// `currQueue` of the port or buffer that a condition belongs to.
    Current,
    /// The queue of this number.
    Named(QueueId),
}

/// A port that an expression refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortRef {
    /// The port that a condition belongs to.
    This,
    /// The port of this number.
    Named(PortId),
}

/// A buffer that an expression refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BufferRef {
    /// The buffer that a condition belongs to.
    This,
    /// The buffer of this number.
    Named(BufferId),
}

/// A property of a packet (Listing 1 and ours).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PacketField {
    /// The version of the policy under which the packet arrived.
    PolicyId,
    /// The queue that the packet was directed to.
    Queue,
    /// The packet's value.
    Value,
    /// The remaining processing cycles.
    Processing,
    /// The packet's slack: how late it may be, in nanoseconds.
    Slack,
    /// The packet's flow.
    Flow,
    /// The time of arrival in nanoseconds.
    Arrival,
    /// The packet's size in bytes.
    Size,
    /// The bytes that the flow had still to send.
    Remaining,
    /// The packet's class.
    Class,
    /// The packet's rank.
    Rank,
    /// 1 if the packet is marked (drop eligibility), otherwise 0.
    Marked,
    /// 1 if the packet has a congestion notification (ECN), otherwise 0.
    Notified,
}

impl PacketField {
    /// Whether the property is 1 or 0, and can be used as a truth value.
    #[must_use]
    pub fn is_flag(self) -> bool {
        matches!(self, Self::Marked | Self::Notified)
    }
}

/// A property of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QueueField {
    /// The declared size.
    Size,
    /// The occupancy.
    CurrSize,
    /// The sum of the remaining cycles of the queue's packets.
    CurrProcessing,
    /// A state for the user, by convention for admission.
    AdmState,
    /// A state for the user, by convention for scheduling.
    SchedState,
}

/// A property of the next stage's queue. The packets of later stages have no cycles left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NextField {
    /// The declared size.
    Size,
    /// The occupancy.
    CurrSize,
    /// A state for the user, by convention for admission.
    AdmState,
    /// A state for the user, by convention for scheduling.
    SchedState,
}

/// A property of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortField {
    /// The declared rate: percent, or bits per second.
    Rate,
    /// A state for the user.
    SchedState,
}

/// A property of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BufferField {
    /// The declared size.
    Size,
    /// The total occupancy of all its queues.
    CurrSize,
    /// A state for the user.
    AdmState,
}
