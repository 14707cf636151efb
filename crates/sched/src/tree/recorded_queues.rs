//! The rank queues of a tree's nodes, with reports of their operations.

use super::node_queues::{Ends, NodeQueues};
use crate::queues::recording_queue::OpSink;
use crate::traits::VirtualPace;
use forebay_core::ops::{Answer, Op};
use forebay_core::{Counter, Packet, Time};
use std::sync::Arc;

/// Queues that sort any rank. For each node, the unit by which it divides ranks, and its sink.
pub(crate) struct RecordedQueues {
    pub(crate) queues: Box<dyn NodeQueues + Send>,
    pub(crate) nodes: Vec<(u64, Arc<dyn OpSink>)>,
}

impl RecordedQueues {
    fn record(&self, node: usize, op: Op, popped: Option<&Packet>) {
        let (rank_unit, sink) = &self.nodes[node];
        let item = |entry: &Packet| Answer::Item { rank: entry.rank / rank_unit, item: entry.id };
        sink.record(op, popped.map_or(Answer::Empty, item));
    }
}

impl NodeQueues for RecordedQueues {
    fn push(&mut self, node: usize, entry: &Packet) -> bool {
        let (rank_unit, sink) = &self.nodes[node];
        let pushed = self.queues.push(node, entry);
        let op = Op::Push { rank: entry.rank / rank_unit, item: entry.id };
        sink.record(op, if pushed { Answer::Done } else { Answer::Full });
        pushed
    }

    fn pop_min(&mut self, node: usize) -> Option<Packet> {
        let popped = self.queues.pop_min(node);
        self.record(node, Op::Pop, popped.as_ref());
        popped
    }

    /// Not reported: streams of operations have no virtual time.
    fn push_at(&mut self, node: usize, entry: &Packet, eligible: Time) -> bool {
        self.queues.push_at(node, entry, eligible)
    }

    fn pop_paced(&mut self, node: usize, pace: &mut dyn VirtualPace, now: Time) -> Option<Packet> {
        self.queues.pop_paced(node, pace, now)
    }

    fn peek_max(&self, node: usize) -> Option<&Packet> {
        self.queues.peek_max(node)
    }

    fn pop_max(&mut self, node: usize) -> Option<Packet> {
        let popped = self.queues.pop_max(node);
        self.record(node, Op::PopMax, popped.as_ref());
        popped
    }

    fn ends(&self, node: usize) -> Ends {
        self.queues.ends(node)
    }

    fn counters(&self) -> Vec<Counter> {
        self.queues.counters()
    }
}
