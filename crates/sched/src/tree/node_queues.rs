//! What the nodes of a tree ask of their rank queues.

use forebay_core::{Counter, Packet};

/// A rank queue for each node. An entry is a packet as its node sees it, with the rank that the node gave it: the packet that
/// waits in a leaf, and elsewhere the packet that brought the entry, whose flow is the number of the child that may send one.
pub(crate) trait NodeQueues {
    /// Puts an entry into the queue of `node`; `false` if that refuses it.
    fn push(&mut self, node: usize, entry: &Packet) -> bool;

    /// Takes the first entry of `node`.
    fn pop_min(&mut self, node: usize) -> Option<Packet>;

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
