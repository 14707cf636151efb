//! Links by name: `leaf0>spine1` is one direction, `leaf0-spine1` both.

use crate::document::Node;
use crate::error::Result;
use forebay_core::registry::suggest;
use forebay_sim::net::Graph;

/// Above this, a message does not list all names.
const MAX_NAMES_LISTED: usize = 16;

/// Returns the name of the last link as an example; in most topologies it leads to a host.
pub(super) fn example(graph: &Graph) -> String {
    graph.link_name(graph.links().len() - 1)
}

/// Returns the directed links of a name: one for each link that joins these nodes.
pub(super) fn directed(node: &Node, what: &str, graph: &Graph) -> Result<Vec<usize>> {
    find(node, what, graph, |link, name| graph.link_name(link) == name)
}

/// Returns the directed links of a name, which may include both directions. Names of nodes have no `>`, but may have a `-`, so that `a-b-c`
/// may join `a` with `b-c` or `a-b` with `c`; if both exist, the name is rejected.
pub(super) fn either(node: &Node, what: &str, graph: &Graph) -> Result<Vec<usize>> {
    let found = find(node, what, graph, |link, name| {
        graph.link_name(link) == name
            || [link, Graph::reverse(link)].iter().any(|&link| undirected(graph, link) == name)
    })?;
    let ends = |link: usize| {
        let link = &graph.links()[link];
        (link.from.min(link.to), link.from.max(link.to))
    };
    match found.iter().find(|&&link| ends(link) != ends(found[0])) {
        None => Ok(found),
        Some(&other) => Err(node.error(format!(
            "`{}` may be `{}` or `{}`; give each direction by itself, with `>`",
            node.text(what)?,
            graph.link_name(found[0]),
            graph.link_name(other)
        ))),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Value;
    use crate::error::Place;
    use forebay_core::{Duration, Rate};

    #[test]
    fn names_with_hyphens_that_may_be_two_links_are_refused() {
        let mut graph = Graph::default();
        let [a, ab, bc, c] = ["a", "a-b", "b-c", "c"].map(|name| graph.add_switch(name));
        let rate = Rate::parse("1 Gbps").unwrap();
        graph.connect(a, bc, rate, Duration::ZERO);
        graph.connect(a, c, rate, Duration::ZERO);
        graph.connect(a, c, rate, Duration::ZERO);
        let named = |name: &str, graph: &Graph| {
            let node =
                Node { value: Value::Text(name.to_owned()), place: Place::Setting("link".to_owned()), field: None };
            either(&node, "link", graph).map_err(|error| error.to_string())
        };
        assert_eq!(named("a-b-c", &graph), Ok(vec![0, 1]));
        assert_eq!(named("c-a", &graph), Ok(vec![2, 3, 4, 5]), "two links between the same nodes");
        graph.connect(ab, c, rate, Duration::ZERO);
        let error = named("a-b-c", &graph).unwrap_err();
        assert!(error.contains("`a-b-c` may be `a>b-c` or `a-b>c`"), "{error}");
        assert_eq!(named("a>b-c", &graph), Ok(vec![0]));
    }
}
