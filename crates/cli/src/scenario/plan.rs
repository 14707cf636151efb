//! What a policy of a scenario is made of: one rank function, a tree of them, or a text in OpenQueue.

use super::oq::OqPlan;
use forebay_sched::{Below, DisciplineSpec, NodeSpec, TreeSpec};

/// Checked parts, from which a discipline can be built.
#[derive(Debug, Clone)]
pub(crate) enum Plan {
    Parts(DisciplineSpec),
    /// With the leaf of each class.
    Tree(TreeSpec, Box<[Option<usize>; 256]>),
    /// It runs on an engine instead of a discipline.
    OpenQueue(Box<OqPlan>),
}

/// What a policy in OpenQueue has instead of a rank function, queue and drop rule.
const OPENQUEUE: &str = "openqueue";

impl Plan {
    /// The rank function, or all of them as `root(child, child)`.
    pub(crate) fn rank(&self) -> String {
        fn of_node(node: &NodeSpec) -> String {
            match &node.below {
                Below::Packets(_) => node.rank.name.clone(),
                Below::Children(children) => {
                    let children: Vec<String> = children.iter().map(of_node).collect();
                    format!("{}({})", node.rank.name, children.join(", "))
                }
            }
        }
        match self {
            Self::Parts(spec) => spec.rank.name.clone(),
            Self::Tree(spec, _) => of_node(&spec.root),
            Self::OpenQueue(_) => OPENQUEUE.to_owned(),
        }
    }

    /// The queue's name.
    pub(crate) fn queue(&self) -> &str {
        match self {
            Self::Parts(spec) => &spec.queue.name,
            Self::Tree(spec, _) => &spec.queue.name,
            Self::OpenQueue(_) => OPENQUEUE,
        }
    }

    /// The drop rule's name.
    pub(crate) fn drop_rule(&self) -> &str {
        match self {
            Self::Parts(spec) => &spec.drop.name,
            Self::Tree(..) => "tail",
            Self::OpenQueue(_) => OPENQUEUE,
        }
    }

    /// Classes with the same number have ranks that can be compared.
    pub(crate) fn comparable_classes(&self) -> [usize; 256] {
        match self {
            Self::Parts(_) | Self::OpenQueue(_) => [0; 256],
            Self::Tree(_, leaves) => leaves.map(|leaf| leaf.unwrap_or(0)),
        }
    }
}
