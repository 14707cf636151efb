//! The rank queues of a tree's nodes: partitions of one HFFS, or a PIFO each.

use super::spec::{Node, TreeError, TreeSpec};
use crate::queues::bitmap_tree::{FixedTree, Levels1, Levels2, Levels3, Levels4};
use crate::queues::queue::pifo::Pifo;
use crate::queues::{PartitionedHffs, Partitioning, RankQueue, RollingPartitions};
use crate::rank_unit::RankUnit;
use crate::spec::{MAX_SLOTS, check_range, unknown};
use crate::traits::RankRange;
use forebay_core::params::ParamKind;
use forebay_core::registry::suggest;
use forebay_core::{Counter, Packet, ParamSpec, Params, convert};

/// What waits in a node.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Entry {
    /// In a leaf.
    Packet(Packet),
    /// Elsewhere: a child that may send one packet, the rank that it was given, and the id of
    /// the packet that brought the entry.
    Child { node: usize, rank: u64, id: u64 },
}

impl Default for Entry {
    fn default() -> Self {
        Self::Child { node: 0, rank: 0, id: 0 }
    }
}

impl Entry {
    /// The rank that it was given.
    pub(crate) fn rank(&self) -> u64 {
        match self {
            Self::Packet(packet) => packet.rank,
            Self::Child { rank, .. } => *rank,
        }
    }

    /// The id of the packet that brought it: no two in a node are alike.
    pub(crate) fn id(&self) -> u64 {
        match self {
            Self::Packet(packet) => packet.id,
            Self::Child { id, .. } => *id,
        }
    }
}

/// A rank queue for each node.
pub(crate) trait NodeQueues {
    /// Puts an entry into the queue of `node`; `false` if there is no room.
    fn push(&mut self, node: usize, rank: u64, entry: Entry) -> bool;

    /// Takes the first entry of `node`.
    fn pop_min(&mut self, node: usize) -> Option<Entry>;

    /// Numbers for the report.
    fn counters(&self) -> Vec<Counter>;
}

/// Four levels: 16,777,216 ranks.
const MAX_RANKS: u64 = 1 << 24;
const DEFAULT_RANKS: u64 = 32_768;

/// What a tree's HFFS can be told.
const PARAMS: &[ParamSpec] = &[ParamSpec {
    name: "ranks",
    kind: ParamKind::Integer { min: 1, max: MAX_RANKS, default: Some(DEFAULT_RANKS) },
    meaning: "ranks of all nodes together, the same for each; a node whose ranks rise for ever has two shares",
}];

/// The queues that `spec` asks for, each with room for all packets of the buffer.
pub(crate) fn build(spec: &TreeSpec, nodes: &[Node]) -> Result<Box<dyn NodeQueues + Send>, TreeError> {
    let slots = spec.buffer.slots();
    // A packet has an entry in each node on its way.
    let depth = nodes.iter().map(|node| node.path.len() + 1).max().unwrap_or(1);
    let copies = if spec.queue.name == "pifo" { nodes.len() } else { depth };
    let entries = slots.saturating_mul(copies as u64);
    if entries > MAX_SLOTS {
        let message = format!("a buffer of {} in a tree needs {entries} entries, more than {MAX_SLOTS}", spec.buffer);
        return Err(TreeError::Buffer(message));
    }
    let entries = convert::index(entries);
    match spec.queue.name.as_str() {
        "pifo" => {
            Params::check(&[], spec.queue.params.clone()).map_err(TreeError::Queue)?;
            let queue = || Pifo::new(entries / copies);
            let pifos = nodes.iter().map(|node| (node.rank_unit, queue())).collect();
            Ok(Box::new(Pifos(pifos)))
        }
        "hffs" => {
            let params = Params::check(PARAMS, spec.queue.params.clone()).map_err(TreeError::Queue)?;
            shared(entries, params.integer("ranks").unwrap_or(DEFAULT_RANKS), nodes)
        }
        other => Err(TreeError::Queue(unknown(format!(
            "a tree has queue = \"hffs\", which its nodes share, or \"pifo\", one for each, not `{other}`{}",
            suggest(other, ["hffs", "pifo"])
        )))),
    }
}

fn shared(entries: usize, ranks: u64, nodes: &[Node]) -> Result<Box<dyn NodeQueues + Send>, TreeError> {
    let partitions: usize = nodes.iter().map(partitions_of).sum();
    let each = convert::index(ranks) / partitions;
    if each == 0 {
        let message = format!(
            "the tree has {} nodes, which need {partitions} partitions, one and for ranks that rise for ever two each; \
             use ranks = {partitions} or more",
            nodes.len()
        );
        return Err(TreeError::Queue(unknown(message)));
    }
    // Partitions are whole subtrees; rounded up, they might not fit.
    let subtree = (0..4).map(|levels| 1 << (6 * levels)).filter(|&numbers| numbers <= each).max().unwrap_or(1);
    let fits = Partitioning::levels_for(64, partitions, each).is_some_and(|levels| levels <= 4);
    let each = if fits { each } else { each - each % subtree };
    match Partitioning::levels_for(64, partitions, each) {
        Some(1) => SharedHffs::<Levels1>::boxed(entries, partitions, each, nodes),
        Some(2) => SharedHffs::<Levels2>::boxed(entries, partitions, each, nodes),
        Some(3) => SharedHffs::<Levels3>::boxed(entries, partitions, each, nodes),
        _ => SharedHffs::<Levels4>::boxed(entries, partitions, each, nodes),
    }
}

/// A window that moves on needs two partitions.
fn partitions_of(node: &Node) -> usize {
    if node.entry.range == RankRange::Rising { 2 } else { 1 }
}

/// A PIFO for each node, with the unit of its ranks.
struct Pifos(Vec<(u64, Pifo<Entry>)>);

impl NodeQueues for Pifos {
    fn push(&mut self, node: usize, rank: u64, entry: Entry) -> bool {
        let (rank_unit, pifo) = &mut self.0[node];
        pifo.push(rank / *rank_unit, entry).is_ok()
    }

    fn pop_min(&mut self, node: usize) -> Option<Entry> {
        self.0[node].1.pop_min().map(|(_, entry)| entry)
    }

    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }
}

/// One HFFS in which each node has a partition, or two for ranks that rise for ever.
struct SharedHffs<Tree> {
    queue: PartitionedHffs<Entry, Tree>,
    nodes: Vec<(u64, Ranks)>,
    /// The highest rank of a node whose ranks do not rise for ever.
    max_rank: u64,
    ranks_clamped: u64,
}

/// Where the ranks of a node are.
enum Ranks {
    Fixed { partition: usize },
    Rolling(RollingPartitions),
}

impl<Tree: FixedTree + Send + 'static> SharedHffs<Tree> {
    fn boxed(
        entries: usize,
        partitions: usize,
        ranks: usize,
        nodes: &[Node],
    ) -> Result<Box<dyn NodeQueues + Send>, TreeError> {
        let queue = PartitionedHffs::<Entry, Tree>::new(entries, partitions, ranks)
            .map_err(|error| TreeError::Queue(unknown(error.to_string())))?;
        let max_rank = ranks as u64 - 1;
        let mut next = 0;
        let mut placed = Vec::new();
        for node in nodes {
            let rolls = partitions_of(node) == 2;
            if !rolls {
                check_range("hffs", max_rank, node.entry, RankUnit::linear(node.rank_unit)).map_err(|mut error| {
                    error.message = format!("shared by {} nodes, {}", nodes.len(), error.message);
                    TreeError::Queue(error)
                })?;
            }
            let ranks = if rolls {
                Ranks::Rolling(RollingPartitions::new(&queue, next))
            } else {
                Ranks::Fixed { partition: next }
            };
            placed.push((node.rank_unit, ranks));
            next += partitions_of(node);
        }
        Ok(Box::new(Self { queue, nodes: placed, max_rank, ranks_clamped: 0 }))
    }
}

impl<Tree: FixedTree> NodeQueues for SharedHffs<Tree> {
    fn push(&mut self, node: usize, rank: u64, entry: Entry) -> bool {
        let (rank_unit, ranks) = &mut self.nodes[node];
        let rank = rank / *rank_unit;
        match ranks {
            Ranks::Rolling(partitions) => partitions.push(&mut self.queue, rank, entry).is_ok(),
            Ranks::Fixed { partition } => {
                self.ranks_clamped += u64::from(rank > self.max_rank);
                self.queue.push(*partition, rank.min(self.max_rank), entry).is_ok()
            }
        }
    }

    fn pop_min(&mut self, node: usize) -> Option<Entry> {
        match &mut self.nodes[node].1 {
            Ranks::Rolling(partitions) => partitions.pop_min(&mut self.queue),
            Ranks::Fixed { partition } => self.queue.pop_min(*partition).map(|(_, entry)| entry),
        }
    }

    fn counters(&self) -> Vec<Counter> {
        let mut counters = vec![Counter { name: "ranks_clamped", value: self.ranks_clamped }];
        for (_, ranks) in &self.nodes {
            if let Ranks::Rolling(partitions) = ranks {
                for counter in partitions.window().counters() {
                    match counters.iter_mut().find(|sum| sum.name == counter.name) {
                        Some(sum) => sum.value += counter.value,
                        None => counters.push(counter),
                    }
                }
            }
        }
        counters
    }
}
