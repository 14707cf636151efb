//! The rank queues of a tree's nodes, telling what is done to each.

use super::node_queues::NodeQueues;
use crate::queues::recorded::OpSink;
use forebay_core::ops::{Answer, Op};
use forebay_core::{Counter, Packet};
use std::sync::Arc;

/// Queues that sort any rank, with what each node divides ranks by and whom it tells.
pub(crate) struct RecordedQueues {
    pub(crate) queues: Box<dyn NodeQueues + Send>,
    pub(crate) nodes: Vec<(u64, Arc<dyn OpSink>)>,
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
        let (rank_unit, sink) = &self.nodes[node];
        let popped = self.queues.pop_min(node);
        let answer =
            popped.map_or(Answer::Empty, |entry| Answer::Item { rank: entry.rank / rank_unit, item: entry.id });
        sink.record(Op::Pop, answer);
        popped
    }

    fn counters(&self) -> Vec<Counter> {
        self.queues.counters()
    }
}
