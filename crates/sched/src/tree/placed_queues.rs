//! The rank queues of a tree's nodes: a partition of an HFFS that nodes share, or a queue for each node.

use super::node_queues::{Ends, NodeQueues, add};
use super::own_queue::OwnQueue;
use super::shared_hffs;
use super::spec::{Node, TreeError, TreeSpec};
use crate::part::Part;
use crate::queues::BuiltQueue;
use crate::spec::MAX_SLOTS;
use crate::traits::VirtualPace;
use forebay_core::{Counter, Packet, Time, convert};

/// Wraps the queue of a node that has its own queue.
pub type Wrap<'a> = &'a mut dyn FnMut(&Wrapped<'_>, BuiltQueue) -> BuiltQueue;

/// A node whose queue is wrapped.
#[derive(Debug, Clone, Copy)]
pub struct Wrapped<'a> {
    /// The children to follow from the root to the node, counted from 0.
    pub path: &'a [usize],
    /// The node's rank function.
    pub rank: &'static str,
    /// The number by which ranks are divided before they enter the queue.
    pub rank_unit: u64,
    /// The node's queue.
    pub queue: &'a Part,
}

/// Nodes that share a queue, and nodes with their own.
struct Queues {
    places: Vec<Place>,
    shared: Option<Box<dyn NodeQueues + Send>>,
}

/// The queue in which the entries of a node wait.
enum Place {
    Own(OwnQueue),
    /// The node's number among the nodes that share a queue.
    Shared(usize),
}

const SHARED: &str = "hffs";

/// Builds the queues that `spec` describes, each with room for all packets of the buffer.
pub(crate) fn build(spec: &TreeSpec, nodes: &[Node], wrap: Wrap<'_>) -> Result<Box<dyn NodeQueues + Send>, TreeError> {
    let slots = spec.buffer.slots();
    let own_part = |node: &Node| node.queue.clone().or_else(|| (spec.queue.name != SHARED).then(|| spec.queue.clone()));
    let parts: Vec<Option<Part>> = nodes.iter().map(own_part).collect();
    let sharing: Vec<&Node> =
        nodes.iter().zip(&parts).filter(|(_, part)| part.is_none()).map(|(node, _)| node).collect();
    // A packet has an entry in each node on its way.
    let depth = sharing.iter().map(|node| node.path.len() + 1).max().unwrap_or(0);
    let copies = nodes.len() - sharing.len() + depth;
    let entries = slots.saturating_mul(copies as u64);
    if entries > MAX_SLOTS {
        let message = format!("a buffer of {} in a tree needs {entries} entries, more than {MAX_SLOTS}", spec.buffer);
        return Err(TreeError::Buffer(message));
    }
    let mut shared = 0;
    let mut places = Vec::new();
    for (node, part) in nodes.iter().zip(parts) {
        places.push(match part {
            Some(part) => {
                let rank = node.entry.about.name;
                let wrapped = Wrapped { path: &node.path, rank, rank_unit: node.rank_unit, queue: &part };
                let built = OwnQueue::new(node, &part, convert::index(slots), |queue| wrap(&wrapped, queue));
                Place::Own(built.map_err(|error| match node.queue {
                    Some(_) => TreeError::Node { path: node.path.clone(), field: "queue", error },
                    None => TreeError::Queue(error),
                })?)
            }
            None => {
                shared += 1;
                Place::Shared(shared - 1)
            }
        });
    }
    let entries = convert::index(slots) * depth;
    let shared = if sharing.is_empty() { None } else { Some(shared_hffs::build(entries, &spec.queue, &sharing)?) };
    Ok(Box::new(Queues { places, shared }))
}

impl NodeQueues for Queues {
    fn push(&mut self, node: usize, entry: &Packet) -> bool {
        match (&mut self.places[node], &mut self.shared) {
            (Place::Own(queue), _) => queue.push(entry),
            (Place::Shared(number), Some(shared)) => shared.push(*number, entry),
            (Place::Shared(_), None) => false,
        }
    }

    fn pop_min(&mut self, node: usize) -> Option<Packet> {
        match (&mut self.places[node], &mut self.shared) {
            (Place::Own(queue), _) => queue.pop_min(),
            (Place::Shared(number), Some(shared)) => shared.pop_min(*number),
            (Place::Shared(_), None) => None,
        }
    }

    fn push_at(&mut self, node: usize, entry: &Packet, eligible: Time) -> bool {
        match &mut self.places[node] {
            Place::Own(queue) => queue.push_at(entry, eligible),
            Place::Shared(_) => false,
        }
    }

    fn pop_paced(&mut self, node: usize, pace: &mut dyn VirtualPace, now: Time) -> Option<Packet> {
        match &mut self.places[node] {
            Place::Own(queue) => queue.pop_paced(pace, now),
            Place::Shared(_) => None,
        }
    }

    fn peek_max(&self, node: usize) -> Option<&Packet> {
        match (&self.places[node], &self.shared) {
            (Place::Own(queue), _) => queue.peek_max(),
            (Place::Shared(number), Some(shared)) => shared.peek_max(*number),
            (Place::Shared(_), None) => None,
        }
    }

    fn pop_max(&mut self, node: usize) -> Option<Packet> {
        match (&mut self.places[node], &mut self.shared) {
            (Place::Own(queue), _) => queue.pop_max(),
            (Place::Shared(number), Some(shared)) => shared.pop_max(*number),
            (Place::Shared(_), None) => None,
        }
    }

    fn ends(&self, node: usize) -> Ends {
        match &self.places[node] {
            Place::Own(queue) => queue.ends(),
            Place::Shared(_) => Ends { gives_up_last: true, holds_back: false },
        }
    }

    fn counters(&self) -> Vec<Counter> {
        let mut sums = self.shared.as_ref().map(|shared| shared.counters()).unwrap_or_default();
        for place in &self.places {
            if let Place::Own(queue) = place {
                add(&mut sums, queue.counters());
            }
        }
        sums
    }
}
