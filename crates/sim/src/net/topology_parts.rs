//! The common form of topology files of all formats: nodes and links with their lines, from which the graph is built.

use crate::net::graph::{Graph, GraphError, NodeId, NodeKind};
use forebay_core::registry::{is_slip, suggest};
use forebay_core::{Duration, Rate};
use std::collections::BTreeMap;
use std::io;

/// A topology file that cannot be used. The message says how to fix the file; the caller adds the file's name.
#[derive(Debug, thiserror::Error)]
pub enum TopologyFileError {
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line is wrong.
    #[error("{message}")]
    Line {
        /// Line number, from 1.
        line: u64,
        /// The error and its fix.
        message: String,
    },
    /// The network as a whole is wrong.
    #[error("{0}")]
    Graph(GraphError),
}

impl TopologyFileError {
    pub(super) fn at(line: u64, message: impl Into<String>) -> Self {
        Self::Line { line, message: message.into() }
    }
}

/// Nodes and links that have been read.
#[derive(Default)]
pub(super) struct Parts {
    graph: Graph,
    /// Each node and the line that it is on.
    nodes: BTreeMap<String, (NodeId, u64)>,
    links: Vec<Link>,
}

/// A link in both directions.
pub(super) struct Link {
    pub(super) line: u64,
    pub(super) ends: [String; 2],
    pub(super) rate: Rate,
    pub(super) propagation: Duration,
}

impl Parts {
    /// Adds a link, whose ends may come later.
    pub(super) fn link(&mut self, link: Link) {
        self.links.push(link);
    }

    /// Adds a node.
    pub(super) fn node(&mut self, line: u64, name: &str, kind: NodeKind, rack: u32) -> Result<(), TopologyFileError> {
        if name.is_empty() {
            return Err(TopologyFileError::at(line, "the name is missing"));
        }
        if name.contains('>') {
            let advice = name.replace('>', "_");
            let message =
                format!("a name has no `>`, which stands between the two ends of a link; write for example `{advice}`");
            return Err(TopologyFileError::at(line, message));
        }
        if let Some((_, first)) = self.nodes.get(name) {
            let message = format!("`{name}` is already on line {first}; every host and switch needs its own name");
            return Err(TopologyFileError::at(line, message));
        }
        let id = self.graph.add_node(name, kind, rack);
        self.nodes.insert(name.to_owned(), (id, line));
        Ok(())
    }

    /// The network, if it can be used.
    pub(super) fn finish(mut self) -> Result<Graph, TopologyFileError> {
        for link in &self.links {
            let [a, b] = [self.end(link, 0)?, self.end(link, 1)?];
            if a == b {
                let error = GraphError::Loop(link.ends[0].clone());
                return Err(TopologyFileError::at(link.line, error.to_string()));
            }
            for (node, name) in [(a, &link.ends[0]), (b, &link.ends[1])] {
                if self.graph.is_host(node) && !self.graph.links_from(node).is_empty() {
                    let message = format!("host `{name}` has a link already; a host has exactly one");
                    return Err(TopologyFileError::at(link.line, message));
                }
            }
            self.graph.connect(a, b, link.rate, link.propagation);
        }
        self.graph.check().map_err(|error| match &error {
            GraphError::HostLinks { name, .. } | GraphError::Unreachable { to: name, .. } => {
                TopologyFileError::at(self.nodes.get(name).map_or(1, |&(_, line)| line), error.to_string())
            }
            _ => TopologyFileError::Graph(error),
        })?;
        Ok(self.graph)
    }

    /// The node at an end of a link.
    fn end(&self, link: &Link, end: usize) -> Result<NodeId, TopologyFileError> {
        let name = &link.ends[end];
        self.nodes.get(name).map(|&(node, _)| node).ok_or_else(|| {
            let is_listed = |known: &&str| self.nodes.len() <= MAX_LISTED || is_slip(name, known);
            let known: Vec<&str> = self.nodes.keys().map(String::as_str).filter(is_listed).collect();
            let hint = if known.is_empty() { String::new() } else { suggest(name, known) };
            TopologyFileError::at(link.line, format!("there is no host or switch called `{name}`{hint}"))
        })
    }
}

/// Names that a message may list.
const MAX_LISTED: usize = 20;
