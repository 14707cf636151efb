//! Topologies as text: any graph, one line for each host, switch and link.
//!
//! ```text
//! # Two hosts, 20 ns apart from a switch.
//! host,h0
//! host,h1,1
//! switch,s
//! link,h0,s,10 Gbps,20 ns
//! link,s,h1,2.5 Gbps,20 ns
//! ```
//!
//! - `host,NAME` or `host,NAME,RACK`: sends and receives, and has one link. Hosts are numbered from 0 in their order. The
//!   rack is a number, 0 if nothing is said.
//! - `switch,NAME`: forwards.
//! - `link,A,B,RATE,PROPAGATION`: joins two nodes in both directions. Two links between the same switches are two paths.
//!
//! Lines may come in any order. Spaces around fields and empty lines do not count, nor does what follows a `#`. Names have
//! no commas, no `#` and no `>`.

use crate::net::graph::{Graph, GraphError, NodeId, NodeKind};
use forebay_core::registry::{is_slip, suggest};
use forebay_core::{Duration, Rate};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// A topology file that cannot be used. The message says what to do; the caller adds the file's name.
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
        /// What is wrong and what would be right.
        message: String,
    },
    /// The network as a whole is wrong.
    #[error("{0}")]
    Graph(GraphError),
}

impl TopologyFileError {
    fn at(line: u64, message: impl Into<String>) -> Self {
        Self::Line { line, message: message.into() }
    }
}

/// Reads a topology. The result passes [`Graph::check`]. Lines are cut by hand, since nothing needs quotes and an error
/// must name its line whatever comes before.
///
/// # Errors
/// Names the line and what should be there.
pub fn read_topology(input: impl Read) -> Result<Graph, TopologyFileError> {
    let mut file = File::default();
    for (line, text) in (1..).zip(BufReader::new(input).lines()) {
        let text = text.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => TopologyFileError::at(line, "this is not text; is it really a topology?"),
            _ => TopologyFileError::Io(error),
        })?;
        let text = text.trim_start_matches('\u{feff}').split('#').next().unwrap_or("");
        let mut fields: Vec<&str> = text.split(',').map(|field| field.trim().trim_matches('"').trim()).collect();
        // Spreadsheets make all lines as long as the longest.
        while fields.last().is_some_and(|field| field.is_empty()) {
            fields.pop();
        }
        file.line(line, &fields)?;
    }
    file.finish()
}

/// What has been read.
#[derive(Default)]
struct File {
    graph: Graph,
    /// Each node and the line that it is on.
    nodes: BTreeMap<String, (NodeId, u64)>,
    links: Vec<Link>,
}

struct Link {
    line: u64,
    ends: [String; 2],
    rate: Rate,
    propagation: Duration,
}

impl File {
    fn line(&mut self, line: u64, fields: &[&str]) -> Result<(), TopologyFileError> {
        match *fields {
            [] => Ok(()),
            ["host", name] => self.node(line, name, NodeKind::Host, 0),
            ["host", name, rack] => {
                let rack = rack.parse().map_err(|_| {
                    TopologyFileError::at(
                        line,
                        format!("a rack is a whole number from 0 to {}, not `{rack}`", u32::MAX),
                    )
                })?;
                self.node(line, name, NodeKind::Host, rack)
            }
            ["switch", name] => self.node(line, name, NodeKind::Switch, 0),
            ["link", a, b, rate, propagation] => {
                let rate = Rate::parse(rate).map_err(|error| TopologyFileError::at(line, error.to_string()))?;
                let propagation =
                    Duration::parse(propagation).map_err(|error| TopologyFileError::at(line, error.to_string()))?;
                self.links.push(Link { line, ends: [a.to_owned(), b.to_owned()], rate, propagation });
                Ok(())
            }
            ["host", ..] => Err(TopologyFileError::at(line, "a host is `host,NAME` or `host,NAME,RACK`")),
            ["switch", ..] => Err(TopologyFileError::at(line, "a switch is `switch,NAME`")),
            ["link", ..] => Err(TopologyFileError::at(
                line,
                "a link is `link,A,B,RATE,PROPAGATION`, for example `link,h0,s0,10 Gbps,20 ns`",
            )),
            [kind, ..] => Err(TopologyFileError::at(
                line,
                format!("a line begins with host, switch or link, not with `{kind}`, for example `host,h0`"),
            )),
        }
    }

    fn node(&mut self, line: u64, name: &str, kind: NodeKind, rack: u32) -> Result<(), TopologyFileError> {
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

    fn finish(mut self) -> Result<Graph, TopologyFileError> {
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
