//! The interface between the nodes of a tree and their rank queues.

use crate::traits::VirtualPace;
use forebay_core::{Counter, Packet, Time};

/// The operations of a rank queue beyond the removal of its first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ends {
    pub(crate) gives_up_last: bool,
    pub(crate) holds_back: bool,
}

/// A rank queue for each node. An entry is a packet as its node sees it, with the rank that the node gave it. In a leaf it is the packet
/// that waits. Elsewhere it is the packet that brought the entry, and its flow is the number of the child that may send one.
pub(crate) trait NodeQueues {
    /// Puts an entry into the queue of `node`; returns `false` if the queue does not admit it.
    fn push(&mut self, node: usize, entry: &Packet) -> bool;

    /// As [`push`](Self::push), in a queue that [holds entries back](Ends::holds_back): holds the entry back until `eligible`, in virtual
    /// time.
    fn push_at(&mut self, node: usize, entry: &Packet, eligible: Time) -> bool;

    /// Removes the first entry of `node`.
    fn pop_min(&mut self, node: usize) -> Option<Packet>;

    /// Removes the first entry of `node` that may leave in this virtual time; returns [`None`] if the queue holds no entries back.
    fn pop_paced(&mut self, node: usize, pace: &mut dyn VirtualPace, now: Time) -> Option<Packet>;

    /// Looks at the last entry of `node`; returns [`None`] if the queue [cannot remove it](Ends::gives_up_last).
    fn peek_max(&self, node: usize) -> Option<&Packet>;

    /// Removes the entry that [`peek_max`](Self::peek_max) shows.
    fn pop_max(&mut self, node: usize) -> Option<Packet>;

    /// Returns the further operations of the queue of `node`.
    fn ends(&self, node: usize) -> Ends;

    /// Counters for the report.
    fn counters(&self) -> Vec<Counter>;
}

/// Adds counters to the sums with the same names.
pub(crate) fn add(sums: &mut Vec<Counter>, counters: Vec<Counter>) {
    for counter in counters {
        match sums.iter_mut().find(|sum| sum.name == counter.name) {
            Some(sum) => sum.value += counter.value,
            None => sums.push(counter),
        }
    }
}
