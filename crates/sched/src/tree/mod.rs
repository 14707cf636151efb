//! A tree of rank functions: it schedules across tenants, and each tenant has its own policy.
//!
//! A leaf ranks the packets of its classes; a node above ranks its children, each of which counts as a flow. An arriving packet is ranked
//! in every node from its leaf to the root, and adds an entry to each node's queue. In the leaf the entry is the packet itself; above, it
//! means "this child may send one packet". To send, the root's first entry names a child, whose first entry names the next, down to a
//! packet. Which packet a child sends is decided only then, so it need not be the packet that added the entry (Sivaraman et al.,
//! SIGCOMM'16, section 2.2: a tree of PIFOs).
//!
//! All nodes can share one HFFS: each has logical partitions of its ranks, and all share one pool of entries, so no tenant reserves entries
//! (BBQ, NSDI'24, section 7.2). Or nodes have rank queues of their own, exact or approximate: a tree of SP-PIFOs (NSDI'20, section 7).
//!
//! The entry of a child with a pace rule enters its parent's queue later, when the packet that adds it becomes eligible (the shaping
//! transactions of section 2.3). Until then the entry waits in a list sorted by time. It is ranked in the parent at its time, as if the
//! packet arrived there then.
//!
//! A packet that finds the shared buffer full is dropped, and so is a packet that its leaf's queue does not admit: it adds no entry above.
//! The queues above must accept all entries. Ranks of two leaves cannot be compared, but positions in the tree's order can. A drop rule
//! that pushes packets out finds the packet that would leave last (`push_out.rs`).
//!
//! In a node, a rank function that holds packets back holds entries back. The node's queue must support this.

mod drop_rule;
mod held_entries;
mod node_queues;
mod own_queue;
mod placed_queues;
mod push_out;
mod recorded_queues;
mod shared_hffs;
mod spec;

pub use placed_queues::{Wrap, Wrapped};
pub use spec::{Below, NodeSpec, TreeError, TreeSpec};

use crate::queues::recording_queue::OpSink;
use drop_rule::PushOut;
use forebay_core::{BufferSize, Counter, Discipline, FlowId, Packet, Time, Verdict};
use held_entries::Held;
use node_queues::NodeQueues;
use push_out::Offer;
use recorded_queues::RecordedQueues;
use spec::{Leaves, Node};
use std::sync::Arc;

/// A discipline made of a tree of rank functions. A packet's rank is its rank in the leaf.
pub struct TreeDiscipline {
    /// The nodes, each before its descendants; the root is the first.
    nodes: Vec<Node>,
    leaf_of_class: Box<Leaves>,
    queues: Box<dyn NodeQueues + Send>,
    /// Entries that enter the queue above a node with a pace rule later.
    held: Held,
    /// Chooses the packet to push out for an arriving one; without it, no packets are pushed out.
    push_out: PushOut,
    /// The entries of the arriving packet, kept to reuse the memory.
    way: Vec<Offer>,
    buffer: BufferSize,
    slots: u64,
    len: usize,
    bytes: u64,
    packets_without_leaf: u64,
}

impl TreeDiscipline {
    /// Builds the tree.
    ///
    /// # Errors
    /// If a name or a parameter is unknown, or the parts do not fit each other.
    pub fn new(spec: &TreeSpec) -> Result<Self, TreeError> {
        Self::around_queues(spec, &mut |_, queue| queue)
    }

    /// As [`new`](Self::new), but each node with its own queue gets the queue that `wrap` returns for it.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn around_queues(spec: &TreeSpec, wrap: Wrap<'_>) -> Result<Self, TreeError> {
        let (nodes, leaf_of_class) = spec::nodes(spec)?;
        let queues = placed_queues::build(spec, &nodes, wrap)?;
        drop_rule::check_holding_back(spec, &nodes, &*queues)?;
        Ok(Self {
            push_out: drop_rule::build(spec, &nodes, &*queues)?,
            way: Vec::new(),
            queues,
            held: Held::default(),
            nodes,
            leaf_of_class,
            buffer: spec.buffer,
            slots: spec.buffer.slots(),
            len: 0,
            bytes: 0,
            packets_without_leaf: 0,
        })
    }

    /// Reports all later operations on each node's queue to the sink with the same index. The nodes are in preorder: the root is first, and
    /// each node precedes its descendants. Items are the ids of the packets that added the entries. Ranks are as for a queue that sorts any
    /// rank, such as `pifo`.
    ///
    /// # Panics
    /// If there are not as many sinks as nodes.
    #[must_use]
    pub fn recorded(mut self, sinks: Vec<Arc<dyn OpSink>>) -> Self {
        assert_eq!(sinks.len(), self.nodes.len(), "each node has a sink");
        let nodes = self.nodes.iter().map(|node| node.rank_unit).zip(sinks).collect();
        self.queues = Box::new(RecordedQueues { queues: self.queues, nodes });
        self
    }

    /// The index of each class's leaf; `None` for a class without a leaf, whose packets are dropped.
    #[must_use]
    pub fn leaf_of_class(&self) -> &[Option<usize>; 256] {
        &self.leaf_of_class
    }

    fn fits(&self, packet: &Packet) -> bool {
        let has_slot = (self.len as u64) < self.slots;
        match self.buffer {
            BufferSize::Packets(_) => has_slot,
            BufferSize::Bytes(limit) => has_slot && self.bytes + u64::from(packet.size_bytes) <= limit,
        }
    }

    /// Returns the packet as the parent of `child` sees it: the child is its flow.
    fn seen_above(&self, child: usize, packet: &Packet) -> Packet {
        Packet { flow: FlowId(self.nodes[child].number), ..*packet }
    }

    /// Puts an entry into `node`: the packet as the node sees it, with its rank. Returns `false` if the queue does not admit it.
    fn push(&mut self, node: usize, seen: &Packet) -> bool {
        let pace = self.nodes[node].rank_fn.as_virtual_pace_mut().map(|pace| pace.eligible(seen));
        let pushed = match pace {
            None => self.queues.push(node, seen),
            Some(eligible) => self.queues.push_at(node, seen, Time::from_ps(eligible)),
        };
        if pushed {
            self.nodes[node].rank_fn.queued(seen);
        }
        pushed
    }

    /// Adds entries above `node` for a packet that is in `node` at `time`, up to the root or to a node that holds the entry back.
    fn rise(&mut self, time: Time, node: usize, offered: &Packet) {
        let mut child = node;
        while let Some(parent) = self.nodes[child].parent {
            if let Some(pace) = &mut self.nodes[child].pace {
                let eligible = pace.eligible(time, offered);
                if eligible > time {
                    self.held.add(eligible, child, *offered);
                    return;
                }
            }
            self.enter(time, parent, child, offered);
            child = parent;
        }
    }

    /// Adds an entry for `child` to its parent.
    fn enter(&mut self, time: Time, parent: usize, child: usize, offered: &Packet) {
        let mut seen = self.seen_above(child, offered);
        seen.rank = self.nodes[parent].rank_fn.rank(time, &seen);
        let pushed = self.push(parent, &seen);
        assert!(pushed, "a node above a leaf takes an entry for each packet that fits the buffer");
    }

    /// Releases entries that are held back and eligible by now.
    fn release(&mut self, now: Time) {
        while let Some((time, child, offered)) = self.held.take(now) {
            if let Some(parent) = self.nodes[child].parent {
                self.enter(time, parent, child, &offered);
                self.rise(time, parent, &offered);
            }
        }
    }

    /// Removes the packet that is sent next at or below `node`.
    fn pop(&mut self, now: Time, node: usize) -> Option<Packet> {
        let mut entry = match self.nodes[node].rank_fn.as_virtual_pace_mut() {
            None => self.queues.pop_min(node)?,
            Some(pace) => self.queues.pop_paced(node, pace, now)?,
        };
        if self.nodes[node].children.is_empty() {
            self.nodes[node].rank_fn.dequeued(now, &mut entry);
            return Some(entry);
        }
        let child = self.nodes[node].children[entry.flow.index()];
        let packet = self.pop(now, child)?;
        let mut seen = Packet { rank: entry.rank, ..self.seen_above(child, &packet) };
        self.nodes[node].rank_fn.dequeued(now, &mut seen);
        Some(packet)
    }
}

impl Discipline for TreeDiscipline {
    fn enqueue(&mut self, now: Time, offered: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let Some(leaf) = self.leaf_of_class[usize::from(offered.class.0)] else {
            self.packets_without_leaf += 1;
            return Verdict::Refused { rank: offered.rank };
        };
        if self.push_out.is_some() {
            return self.enqueue_pushing_out(now, leaf, &offered, evicted);
        }
        let mut packet = offered;
        packet.rank = self.nodes[leaf].rank_fn.rank(now, &offered);
        if !self.fits(&packet) {
            return Verdict::Refused { rank: packet.rank };
        }
        self.release(now);
        if !self.push(leaf, &packet) {
            return Verdict::Refused { rank: packet.rank };
        }
        self.rise(now, leaf, &offered);
        self.len += 1;
        self.bytes += u64::from(packet.size_bytes);
        Verdict::Queued { rank: packet.rank }
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet> {
        self.release(now);
        let packet = self.pop(now, 0)?;
        self.len -= 1;
        self.bytes -= u64::from(packet.size_bytes);
        Some(packet)
    }

    fn next_wakeup(&self, now: Time) -> Option<Time> {
        self.held.next().filter(|time| *time > now)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn counters(&self) -> Vec<Counter> {
        let mut counters = self.queues.counters();
        counters.push(Counter { name: "packets_without_leaf", value: self.packets_without_leaf });
        counters
    }
}
