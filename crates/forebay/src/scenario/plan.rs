//! The parts of a policy of a scenario: one rank function or flow rank, a tree of rank functions, or a text in OpenQueue.

use super::oq::{EngineKind, OqPlan};
use crate::error::{Result, UserError};
use crate::openqueue;
use forebay_core::{BufferSize, Discipline, Element, Rate, Seed};
use forebay_engine::Reference;
use forebay_sched::queues::BuiltQueue;
use forebay_sched::queues::recording_queue::{OpSink, recorded};
use forebay_sched::{
    Below, DisciplineSpec, FlowDiscipline, Marking, NodeSpec, Part, RankDiscipline, RankUnit, TreeDiscipline, TreeSpec,
    Wrapped,
};
use std::sync::Arc;

/// Checked parts, from which a discipline can be built.
#[derive(Debug, Clone)]
pub enum Plan {
    /// A rank function, a queue and a drop rule.
    Parts(DisciplineSpec),
    /// Parts as in `Parts`, with a rank for flows, which stay in order.
    Flows(DisciplineSpec),
    /// With the leaf of each class, and the mark rule.
    Tree(TreeSpec, Box<[Option<usize>; 256]>, Option<Part>),
    /// A policy in OpenQueue, which runs on an engine in place of a discipline.
    OpenQueue(Box<OqPlan>),
}

/// The name of a policy in OpenQueue, in place of a rank function, queue and drop rule.
const OPENQUEUE: &str = "openqueue";

impl Plan {
    /// Returns the rank function, or all rank functions of a tree as `root(child, child)`.
    pub fn rank(&self) -> String {
        match self {
            Self::Parts(spec) | Self::Flows(spec) => spec.rank.name.clone(),
            Self::Tree(spec, ..) => of_nodes(&spec.root, &|node| &node.rank.name),
            Self::OpenQueue(_) => OPENQUEUE.to_owned(),
        }
    }

    /// Returns the queue's name; if nodes of a tree have their own, the queues of all nodes as `root(child, child)`.
    pub fn queue(&self) -> String {
        match self {
            Self::Parts(spec) | Self::Flows(spec) => spec.queue.name.clone(),
            Self::Tree(spec, ..) if has_own_queues(&spec.root) => {
                of_nodes(&spec.root, &|node| &node.queue.as_ref().unwrap_or(&spec.queue).name)
            }
            Self::Tree(spec, ..) => spec.queue.name.clone(),
            Self::OpenQueue(_) => OPENQUEUE.to_owned(),
        }
    }

    /// Returns the drop rule's name.
    pub fn drop_rule(&self) -> &str {
        match self {
            Self::Parts(spec) | Self::Flows(spec) => &spec.drop.name,
            Self::Tree(spec, ..) => &spec.drop.name,
            Self::OpenQueue(_) => OPENQUEUE,
        }
    }

    /// Returns the mark rule, if there is one; a policy in OpenQueue has actions for that.
    pub fn mark(&self) -> Option<&Part> {
        match self {
            Self::Parts(spec) | Self::Flows(spec) => spec.mark.as_ref(),
            Self::Tree(_, _, mark) => mark.as_ref(),
            Self::OpenQueue(_) => None,
        }
    }

    /// Returns the pace rule, if one delays packets.
    pub fn pace(&self) -> Option<&Part> {
        match self {
            Self::Parts(spec) => spec.pace.as_ref(),
            Self::Flows(_) | Self::Tree(..) | Self::OpenQueue(_) => None,
        }
    }

    /// Returns the buffer; `None` for a policy in OpenQueue, which states it itself.
    pub fn buffer(&self) -> Option<BufferSize> {
        match self {
            Self::Parts(spec) | Self::Flows(spec) => Some(spec.buffer),
            Self::Tree(spec, ..) => Some(spec.buffer),
            Self::OpenQueue(_) => None,
        }
    }

    /// Returns whether one instance with a port for each link serves all links of a host or switch.
    pub fn is_of_node(&self) -> bool {
        matches!(self, Self::OpenQueue(plan) if plan.is_of_node)
    }

    /// Returns the unit of ranks in the queue.
    pub fn rank_unit(&self) -> RankUnit {
        match self {
            Self::Parts(spec) | Self::Flows(spec) => spec.rank_unit,
            Self::Tree(..) | Self::OpenQueue(_) => RankUnit::ONE,
        }
    }

    /// Creates the policy's element, with empty queues. The operations of its rank queues are sent to `sinks`, if there are any: one for
    /// each queue.
    pub fn element(&self, seed: Seed, sinks: Sinks) -> Result<Box<dyn Element>> {
        Ok(match self {
            Self::Parts(spec) | Self::Flows(spec) => forebay_sched::element(spec, seed, sinks.into_iter().next())
                .map_err(|error| UserError::new(error.to_string()))?,
            Self::Tree(spec, _, None) => Box::new(tree(spec, sinks, |_, queue| queue)?),
            Self::Tree(spec, _, Some(mark)) => {
                Box::new(marking(tree(spec, sinks, |_, queue| queue)?, mark, spec.link_rate, seed)?)
            }
            Self::OpenQueue(plan) => match plan.engine {
                EngineKind::Fast => Box::new(openqueue::element(openqueue::fast, plan, seed)),
                EngineKind::Reference => Box::new(openqueue::element(Reference::new, plan, seed)),
            },
        })
    }

    /// Returns a number for each class; ranks of classes with equal numbers are comparable.
    pub fn comparable_classes(&self) -> [usize; 256] {
        match self {
            Self::Parts(_) | Self::Flows(_) | Self::OpenQueue(_) => [0; 256],
            Self::Tree(_, leaves, _) => leaves.map(|leaf| leaf.unwrap_or(0)),
        }
    }
}

/// A name of each node of a tree, as `root(child, child)`.
fn of_nodes<'a>(node: &'a NodeSpec, name: &impl Fn(&'a NodeSpec) -> &'a str) -> String {
    match &node.below {
        Below::Packets(_) => name(node).to_owned(),
        Below::Children(children) => {
            let children: Vec<String> = children.iter().map(|child| of_nodes(child, name)).collect();
            format!("{}({})", name(node), children.join(", "))
        }
    }
}

/// Whether a node has a queue in place of the tree's.
fn has_own_queues(node: &NodeSpec) -> bool {
    node.queue.is_some() || matches!(&node.below, Below::Children(children) if children.iter().any(has_own_queues))
}

/// Receivers of the operations of the rank queues of a policy: none, or one for each queue.
pub type Sinks = Vec<Arc<dyn OpSink>>;

/// Creates the discipline from these parts, with its queue wrapped by `wrap`.
pub fn discipline(
    spec: &DisciplineSpec,
    sinks: Sinks,
    wrap: impl FnOnce(BuiltQueue) -> BuiltQueue,
) -> Result<RankDiscipline> {
    let built = match sinks.into_iter().next() {
        Some(sink) => RankDiscipline::around_queue(spec, |queue| recorded(wrap(queue), sink)),
        None => RankDiscipline::around_queue(spec, wrap),
    };
    built.map_err(|error| UserError::new(error.to_string()))
}

/// Creates the discipline that keeps flows in order.
pub fn flow_discipline(spec: &DisciplineSpec) -> Result<FlowDiscipline> {
    FlowDiscipline::new(spec).map_err(|error| UserError::new(error.to_string()))
}

/// Wraps a discipline in this mark rule.
pub fn marking<D: Discipline>(discipline: D, mark: &Part, link_rate: Rate, seed: Seed) -> Result<Marking<D>> {
    Marking::new(discipline, mark, link_rate, seed).map_err(|error| UserError::new(error.to_string()))
}

/// Creates the discipline of this tree, with the queues of its nodes wrapped by `wrap`.
pub fn tree(
    spec: &TreeSpec,
    sinks: Sinks,
    mut wrap: impl FnMut(&Wrapped<'_>, BuiltQueue) -> BuiltQueue,
) -> Result<TreeDiscipline> {
    let tree = TreeDiscipline::around_queues(spec, &mut wrap).map_err(|error| UserError::new(error.to_string()))?;
    Ok(if sinks.is_empty() { tree } else { tree.recorded(sinks) })
}
