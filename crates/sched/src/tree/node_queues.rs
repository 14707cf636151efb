//! The interface between the nodes of a tree and their rank queues.

use crate::traits::VirtualPace;
use forebay_core::{Counter, Packet, Time};

/// What a rank queue can do besides giving up its first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ends {
    pub(crate) gives_up_last: bool,
    pub(crate) holds_back: bool,
}

/// A rank queue for each node. An entry is a packet as its node sees it, with the rank that the node gave it. In a leaf it is the packet
/// that waits. Elsewhere it is the packet that brought the entry, and its flow is the number of the child that may send one.
pub(crate) trait NodeQueues {
    /// Puts an entry into the queue of `node`; `false` if that does not admit it.
    fn push(&mut self, node: usize, entry: &Packet) -> bool;

    /// The same in a queue that [holds entries back](Ends::holds_back): this one until `eligible`, in virtual time.
    fn push_at(&mut self, node: usize, entry: &Packet, eligible: Time) -> bool;

    /// Takes the first entry of `node`.
    fn pop_min(&mut self, node: usize) -> Option<Packet>;

    /// Takes the first entry of `node` that may leave in this virtual time; [`None`] if the queue holds nothing back.
    fn pop_paced(&mut self, node: usize, pace: &mut dyn VirtualPace, now: Time) -> Option<Packet>;

    /// Looks at the last entry of `node`; [`None`] if the queue [does not give it up](Ends::gives_up_last).
    fn peek_max(&self, node: usize) -> Option<&Packet>;

    /// Takes what [`peek_max`](Self::peek_max) shows.
    fn pop_max(&mut self, node: usize) -> Option<Packet>;

    /// What the queue of `node` can do besides.
    fn ends(&self, node: usize) -> Ends;

    /// Numbers for the report.
    fn counters(&self) -> Vec<Counter>;
}

/// Adds counters to those of the same names.
pub(crate) fn add(sums: &mut Vec<Counter>, counters: Vec<Counter>) {
    for counter in counters {
        match sums.iter_mut().find(|sum| sum.name == counter.name) {
            Some(sum) => sum.value += counter.value,
            None => sums.push(counter),
        }
    }
}
