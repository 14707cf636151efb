//! The policy at the links of all switches or of all hosts: one at each link, or one for all links of a node.

use crate::document::{Node, Value};
use crate::error::Result;
use crate::scenario::{Files, NamedPolicy, NodeLinks, Offered, Plan, PortNode};
use forebay_core::{Rate, Seed};
use forebay_sim::net::{Graph, NodeId};

/// The policies for the existing links.
#[derive(Debug, Clone)]
pub(super) enum Stand {
    /// One at each link, by the rate of the link.
    Links(Vec<(Rate, Plan)>),
    /// One for all links of a node, by their rates in the order of [`Graph::links_from`].
    Nodes(Vec<(Vec<Rate>, Plan)>),
}

/// The place in a scenario from which a policy for the links of switches or hosts is read.
pub(super) struct Place<'a> {
    /// The table of the policy.
    pub(super) node: &'a Node,
    /// The field that has the policy.
    pub(super) what: &'static str,
    /// Whether the policy is for hosts.
    pub(super) is_host: bool,
    pub(super) graph: &'a Graph,
}

impl Stand {
    /// Reads the policy for every rate of a link, or for every set of a node's links.
    ///
    /// A policy in OpenQueue is for all links of a node if it has several ports, or a param with their number.
    pub(super) fn read(place: &Place<'_>, offered: &Offered, files: &dyn Files) -> Result<Self> {
        let rates = place.rates();
        let Some(lowest) = rates.first() else { return Ok(Self::Links(Vec::new())) };
        let shapes = place.shapes();
        let (_, example) = shapes.iter().find(|(shape, _)| shape.contains(lowest)).expect("a node has this link");
        let first = place.plan(*lowest, *example, offered, files)?;
        if first.is_of_node() {
            let plans = shapes.into_iter().map(|(shape, node)| {
                let plan = place.plan(shape[0], node, offered, files)?;
                Ok((shape, plan))
            });
            return Ok(Self::Nodes(plans.collect::<Result<_>>()?));
        }
        let others = rates[1..].iter().map(|rate| Ok((*rate, place.plan(*rate, *example, offered, files)?)));
        Ok(Self::Links(std::iter::once(Ok((*lowest, first))).chain(others).collect::<Result<_>>()?))
    }

    /// Returns all plans.
    pub(super) fn plans(&self) -> Vec<&Plan> {
        match self {
            Self::Links(plans) => plans.iter().map(|(_, plan)| plan).collect(),
            Self::Nodes(plans) => plans.iter().map(|(_, plan)| plan).collect(),
        }
    }

    /// Returns the plan of a link.
    pub(super) fn at(&self, graph: &Graph, link: usize) -> &Plan {
        let spec = &graph.links()[link];
        let plan = match self {
            Self::Links(plans) => plans.iter().find(|(rate, _)| *rate == spec.rate).map(|(_, plan)| plan),
            Self::Nodes(plans) => {
                let shape = shape(graph, spec.from);
                plans.iter().find(|(rates, _)| *rates == shape).map(|(_, plan)| plan)
            }
        };
        plan.expect("there is a plan for every link")
    }
}

/// The rates of the links of a node.
fn shape(graph: &Graph, node: NodeId) -> Vec<Rate> {
    graph.links_from(node).iter().map(|link| graph.links()[*link].rate).collect()
}

impl Place<'_> {
    /// The rates of all links, in ascending order.
    fn rates(&self) -> Vec<Rate> {
        let links = self.graph.links().iter().filter(|link| self.graph.is_host(link.from) == self.is_host);
        let mut rates: Vec<Rate> = links.map(|link| link.rate).collect();
        rates.sort_unstable_by_key(|rate| rate.bits_per_second());
        rates.dedup();
        rates
    }

    /// The rates of the links of all nodes that have any, each with the first node that has such links.
    fn shapes(&self) -> Vec<(Vec<Rate>, NodeId)> {
        let mut shapes: Vec<(Vec<Rate>, NodeId)> = Vec::new();
        for (node, _) in (0..).map(NodeId).zip(self.graph.nodes()) {
            let shape = shape(self.graph, node);
            let is_meant = self.graph.is_host(node) == self.is_host && !shape.is_empty();
            if is_meant && !shapes.iter().any(|(known, _)| *known == shape) {
                shapes.push((shape, node));
            }
        }
        shapes
    }

    /// The policy at a link of this rate, or at all links of this node. It was built once, so it can be built.
    fn plan(&self, rate: Rate, at: NodeId, offered: &Offered, files: &dyn Files) -> Result<Plan> {
        let Self { node, what, is_host, graph } = *self;
        if !matches!(node.value, Value::Table(_)) {
            let example = "{ rank = \"arrival\", queue = \"fifo\", buffer = \"100 packets\" }";
            return Err(node.error(format!("{what} must be a table, not a {}: write {example}", node.kind())));
        }
        let table = node.table(what)?;
        if table.get("policy").is_none() {
            table.require("buffer", "buffer = \"100 packets\"")?;
        }
        let rates = shape(graph, at);
        let links = NodeLinks { name: &graph.nodes()[at.index()].name, is_host, rates: &rates };
        let port = PortNode { rate, buffer: None, node, what, policy: what, at: Some(links) };
        let policy = NamedPolicy::read(node, &port, offered, files)?;
        policy.discipline.element(Seed(0), Vec::new())?;
        Ok(policy.discipline)
    }
}

#[cfg(test)]
#[path = "stand_tests.rs"]
mod tests;
