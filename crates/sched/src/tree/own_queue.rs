//! The rank queue of one node of a tree: any of the registry.

use super::spec::Node;
use crate::queues::{BuiltQueue, QUEUES, QueueSize, RankQueue};
use crate::rank_unit::RankUnit;
use crate::spec::{Part, check_range, unknown};
use crate::traits::RankRange;
use forebay_core::registry::find;
use forebay_core::{Counter, Packet, ParamError, ParamValue, Params};

/// The parameter of queues that are FIFO queues: packets that each holds.
const QUEUE_PACKETS: &str = "queue_packets";

/// The parameter of a calendar: what becomes of ranks beyond its last day.
const BEYOND: &str = "beyond";

/// A queue with the unit of its ranks.
pub(super) struct OwnQueue {
    queue: BuiltQueue,
    rank_unit: u64,
    max_rank: u64,
    ranks_clamped: u64,
}

impl OwnQueue {
    /// The queue that `part` names, for `node` and a buffer of so many packets.
    ///
    /// In a leaf it is the queue that a discipline without a tree has. Above leaves each of its FIFO queues holds the buffer,
    /// since it must take all entries.
    pub(super) fn new(node: &Node, part: &Part, slots: usize) -> Result<Self, ParamError> {
        let entry = find("queue", QUEUES, &part.name).map_err(unknown)?;
        let is_leaf = node.children.is_empty();
        let mut given = part.params.clone();
        if !is_leaf && entry.about.params.iter().any(|param| param.name == QUEUE_PACKETS) {
            let all = ParamValue::Integer(i64::try_from(slots).unwrap_or(i64::MAX));
            given.entry(QUEUE_PACKETS.to_owned()).or_insert(all);
        }
        let params = Params::check(entry.about.params, given)?;
        let queue = (entry.build)(QueueSize { packets: slots }, &params)?;
        let name = entry.about.name;
        let sure = queue.sure_capacity();
        if !is_leaf && sure < slots {
            let takes = |name: &str| entry.about.params.iter().any(|param| param.name == name);
            let fix = if takes(BEYOND) && params.text(BEYOND) != "last" {
                format!("give it {BEYOND} = \"last\"")
            } else if part.params.contains_key(QUEUE_PACKETS) {
                format!("leave `{QUEUE_PACKETS}` out")
            } else {
                "name it as the `queue` of leaves, and \"sp-pifo\" or \"pifo\" here".to_owned()
            };
            return Err(unknown(format!(
                "a node above leaves must take an entry for each of {slots} packets that may wait below it, but `{name}` may \
                 refuse one when it holds {sure}; {fix}"
            )));
        }
        let max_rank = queue.max_rank();
        if max_rank < u64::MAX && node.entry.range == RankRange::Rising {
            return Err(unknown(format!(
                "`{name}` has ranks 0 to {max_rank} here, but the ranks of `{}` rise for ever; use queue = \"pifo\" or \
                 \"rolling-hffs\"",
                node.entry.about.name
            )));
        }
        check_range(name, max_rank, node.entry, RankUnit::linear(node.rank_unit))?;
        Ok(Self { queue, rank_unit: node.rank_unit, max_rank, ranks_clamped: 0 })
    }

    /// Puts an entry in; `false` if the queue refuses it.
    pub(super) fn push(&mut self, entry: &Packet) -> bool {
        let rank = entry.rank / self.rank_unit;
        let pushed = self.queue.push(rank.min(self.max_rank), *entry).is_ok();
        self.ranks_clamped += u64::from(pushed && rank > self.max_rank);
        pushed
    }

    /// Takes the first entry.
    pub(super) fn pop_min(&mut self) -> Option<Packet> {
        self.queue.pop_min().map(|(_, entry)| entry)
    }

    /// Numbers for the report.
    pub(super) fn counters(&self) -> Vec<Counter> {
        let mut counters = self.queue.counters();
        if self.max_rank < u64::MAX {
            counters.push(Counter { name: "ranks_clamped", value: self.ranks_clamped });
        }
        counters
    }
}
