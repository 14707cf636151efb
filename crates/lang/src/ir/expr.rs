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
    /// `a / b`; by 0 it is 0
    Div,
    /// `mod(a, b)`: `a - b * floor(a / b)`; by 0 it is 0
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
    /// `a * b < c * d` in a comparator, each product with a number of the first object and one of the second: compared exactly, neither
    /// rounded nor cut.
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

/// What an expression can read.
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
    /// The property of packets that it depends on: its own, or one of which queues keep a sum.
    #[must_use]
    pub fn of_packets(self) -> Option<PacketField> {
        match self {
            Self::Packet(_, field) => Some(field),
            Self::Queue(_, QueueField::CurrProcessing) => Some(PacketField::Processing),
            _ => None,
        }
    }
}

/// A packet that an expression speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PacketRef {
    /// The first argument of a comparator.
    First,
    /// The second argument of a comparator.
    Second,
    /// The object of a [`Key`](super::Key), or the argument of a classifier.
    This,
    /// In `congestion`: the arriving packet, also after it was dropped.
    Arriving,
    /// `findHigh()` of a queue. In `postSchedAct`, that of the queue that was served is the packet that was.
    Head(QueueRef),
}

/// A queue that an expression speaks of.
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
    /// A certain one.
    Named(QueueId),
}

/// A port that an expression speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortRef {
    /// The port that a condition belongs to.
    This,
    /// A certain one.
    Named(PortId),
}

/// A buffer that an expression speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BufferRef {
    /// The buffer that a condition belongs to.
    This,
    /// A certain one.
    Named(BufferId),
}

/// A property of a packet (Listing 1 and ours).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PacketField {
    /// The version of the policy under which it arrived.
    PolicyId,
    /// The queue that it was directed to.
    Queue,
    /// Its value.
    Value,
    /// Cycles to be done.
    Processing,
    /// How late it may be, in nanoseconds.
    Slack,
    /// Its flow.
    Flow,
    /// When it arrived, in nanoseconds.
    Arrival,
    /// Bytes.
    Size,
    /// Bytes that its flow had still to send.
    Remaining,
    /// Its class.
    Class,
    /// The rank that it carries.
    Rank,
    /// 1 if it is marked (drop eligibility), otherwise 0.
    Marked,
    /// 1 if it has a congestion notification (ECN), otherwise 0.
    Notified,
}

impl PacketField {
    /// Whether it is 1 or 0, and stands for a truth value where one is needed.
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
    /// The sum of the cycles to be done of its packets.
    CurrProcessing,
    /// For the user, by convention of admission.
    AdmState,
    /// For the user, by convention of scheduling.
    SchedState,
}

/// A property of the queue that a queue leads to. The packets of later stages have no cycles left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NextField {
    /// The declared size.
    Size,
    /// The occupancy.
    CurrSize,
    /// For the user, by convention of admission.
    AdmState,
    /// For the user, by convention of scheduling.
    SchedState,
}

/// A property of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortField {
    /// As declared: percent, or bits per second.
    Rate,
    /// For the user.
    SchedState,
}

/// A property of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BufferField {
    /// The declared size.
    Size,
    /// The occupancy of all its queues together.
    CurrSize,
    /// For the user.
    AdmState,
}
