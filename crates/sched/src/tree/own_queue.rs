//! The rank queue of one node of a tree: any queue of the registry.

use super::node_queues::Ends;
use super::spec::Node;
use crate::part::Part;
use crate::queues::{BuiltQueue, QueueSize, RankQueue};
use crate::rank_unit::RankUnit;
use crate::spec::{check_range, unknown};
use crate::traits::{RankRange, VirtualPace};
use crate::virtual_pace::pop_in_virtual_time;
use forebay_core::{Counter, Packet, ParamError, ParamValue, Time};

/// The parameter of queues that consist of FIFO queues: the packets that each holds.
const QUEUE_PACKETS: &str = "queue_packets";

/// The parameter of a calendar: the treatment of ranks beyond its last day.
const BEYOND: &str = "beyond";

/// A queue with the unit of its ranks.
pub(super) struct OwnQueue {
    queue: BuiltQueue,
    rank_unit: u64,
    max_rank: u64,
    ranks_clamped: u64,
}

impl OwnQueue {
    /// Builds the queue that `part` names, for `node` and a buffer of the given size in packets, and passes it through `wrap`.
    ///
    /// In a leaf, the queue is the same as in a discipline without a tree. Above leaves, each of its FIFO queues has room for the whole
    /// buffer, since the queue must accept all entries.
    pub(super) fn new(
        node: &Node,
        part: &Part,
        slots: usize,
        wrap: impl FnOnce(BuiltQueue) -> BuiltQueue,
    ) -> Result<Self, ParamError> {
        let entry = part.queue_entry().map_err(unknown)?;
        let is_leaf = node.children.is_empty();
        let mut given = part.params.clone();
        if !is_leaf && entry.about.params.iter().any(|param| param.name == QUEUE_PACKETS) {
            let all = ParamValue::Integer(i64::try_from(slots).unwrap_or(i64::MAX));
            given.entry(QUEUE_PACKETS.to_owned()).or_insert(all);
        }
        let queue = wrap(part.queue(entry, QueueSize { packets: slots }, given)?);
        let name = &part.name;
        let sure = queue.sure_capacity();
        if !is_leaf && sure < slots {
            let takes = |name: &str| entry.about.params.iter().any(|param| param.name == name);
            let fix = if takes(BEYOND)
                && part.params.get(BEYOND).is_none_or(|given| *given != ParamValue::Text("last".to_owned()))
            {
                format!("give it {BEYOND} = \"last\"")
            } else if part.params.contains_key(QUEUE_PACKETS) {
                format!("leave `{QUEUE_PACKETS}` out")
            } else {
                "name it as the `queue` of leaves, and \"sp-pifo\" or \"pifo\" here".to_owned()
            };
            return Err(unknown(format!(
                "a node above leaves must take an entry for each of {slots} packets that may wait below it, but `{name}` may \
                 drop one when it holds {sure}; {fix}"
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

    /// Enqueues an entry; returns `false` if the queue does not admit it.
    pub(super) fn push(&mut self, entry: &Packet) -> bool {
        let key = (entry.rank / self.rank_unit).min(self.max_rank);
        let pushed = self.queue.push(key, *entry).is_ok();
        self.count(entry, pushed)
    }

    /// As [`push`](Self::push), held back until `eligible` in virtual time.
    pub(super) fn push_at(&mut self, entry: &Packet, eligible: Time) -> bool {
        let key = (entry.rank / self.rank_unit).min(self.max_rank);
        let queue = self.queue.as_rank_queue_mut().as_pop_eligible_mut();
        let pushed = queue.is_some_and(|queue| queue.insert_at(key, eligible, *entry).is_ok());
        self.count(entry, pushed)
    }

    fn count(&mut self, entry: &Packet, pushed: bool) -> bool {
        self.ranks_clamped += u64::from(pushed && entry.rank / self.rank_unit > self.max_rank);
        pushed
    }

    /// Removes the first entry that may leave in this virtual time.
    pub(super) fn pop_paced(&mut self, pace: &mut dyn VirtualPace, now: Time) -> Option<Packet> {
        let queue = self.queue.as_rank_queue_mut().as_pop_eligible_mut()?;
        pop_in_virtual_time(queue, pace, now).map(|(_, entry)| entry)
    }

    /// The last entry, if the queue can remove it.
    pub(super) fn peek_max(&self) -> Option<&Packet> {
        match &self.queue {
            BuiltQueue::DoubleEnded(queue) => queue.peek_max().map(|(_, entry)| entry),
            BuiltQueue::SingleEnded(_) => None,
        }
    }

    /// Removes the last entry, if the queue can remove it.
    pub(super) fn pop_max(&mut self) -> Option<Packet> {
        match &mut self.queue {
            BuiltQueue::DoubleEnded(queue) => queue.pop_max().map(|(_, entry)| entry),
            BuiltQueue::SingleEnded(_) => None,
        }
    }

    /// The further operations of the queue.
    pub(super) fn ends(&self) -> Ends {
        Ends {
            gives_up_last: matches!(self.queue, BuiltQueue::DoubleEnded(_)),
            holds_back: self.queue.as_rank_queue().as_pop_eligible().is_some(),
        }
    }

    /// Removes the first entry.
    pub(super) fn pop_min(&mut self) -> Option<Packet> {
        self.queue.pop_min().map(|(_, entry)| entry)
    }

    /// Counters for the report.
    pub(super) fn counters(&self) -> Vec<Counter> {
        let mut counters = self.queue.counters();
        if self.max_rank < u64::MAX {
            counters.push(Counter { name: "ranks_clamped", value: self.ranks_clamped });
        }
        counters
    }
}
