//! The topology of a scenario: from the registry, from a file, or from a recording.

use super::recorded::{self, Recorded};
use super::registry_part::Part;
use crate::document::{Node, Value};
use crate::error::{Result, UserError};
use crate::scenario::Files;
use forebay_sim::net::topology::TOPOLOGIES;
use forebay_sim::net::workload::Hosts;
use forebay_sim::net::{Graph, TopologyFileError, read_topology};

/// A graph that is a network, and its hosts.
#[derive(Debug, Clone)]
pub(super) struct Topology {
    /// As the scenario calls it.
    pub(super) name: String,
    pub(super) graph: Graph,
    pub(super) hosts: Hosts,
    /// The topology's flows, if it is made from a recording.
    pub(super) recorded: Option<Recorded>,
}

impl Topology {
    /// Reads `topology = { name = "star", hosts = 8 }` `{ file = "network.txt" }` or `{ recording = "capture.pcap", ... }`.
    pub(super) fn read(node: &Node, files: &dyn Files) -> Result<Self> {
        let mut recorded = None;
        let (name, graph) = if let Some(name) = named(node, "recording")? {
            let (graph, flows) = recorded::read(node, &node.table("`topology`")?, files)?;
            recorded = Some(flows);
            (name.text("recording")?.to_owned(), graph)
        } else if let Some(file) = named(node, "file")? {
            let table = node.table("`topology`")?;
            table.get("file");
            table.finish()?;
            (file.text("file")?.to_owned(), from_file(file, files)?)
        } else {
            let part = Part::read(node, "topology", "topology", TOPOLOGIES)?;
            (part.name().to_owned(), (part.entry.build)(&part.params).map_err(|error| part.error(&error))?)
        };
        graph.check().map_err(|error| node.error(error.to_string()))?;
        let hosts = Hosts::of(&graph).map_err(|error| node.error(error.to_string()))?;
        Ok(Self { name, graph, hosts, recorded })
    }
}

/// The `file` or `recording` of a topology, which then has no name.
fn named<'a>(node: &'a Node, key: &'static str) -> Result<Option<&'a Node>> {
    let Value::Table(_) = node.value else { return Ok(None) };
    let table = node.table("`topology`")?;
    let Some(file) = table.get(key) else { return Ok(None) };
    if table.get("name").is_some() {
        return Err(file.error(format!("give either the `name` of a topology or a `{key}`, not both")));
    }
    Ok(Some(file))
}

fn from_file(node: &Node, files: &dyn Files) -> Result<Graph> {
    let (file, input) = files.open(node.text("file")?).map_err(|error| node.error(error.to_string()))?;
    read_topology(input).map_err(|error| match error {
        TopologyFileError::Line { line, message } => UserError::at_line(file, line, message),
        error => UserError::at(&file, error.to_string()),
    })
}
