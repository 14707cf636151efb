//! What an expression reads at run time.

use forebay_lang::ir::{NextField, PacketField};

/// A queue that an expression speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueueAt {
    /// A certain one.
    Named(usize),
    /// What the expression is evaluated for: the first argument of a comparator, the object of a key, `currQueue`.
    First,
    /// The second argument of a comparator.
    Second,
}

/// What an expression reads at run time.
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
    /// Of the queue of the next stage that a queue leads to.
    Next(QueueAt, NextField),
    PortSched(usize),
    BufferCount(usize),
    BufferAdm(usize),
    /// A live parameter.
    Parameter(usize),
    Now,
}
