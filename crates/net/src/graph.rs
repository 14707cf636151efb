//! What is connected with what.

use crate::flow::HostId;
use forebay_core::{Duration, Rate};

/// A host or switch: its index in [`Graph::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The id as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// Sends and receives; forwards nothing.
    Host,
    /// Forwards.
    Switch,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSpec {
    /// Unique in the graph.
    pub name: String,
    /// What it does.
    pub kind: NodeKind,
    /// Hosts of one group share a rack (for rack-to-rack workloads); 0 where nothing is said.
    pub rack: u32,
}

/// One direction of a link: an output port at its tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkSpec {
    /// Whose output port it is.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// How fast it sends.
    pub rate: Rate,
    /// How long a bit is on the way.
    pub propagation: Duration,
}

/// Nodes and links. Every link is there in both directions, one after the other: `links[2k]` and `links[2k + 1]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    nodes: Vec<NodeSpec>,
    links: Vec<LinkSpec>,
    hosts: Vec<NodeId>,
}

/// Why something is no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// Two nodes have one name.
    #[error("two nodes are called `{0}`")]
    SameName(String),
    /// A link connects a node with itself.
    #[error("a link leads from `{0}` to itself")]
    Loop(String),
    /// A host has no link, or more than one.
    #[error("host `{name}` has {links} links; a host has exactly one")]
    HostLinks {
        /// The host.
        name: String,
        /// How many it has.
        links: usize,
    },
    /// There is no way between two hosts.
    #[error("there is no way from host `{from}` to host `{to}`")]
    Unreachable {
        /// From here.
        from: String,
        /// To there.
        to: String,
    },
    /// Too few hosts to send anything.
    #[error("a network needs at least two hosts; this one has {0}")]
    TooFewHosts(usize),
}

impl Graph {
    /// Adds a node.
    pub fn add_node(&mut self, name: impl Into<String>, kind: NodeKind, rack: u32) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(NodeSpec { name: name.into(), kind, rack });
        if kind == NodeKind::Host {
            self.hosts.push(id);
        }
        id
    }

    /// Adds a link in both directions.
    pub fn connect(&mut self, a: NodeId, b: NodeId, rate: Rate, propagation: Duration) {
        self.links.push(LinkSpec { from: a, to: b, rate, propagation });
        self.links.push(LinkSpec { from: b, to: a, rate, propagation });
    }

    /// All nodes.
    #[must_use]
    pub fn nodes(&self) -> &[NodeSpec] {
        &self.nodes
    }

    /// All directed links.
    #[must_use]
    pub fn links(&self) -> &[LinkSpec] {
        &self.links
    }

    /// All hosts; [`HostId`] is the index.
    #[must_use]
    pub fn hosts(&self) -> &[NodeId] {
        &self.hosts
    }

    /// A host's node.
    #[must_use]
    pub fn node_of(&self, host: HostId) -> NodeId {
        self.hosts[host.index()]
    }

    /// The name of a directed link, `tail>head`.
    #[must_use]
    pub fn link_name(&self, link: usize) -> String {
        let LinkSpec { from, to, .. } = self.links[link];
        format!("{}>{}", self.nodes[from.index()].name, self.nodes[to.index()].name)
    }
}
