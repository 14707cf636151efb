//! A tree of rank functions as a scenario describes it, and the possible errors in it.

use crate::class_weights::ClassWeights;
use crate::pace_by_name::pace_rule;
use crate::pacing::PaceRule;
use crate::part::Part;
use crate::ranking::Ranking;
use crate::spec::unknown;
use crate::traits::{RankEntry, RankFn};
use forebay_core::{BufferSize, ParamError, ParamValue, Rate};

/// A tree, the queue of its nodes and the buffer in front of it.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeSpec {
    /// The node that every packet passes.
    pub root: NodeSpec,
    /// The queue of the nodes without their own queue: `hffs`, cut into partitions that these nodes share, or one queue for each of them.
    pub queue: Part,
    /// The rule that chooses the packet to drop when the buffer is full.
    pub drop: Part,
    /// The size of the buffer that all leaves share.
    pub buffer: BufferSize,
    /// The rate at which the port sends.
    pub link_rate: Rate,
}

/// A node of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeSpec {
    /// The rank function, which ranks packets in a leaf, and children, as if they were flows, elsewhere.
    pub rank: Part,
    /// The number by which ranks are divided, rounding down, before they enter the queue.
    pub rank_unit: u64,
    /// The node's own queue, in place of the tree's queue.
    pub queue: Option<Part>,
    /// The node's weight among the children of its parent.
    pub weight: Option<u32>,
    /// The pace rule that sets when the parent may choose the node for a packet; without it, the parent may do so at once. Not for the
    /// root.
    pub pace: Option<Part>,
    /// The node's children or classes.
    pub below: Below,
}

/// The children or classes of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Below {
    /// Packets of these classes, or of all classes that no other leaf names.
    Packets(Option<Vec<u8>>),
    /// Other nodes.
    Children(Vec<NodeSpec>),
}

/// The reason why a tree cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// A node.
    #[error("{error}")]
    Node {
        /// The children to follow from the root to the node, counted from 0.
        path: Vec<usize>,
        /// The field at fault: `rank`, `classes`, `weight`, `pace`, `queue` or `children`.
        field: &'static str,
        /// The error.
        error: ParamError,
    },
    /// The queue.
    #[error("{0}")]
    Queue(ParamError),
    /// The drop rule.
    #[error("{0}")]
    Drop(ParamError),
    /// The buffer.
    #[error("{0}")]
    Buffer(String),
}

/// A checked node.
pub(crate) struct Node {
    pub(crate) entry: &'static RankEntry,
    pub(crate) rank_fn: Box<dyn RankFn + Send>,
    /// Whether the rank function holds entries back, in its virtual time.
    pub(crate) holds_back: bool,
    pub(crate) rank_unit: u64,
    pub(crate) queue: Option<Part>,
    pub(crate) pace: Option<Box<dyn PaceRule + Send>>,
    pub(crate) parent: Option<usize>,
    /// The node's children in order of their numbers; none in a leaf.
    pub(crate) children: Vec<usize>,
    /// The node's index among its parent's children.
    pub(crate) number: u32,
    pub(crate) path: Vec<usize>,
}

impl Node {
    /// Returns the node's queue: its own, or the tree's.
    pub(crate) fn queue<'a>(&'a self, spec: &'a TreeSpec) -> &'a Part {
        self.queue.as_ref().unwrap_or(&spec.queue)
    }
}

/// The leaf of each class; `None` for a class without a leaf.
pub(crate) type Leaves = [Option<usize>; 256];

/// Returns the nodes of a tree, each before its descendants, and the leaf of each class.
pub(crate) fn nodes(spec: &TreeSpec) -> Result<(Vec<Node>, Box<Leaves>), TreeError> {
    let mut reader = Reader {
        listed: listed(&spec.root),
        link_rate: spec.link_rate,
        nodes: Vec::new(),
        leaves: Box::new([None; 256]),
    };
    reader.add(&spec.root, None, &[])?;
    Ok((reader.nodes, reader.leaves))
}

struct Reader {
    /// The classes that some leaf names.
    listed: Vec<u8>,
    link_rate: Rate,
    nodes: Vec<Node>,
    leaves: Box<Leaves>,
}

impl Reader {
    /// Adds a node with all its descendants.
    fn add(&mut self, spec: &NodeSpec, parent: Option<usize>, path: &[usize]) -> Result<(), TreeError> {
        let wrong = |field, error| TreeError::Node { path: path.to_vec(), field, error };
        let entry = Ranking::of_packets(&spec.rank, "a tree").map_err(|text| wrong("rank", unknown(text)))?;
        if parent.is_none() && spec.weight.is_some() {
            return Err(wrong("weight", unknown("the root shares with nobody; weights are for children".to_owned())));
        }
        if parent.is_none() && spec.pace.is_some() {
            return Err(wrong("pace", unknown("the root has the whole link; `pace` is for children".to_owned())));
        }
        let pace = spec.pace.as_ref().map(pace_rule).transpose().map_err(|error| wrong("pace", error))?;
        let mut given = spec.rank.params.clone();
        let weights = match &spec.below {
            Below::Children(children) => child_weights(children, &self.listed),
            Below::Packets(_) => None,
        };
        if let Some(weights) = weights {
            if !takes_weights(entry) {
                let message = format!("`{}` ignores weights; use rank = \"stfq\" or \"wf2q\"", entry.about.name);
                return Err(wrong("rank", unknown(message)));
            }
            if given.insert(ClassWeights::PARAM.name.to_owned(), weights).is_some() {
                let message = "give either `weights` here or a `weight` to the children, not both";
                return Err(wrong("rank", ParamError::of(ClassWeights::PARAM.name, message)));
            }
        }
        let link_rate = parent.is_none().then_some(self.link_rate);
        let mut rank_fn = spec.rank.rank_fn(entry, link_rate, given).map_err(|error| wrong("rank", error))?;
        if rank_fn.as_pace_mut().is_some() {
            let name = entry.about.name;
            let message = format!(
                "`{name}` holds packets back, which only a policy without a tree does by rank; give a child a `pace`"
            );
            return Err(wrong("rank", unknown(message)));
        }
        let holds_back = rank_fn.as_virtual_pace_mut().is_some();
        let index = self.nodes.len();
        let number = path.last().map_or(0, |&number| u32::try_from(number).expect("fewer than 2^32 children"));
        let rank_unit = spec.rank_unit.max(1);
        let queue = spec.queue.clone();
        let (path_here, children) = (path.to_vec(), Vec::new());
        self.nodes.push(Node {
            entry,
            rank_fn,
            holds_back,
            rank_unit,
            queue,
            pace,
            parent,
            children,
            number,
            path: path_here,
        });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(index);
        }
        match &spec.below {
            Below::Packets(classes) => {
                self.take_classes(index, classes.as_deref()).map_err(|text| wrong("classes", unknown(text)))
            }
            Below::Children(children) if children.is_empty() => {
                Err(wrong("children", unknown("a node has at least one child, or none and `classes`".to_owned())))
            }
            Below::Children(children) => children
                .iter()
                .enumerate()
                .try_for_each(|(number, child)| self.add(child, Some(index), &[path, &[number]].concat())),
        }
    }

    /// Assigns packets of these classes, or of classes that no leaf names, to a leaf.
    fn take_classes(&mut self, leaf: usize, classes: Option<&[u8]>) -> Result<(), ClassesError> {
        let mut taken = 0;
        for class in 0..=u8::MAX {
            let is_named = classes.is_some_and(|classes| classes.contains(&class));
            if is_named || classes.is_none() && !self.listed.contains(&class) {
                if self.leaves[usize::from(class)].replace(leaf).is_some() {
                    return Err(match classes {
                        Some(_) => ClassesError::InTwoLeaves(class),
                        None => ClassesError::TwoWithout,
                    });
                }
                taken += 1;
            }
        }
        if taken == 0 { Err(ClassesError::Nothing) } else { Ok(()) }
    }
}

/// The reason why a leaf cannot get its classes.
#[derive(Debug, thiserror::Error)]
enum ClassesError {
    #[error("class {0} is in two leaves")]
    InTwoLeaves(u8),
    #[error("only one leaf can be without `classes`: it takes those that no other names")]
    TwoWithout,
    #[error("a leaf takes at least one class, like classes = [46, 34]")]
    Nothing,
}

/// Whether a rank function shares the link by weight.
fn takes_weights(entry: &RankEntry) -> bool {
    entry.about.params.iter().any(|param| param.name == ClassWeights::PARAM.name)
}

/// Returns the classes that leaves at or below a node name.
fn listed(node: &NodeSpec) -> Vec<u8> {
    match &node.below {
        Below::Packets(classes) => classes.clone().unwrap_or_default(),
        Below::Children(children) => children.iter().flat_map(listed).collect(),
    }
}

/// Whether a leaf at or below a node gets the classes that no other leaf names.
fn takes_rest(node: &NodeSpec) -> bool {
    match &node.below {
        Below::Packets(classes) => classes.is_none(),
        Below::Children(children) => children.iter().any(takes_rest),
    }
}

/// Returns the children's weights as weights of their classes, since each class is below one child only; `None` if no child has a weight.
/// `all` holds the classes that some leaf names.
fn child_weights(children: &[NodeSpec], all: &[u8]) -> Option<ParamValue> {
    children.iter().any(|child| child.weight.is_some()).then(|| {
        let of_child = |child: &NodeSpec| {
            let mut classes = listed(child);
            if takes_rest(child) {
                classes.extend((0..=u8::MAX).filter(|class| !all.contains(class)));
            }
            let weight = ParamValue::Integer(child.weight.unwrap_or(1).into());
            classes.into_iter().map(move |class| (class.to_string(), weight.clone()))
        };
        ParamValue::Table(children.iter().flat_map(of_child).collect())
    })
}
