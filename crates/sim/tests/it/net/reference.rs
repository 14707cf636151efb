//! Shortest paths written so that one believes them at a glance, and what follows from them.

use forebay_sim::net::{Graph, HostId, NodeId, Routes};
use std::collections::BTreeSet;

pub(crate) fn host_ids(graph: &Graph) -> impl Iterator<Item = HostId> {
    (0..u32::try_from(graph.hosts().len()).unwrap()).map(HostId)
}

pub(crate) fn node_ids(graph: &Graph) -> impl Iterator<Item = NodeId> {
    (0..u32::try_from(graph.nodes().len()).unwrap()).map(NodeId)
}

/// Hops from every node to `end`, where hosts forward nothing: lowers values that are too high until none is.
pub(crate) fn hops_to(graph: &Graph, end: NodeId, up: &[bool]) -> Vec<Option<u32>> {
    let mut hops = vec![None; graph.nodes().len()];
    hops[end.index()] = Some(0);
    loop {
        let before = hops.clone();
        for (link, spec) in graph.links().iter().enumerate() {
            let forwards = spec.to == end || !graph.is_host(spec.to);
            if let Some(rest) = hops[spec.to.index()].filter(|_| up[link] && forwards) {
                let hops = &mut hops[spec.from.index()];
                *hops = Some(hops.map_or(rest + 1, |hops: u32| hops.min(rest + 1)));
            }
        }
        if hops == before {
            return hops;
        }
    }
}

/// The links that the reference allows.
pub(crate) fn allowed(graph: &Graph, node: NodeId, end: NodeId, hops: &[Option<u32>], up: &[bool]) -> BTreeSet<usize> {
    let is_allowed = |&link: &usize| {
        let spec = graph.links()[link];
        let forwards = spec.to == end || !graph.is_host(spec.to);
        let rest = hops[spec.to.index()].filter(|_| forwards && up[link] && spec.from == node);
        rest.is_some_and(|rest| hops[node.index()] == Some(rest + 1))
    };
    (0..graph.links().len()).filter(is_allowed).collect()
}

/// Asserts that `routes` has exactly the links of all shortest paths. Returns how often there is a choice, and how often
/// no way.
pub(crate) fn check_routes(graph: &Graph, routes: &Routes, up: &[bool]) -> (u32, u32) {
    let (mut with_choice, mut without_way) = (0, 0);
    for dst in host_ids(graph) {
        let end = graph.node_of(dst);
        let hops = hops_to(graph, end, up);
        for node in node_ids(graph) {
            let wanted = allowed(graph, node, end, &hops, up);
            // 40 tries for each choice miss one of them once in 10^17.
            let tries = 40 * wanted.len().max(1) as u64;
            let taken: BTreeSet<usize> = (0..tries).filter_map(|flow| routes.next_link(node, dst, || flow)).collect();
            assert_eq!(taken, wanted, "from {node:?} to {end:?} in {graph:?}, {up:?}");
            with_choice += u32::from(wanted.len() > 1);
            without_way += u32::from(wanted.is_empty() && node != end);
        }
    }
    (with_choice, without_way)
}

/// How many shortest paths there are, and how many links they have.
pub(crate) fn paths(graph: &Graph, src: HostId, dst: HostId) -> (usize, u32) {
    let (start, end) = (graph.node_of(src), graph.node_of(dst));
    let up = vec![true; graph.links().len()];
    let hops = hops_to(graph, end, &up);
    let length = hops[start.index()].unwrap();
    let mut reached = vec![start];
    for _ in 0..length {
        let links = reached.iter().flat_map(|&node| allowed(graph, node, end, &hops, &up));
        reached = links.map(|link| graph.links()[link].to).collect();
    }
    (reached.len(), length)
}

/// The most that hosts can send in all, in units of 1 Gbps, when those for which `is_source` holds send to the others. It is a maximum
/// flow, found by paths along which more can flow.
pub(crate) fn capacity_gbps(graph: &Graph, is_source: impl Fn(HostId) -> bool) -> u64 {
    let mut left: Vec<u64> = graph.links().iter().map(|link| link.rate.bits_per_second() / 1_000_000_000).collect();
    let mut sum = 0;
    loop {
        let mut by: Vec<Option<usize>> = vec![None; graph.nodes().len()];
        let sources = host_ids(graph).filter(|&host| is_source(host)).map(|host| graph.node_of(host));
        let sources: BTreeSet<NodeId> = sources.collect();
        let is_sink = |node: NodeId| graph.is_host(node) && !sources.contains(&node);
        let mut waiting: Vec<NodeId> = sources.iter().copied().collect();
        let mut sink = None;
        while let Some(node) = waiting.pop() {
            if is_sink(node) {
                sink = Some(node);
                break;
            }
            for &link in graph.links_from(node) {
                let next = graph.links()[link].to;
                if left[link] > 0 && by[next.index()].is_none() && !sources.contains(&next) {
                    by[next.index()] = Some(link);
                    waiting.push(next);
                }
            }
        }
        let Some(sink) = sink else { return sum };
        let mut path = Vec::new();
        let mut node = sink;
        while let Some(link) = by[node.index()] {
            path.push(link);
            node = graph.links()[link].from;
        }
        let more = path.iter().map(|&link| left[link]).min().unwrap();
        for link in path {
            left[link] -= more;
            left[Graph::reverse(link)] += more;
        }
        sum += more;
    }
}
