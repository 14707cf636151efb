//! An HFFS that the nodes of a tree share, cut into logical partitions of its ranks (BBQ, NSDI'24, section 7.2).

use super::node_queues::{Ends, NodeQueues, add};
use super::spec::{Node, TreeError};
use crate::part::Part;
use crate::queues::bitmap_tree::{FixedTree, Levels1, Levels2, Levels3, Levels4};
use crate::queues::{PartitionedHffs, Partitioning, RollingPartitions};
use crate::rank_unit::RankUnit;
use crate::spec::{check_range, unknown};
use crate::traits::{RankRange, VirtualPace};
use forebay_core::params::ParamKind;
use forebay_core::{Counter, Packet, ParamSpec, Params, Time, convert};

/// Four levels: 16,777,216 ranks.
const MAX_RANKS: u64 = 1 << 24;
const DEFAULT_RANKS: u64 = 32_768;

/// The parameters of a tree's HFFS.
const PARAMS: &[ParamSpec] = &[ParamSpec {
    name: "ranks",
    kind: ParamKind::Integer { min: 1, max: MAX_RANKS, default: Some(DEFAULT_RANKS) },
    meaning: "number of ranks of all nodes together, in equal shares; a node whose ranks rise for ever has two shares",
}];

/// Builds the queue for these nodes, with `entries` entries in all. `part` holds its parameters.
pub(super) fn build(entries: usize, part: &Part, nodes: &[&Node]) -> Result<Box<dyn NodeQueues + Send>, TreeError> {
    let params = Params::check(PARAMS, part.params.clone()).map_err(TreeError::Queue)?;
    let ranks = params.integer("ranks").unwrap_or(DEFAULT_RANKS);
    let partitions: usize = nodes.iter().map(|node| partitions_of(node)).sum();
    let each = convert::index(ranks) / partitions;
    if each == 0 {
        let message = format!(
            "the tree has {} nodes, which need {partitions} partitions: one each, and two if its ranks rise for ever; \
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

/// Returns the number of partitions of a node: two if its window of ranks moves forward, else one.
fn partitions_of(node: &Node) -> usize {
    if node.entry.range == RankRange::Rising { 2 } else { 1 }
}

/// One HFFS in which each node has a partition, or two for ranks that rise for ever.
struct SharedHffs<Tree> {
    queue: PartitionedHffs<Packet, Tree>,
    nodes: Vec<(u64, Ranks)>,
    /// The highest rank of a node whose ranks do not rise for ever.
    max_rank: u64,
    ranks_clamped: u64,
}

/// The partitions for the ranks of a node.
enum Ranks {
    Fixed { partition: usize },
    Rolling(RollingPartitions),
}

impl<Tree: FixedTree + Send + 'static> SharedHffs<Tree> {
    fn boxed(
        entries: usize,
        partitions: usize,
        ranks: usize,
        nodes: &[&Node],
    ) -> Result<Box<dyn NodeQueues + Send>, TreeError> {
        let queue = PartitionedHffs::<Packet, Tree>::new(entries, partitions, ranks)
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
    fn push(&mut self, node: usize, entry: &Packet) -> bool {
        let (rank_unit, ranks) = &mut self.nodes[node];
        let rank = entry.rank / *rank_unit;
        match ranks {
            Ranks::Rolling(partitions) => partitions.push(&mut self.queue, rank, *entry).is_ok(),
            Ranks::Fixed { partition } => {
                self.ranks_clamped += u64::from(rank > self.max_rank);
                self.queue.push(*partition, rank.min(self.max_rank), *entry).is_ok()
            }
        }
    }

    fn pop_min(&mut self, node: usize) -> Option<Packet> {
        match &mut self.nodes[node].1 {
            Ranks::Rolling(partitions) => partitions.pop_min(&mut self.queue),
            Ranks::Fixed { partition } => self.queue.pop_min(*partition).map(|(_, entry)| entry),
        }
    }

    fn push_at(&mut self, _: usize, _: &Packet, _: Time) -> bool {
        false
    }

    fn pop_paced(&mut self, _: usize, _: &mut dyn VirtualPace, _: Time) -> Option<Packet> {
        None
    }

    fn peek_max(&self, node: usize) -> Option<&Packet> {
        match &self.nodes[node].1 {
            Ranks::Rolling(partitions) => partitions.peek_max(&self.queue),
            Ranks::Fixed { partition } => self.queue.peek_max(*partition).map(|(_, entry)| entry),
        }
    }

    fn pop_max(&mut self, node: usize) -> Option<Packet> {
        match &mut self.nodes[node].1 {
            Ranks::Rolling(partitions) => partitions.pop_max(&mut self.queue),
            Ranks::Fixed { partition } => self.queue.pop_max(*partition).map(|(_, entry)| entry),
        }
    }

    fn ends(&self, _: usize) -> Ends {
        Ends { gives_up_last: true, holds_back: false }
    }

    fn counters(&self) -> Vec<Counter> {
        let mut counters = vec![Counter { name: "ranks_clamped", value: self.ranks_clamped }];
        for (_, ranks) in &self.nodes {
            if let Ranks::Rolling(partitions) = ranks {
                add(&mut counters, partitions.window().counters());
            }
        }
        counters
    }
}
