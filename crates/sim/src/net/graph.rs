//! Nodes and the links that connect them.

use crate::net::flow::HostId;
use forebay_core::{Duration, Rate};
use std::collections::BTreeSet;

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

/// The role of a node.
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
    /// The name, unique in the graph.
    pub name: String,
    /// The role of the node.
    pub kind: NodeKind,
    /// The rack of a host, for rack-to-rack workloads; 0 by default and for switches.
    pub rack: u32,
}

/// One direction of a link: an output port at its tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkSpec {
    /// The node of the output port.
    pub from: NodeId,
    /// The node at the other end.
    pub to: NodeId,
    /// The rate of the link.
    pub rate: Rate,
    /// The propagation delay of the link.
    pub propagation: Duration,
}

/// Nodes and links. Each link has two entries, one per direction: `links[2k]` and `links[2k + 1]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    nodes: Vec<NodeSpec>,
    links: Vec<LinkSpec>,
    hosts: Vec<NodeId>,
    /// The links that leave each node.
    out: Vec<Vec<usize>>,
}

/// The reason why a graph is not a valid network.
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
        /// The number of its links.
        links: usize,
    },
    /// There is no way between two hosts.
    #[error("there is no way from host `{from}` to host `{to}`")]
    Unreachable {
        /// The host from which there is no path.
        from: String,
        /// To there.
        to: String,
    },
    /// Too few hosts to send anything.
    #[error("a network needs at least two hosts; this one has {0}")]
    TooFewHosts(usize),
    /// More hosts than a simulation has room for.
    #[error("a network has at most {max} hosts; this one has {0}", max = Graph::MAX_HOSTS)]
    TooManyHosts(usize),
    /// More switches than routes have room for.
    #[error("a network has at most {max} switches; this one has {0}", max = Graph::MAX_SWITCHES)]
    TooManySwitches(usize),
}

impl Graph {
    /// The most hosts of a network: as many as in a fat-tree of switches with 64 ports.
    pub const MAX_HOSTS: usize = 65_536;
    /// The most switches of a network; the tables of [`Routes`](crate::net::Routes) may need 8 bytes for each pair of switches.
    pub const MAX_SWITCHES: usize = 8_192;

    /// Adds a node.
    pub fn add_node(&mut self, name: impl Into<String>, kind: NodeKind, rack: u32) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(NodeSpec { name: name.into(), kind, rack });
        self.out.push(Vec::new());
        if kind == NodeKind::Host {
            self.hosts.push(id);
        }
        id
    }

    /// Adds a host.
    pub fn add_host(&mut self, name: impl Into<String>, rack: u32) -> NodeId {
        self.add_node(name, NodeKind::Host, rack)
    }

    /// Adds a switch.
    pub fn add_switch(&mut self, name: impl Into<String>) -> NodeId {
        self.add_node(name, NodeKind::Switch, 0)
    }

    /// Adds a link in both directions.
    pub fn connect(&mut self, a: NodeId, b: NodeId, rate: Rate, propagation: Duration) {
        self.connect_each_way(a, b, rate, [propagation; 2]);
    }

    /// Adds a link in both directions; `propagation` has the delays from `a` to `b` and from `b` to `a`.
    pub fn connect_each_way(&mut self, a: NodeId, b: NodeId, rate: Rate, propagation: [Duration; 2]) {
        for ((from, to), propagation) in [(a, b), (b, a)].into_iter().zip(propagation) {
            self.out[from.index()].push(self.links.len());
            self.links.push(LinkSpec { from, to, rate, propagation });
        }
    }

    /// Checks that packets can be sent from every host to every other.
    ///
    /// - Names differ.
    /// - No link leads from a node to itself.
    /// - There are two hosts or more, but not too many.
    /// - Each host has exactly one link.
    /// - All nodes are connected.
    ///
    /// # Errors
    /// The first of these that fails, with the names of the nodes.
    pub fn check(&self) -> Result<(), GraphError> {
        let mut names = BTreeSet::new();
        if let Some(node) = self.nodes.iter().find(|node| !names.insert(&node.name)) {
            return Err(GraphError::SameName(node.name.clone()));
        }
        if let Some(link) = self.links.iter().find(|link| link.from == link.to) {
            return Err(GraphError::Loop(self.name(link.from)));
        }
        let (hosts, switches) = (self.hosts.len(), self.nodes.len() - self.hosts.len());
        if hosts < 2 {
            return Err(GraphError::TooFewHosts(hosts));
        }
        if hosts > Self::MAX_HOSTS {
            return Err(GraphError::TooManyHosts(hosts));
        }
        if switches > Self::MAX_SWITCHES {
            return Err(GraphError::TooManySwitches(switches));
        }
        if let Some(&host) = self.hosts.iter().find(|&&host| self.links_from(host).len() != 1) {
            return Err(GraphError::HostLinks { name: self.name(host), links: self.links_from(host).len() });
        }
        let connected = self.connected_with(self.hosts[0]);
        match self.hosts.iter().find(|host| !connected[host.index()]) {
            Some(&host) => Err(GraphError::Unreachable { from: self.name(self.hosts[0]), to: self.name(host) }),
            None => Ok(()),
        }
    }

    /// For each node, whether it can be reached from `start`. Hosts with one link are never in between.
    fn connected_with(&self, start: NodeId) -> Vec<bool> {
        let mut connected = vec![false; self.nodes.len()];
        connected[start.index()] = true;
        let mut waiting = vec![start];
        while let Some(node) = waiting.pop() {
            for &link in self.links_from(node) {
                let next = self.links[link].to;
                if !connected[next.index()] {
                    connected[next.index()] = true;
                    waiting.push(next);
                }
            }
        }
        connected
    }

    fn name(&self, node: NodeId) -> String {
        self.nodes[node.index()].name.clone()
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

    /// Returns the node of a host.
    #[must_use]
    pub fn node_of(&self, host: HostId) -> NodeId {
        self.hosts[host.index()]
    }

    /// The directed links that leave `node`, in the order in which they were added.
    #[must_use]
    pub fn links_from(&self, node: NodeId) -> &[usize] {
        &self.out[node.index()]
    }

    /// Returns the opposite direction of a link.
    #[must_use]
    pub fn reverse(link: usize) -> usize {
        link ^ 1
    }

    /// Whether `node` is a host.
    #[must_use]
    pub fn is_host(&self, node: NodeId) -> bool {
        self.nodes[node.index()].kind == NodeKind::Host
    }

    /// The name of a directed link, `tail>head`.
    #[must_use]
    pub fn link_name(&self, link: usize) -> String {
        let LinkSpec { from, to, .. } = self.links[link];
        format!("{}>{}", self.nodes[from.index()].name, self.nodes[to.index()].name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph of hosts `h..`, other nodes, and links between them.
    fn graph(nodes: &[&str], links: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::default();
        let ids: Vec<_> = nodes
            .iter()
            .map(|name| {
                let kind = if name.starts_with('h') { NodeKind::Host } else { NodeKind::Switch };
                graph.add_node(*name, kind, 0)
            })
            .collect();
        for &(a, b) in links {
            graph.connect(ids[a], ids[b], Rate::parse("1 Gbps").unwrap(), Duration::ZERO);
        }
        graph
    }

    #[test]
    fn networks_pass_the_check() {
        assert_eq!(graph(&["h0", "h1"], &[(0, 1)]).check(), Ok(()));
        assert_eq!(graph(&["h0", "s", "h1"], &[(0, 1), (1, 2)]).check(), Ok(()));
        // Switches may stand apart and have several links to each other.
        assert_eq!(graph(&["h0", "s", "t", "h1", "u"], &[(0, 1), (1, 2), (2, 1), (2, 3)]).check(), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (nodes, links, message) in [
            (&["h0", "h1", "h0"][..], &[(0, 1)][..], "two nodes are called `h0`"),
            (&["h0", "s", "h1"], &[(0, 1), (1, 1), (1, 2)], "a link leads from `s` to itself"),
            (&["h0", "s"], &[(0, 1)], "a network needs at least two hosts; this one has 1"),
            (&["h0", "s", "h1"], &[(0, 1)], "host `h1` has 0 links; a host has exactly one"),
            (&["h0", "s", "h1"], &[(0, 1), (1, 2), (0, 1)], "host `h0` has 2 links; a host has exactly one"),
            (&["h0", "s", "t", "h1"], &[(0, 1), (2, 3)], "there is no way from host `h0` to host `h1`"),
        ] {
            assert_eq!(graph(nodes, links).check().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let mut hosts = Graph::default();
        for number in 0..=Graph::MAX_HOSTS {
            hosts.add_host(format!("h{number}"), 0);
        }
        assert_eq!(hosts.check(), Err(GraphError::TooManyHosts(65_537)));
        let mut switches = graph(&["h0", "h1"], &[(0, 1)]);
        for number in 0..Graph::MAX_SWITCHES {
            switches.add_switch(format!("s{number}"));
        }
        assert_eq!(switches.check(), Ok(()));
        switches.add_switch("one more");
        assert_eq!(switches.check(), Err(GraphError::TooManySwitches(8_193)));
    }

    #[test]
    fn links_are_found_at_their_tails() {
        let graph = graph(&["h0", "s", "h1"], &[(0, 1), (1, 2)]);
        assert_eq!(graph.links_from(NodeId(1)), [1, 2]);
        assert_eq!(graph.link_name(Graph::reverse(2)), "h1>s");
    }
}
