//! Links by name: `leaf0>spine1` is one direction, `leaf0-spine1` both.

use crate::document::Node;
use crate::error::Result;
use forebay_core::registry::suggest;
use forebay_net::Graph;

/// Above this, a message does not list all names.
const MAX_NAMES_LISTED: usize = 16;

/// A name that there is, to show: that of the last link, which in most topologies leads to a host.
pub(super) fn example(graph: &Graph) -> String {
    graph.link_name(graph.links().len() - 1)
}

/// The directed links of a name: one for each that joins these nodes.
pub(super) fn directed(node: &Node, what: &str, graph: &Graph) -> Result<Vec<usize>> {
    find(node, what, graph, |link, name| graph.link_name(link) == name)
}

/// The directed links of a name, which may stand for both directions.
pub(super) fn either(node: &Node, what: &str, graph: &Graph) -> Result<Vec<usize>> {
    find(node, what, graph, |link, name| {
        graph.link_name(link) == name
            || [link, Graph::reverse(link)].iter().any(|&link| undirected(graph, link) == name)
    })
}

fn undirected(graph: &Graph, link: usize) -> String {
    let link = &graph.links()[link];
    let [from, to] = [link.from, link.to].map(|node| graph.nodes()[node.index()].name.as_str());
    format!("{from}-{to}")
}

fn find(node: &Node, what: &str, graph: &Graph, is_meant: impl Fn(usize, &str) -> bool) -> Result<Vec<usize>> {
    let name = node.text(what)?;
    let all = 0..graph.links().len();
    let found: Vec<usize> = all.clone().filter(|&link| is_meant(link, name)).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let hint = if all.len() <= MAX_NAMES_LISTED {
        let names: Vec<String> = all.map(|link| graph.link_name(link)).collect();
        suggest(name, names.iter().map(String::as_str))
    } else {
        format!("; links have names like `{}`", example(graph))
    };
    Err(node.error(format!("there is no link `{name}`{hint}")))
}
