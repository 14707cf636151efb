//! The values that an expression reads at run time.

use forebay_lang::ir::{NextField, PacketField};

/// A queue that an expression refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueueAt {
    /// The queue of this index.
    Named(usize),
    /// The first argument of a comparator, the object of a key, or `currQueue`.
    First,
    /// The second argument of a comparator.
    Second,
}

/// A value that an expression reads at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The first argument of a comparator, the object of a key, the argument of a classifier, or the arriving packet.
    First(PacketField),
    /// The second argument of a comparator.
    Second(PacketField),
    /// `findHigh()`.
    Head(QueueAt, PacketField),
    QueueSize(QueueAt),
    QueueCount(QueueAt),
    QueueProcessing(QueueAt),
    QueueAdm(QueueAt),
    QueueSched(QueueAt),
    /// A property of the next stage's queue that a queue leads to.
    Next(QueueAt, NextField),
    PortSched(usize),
    BufferCount(usize),
    BufferAdm(usize),
    /// A live parameter.
    Parameter(usize),
    Now,
}
