//! What a policy of a scenario is made of: one rank function, or a tree of them.

use crate::error::{Result, UserError};
use forebay_core::Discipline;
use forebay_sched::{Below, DisciplineSpec, NodeSpec, RankDiscipline, TreeDiscipline, TreeSpec};

/// Checked parts, from which a discipline can be built.
#[derive(Debug, Clone)]
pub(crate) enum Plan {
    Parts(DisciplineSpec),
    /// With the leaf of each class.
    Tree(TreeSpec, Box<[Option<usize>; 256]>),
}

impl Plan {
    /// The discipline, with nothing waiting.
    pub(crate) fn build(&self) -> Result<Box<dyn Discipline>> {
        let wrong = |message: String| UserError::new(message);
        Ok(match self {
            Self::Parts(spec) => Box::new(RankDiscipline::new(spec).map_err(|error| wrong(error.to_string()))?),
            Self::Tree(spec, _) => Box::new(TreeDiscipline::new(spec).map_err(|error| wrong(error.to_string()))?),
        })
    }

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
        }
    }

    /// The queue's name.
    pub(crate) fn queue(&self) -> &str {
        match self {
            Self::Parts(spec) => &spec.queue.name,
            Self::Tree(spec, _) => &spec.queue.name,
        }
    }

    /// The drop rule's name.
    pub(crate) fn drop_rule(&self) -> &str {
        match self {
            Self::Parts(spec) => &spec.drop.name,
            Self::Tree(..) => "tail",
        }
    }

    /// Classes with the same number have ranks that can be compared.
    pub(crate) fn comparable_classes(&self) -> [usize; 256] {
        match self {
            Self::Parts(_) => [0; 256],
            Self::Tree(_, leaves) => leaves.map(|leaf| leaf.unwrap_or(0)),
        }
    }
}
