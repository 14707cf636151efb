//! The routes of packets: shortest paths, one of them for each flow.
//!
//! Equal-cost multi-path: where several links of a node begin a path with the fewest hops, a hash of the flow chooses one. The hash's range
//! is cut into equal parts, one for each link (hash-threshold, RFC 2992). The hash is mixed with the node first, since some paths stay
//! empty if all switches choose by the same hash.
//!
//! A host has one link, so the path to it is the path to its edge, the node at the other end. Tables are per pair of switch and edge, not
//! per pair of nodes: 330 KB for a fat-tree of 1,024 hosts. Finding all paths takes O(edges · links).

use crate::net::flow::HostId;
use crate::net::graph::{Graph, NodeId};
use forebay_core::mix;
use std::collections::{BTreeMap, VecDeque};

/// For every node and every address, the links that begin a shortest path. Hosts have the first addresses.
#[derive(Debug, Clone)]
pub struct Routes {
    /// For each node, where to look.
    places: Vec<Place>,
    /// For each address, how it is reached.
    destinations: Vec<Destination>,
    /// A row for each switch with a column for each edge. Row 0 and column 0 are empty.
    hops: Vec<Hop>,
    /// Links to choose from, all sets one after the other.
    choices: Vec<u32>,
}

/// The position of a node's hops.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The start of the node's row in the table. Hosts use the row of their edge.
    row: usize,
    /// A host's link, which is its only choice.
    access: Option<u32>,
}

/// The path to a host or a switch.
#[derive(Debug, Clone, Copy)]
struct Destination {
    node: NodeId,
    /// The column of its edge; column 0, the empty one, if the link from there is not usable. A switch is its own edge.
    column: u32,
    /// The link from its edge; of a switch there is none.
    last: u32,
}

/// The links from a switch towards an edge.
#[derive(Debug, Clone, Copy, Default)]
struct Hop {
    /// The number of links to choose from; [`Hop::HERE`] at the edge itself.
    count: u32,
    /// The link if there is one; otherwise where the links begin in [`Routes::choices`].
    first: u32,
}

/// The link from a switch to itself.
const NOWHERE: u32 = u32::MAX;

impl Hop {
    /// This is the edge: the link that leads to the host is next.
    const HERE: u32 = u32::MAX;
}

impl Routes {
    /// Finds all shortest paths over the links for which `up` holds. Call this again when `up` changes.
    ///
    /// # Panics
    /// If a host has not exactly one link, which [`Graph::check`] rejects.
    #[must_use]
    pub fn new(graph: &Graph, up: impl Fn(usize) -> bool) -> Self {
        Self::with_switches(graph, &[], up)
    }

    /// As [`new`](Self::new), with an address for each of `switches`, after the addresses of the hosts.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn with_switches(graph: &Graph, switches: &[NodeId], up: impl Fn(usize) -> bool) -> Self {
        let mut edges = Vec::new();
        let mut column_of = vec![0_u32; graph.nodes().len()];
        let mut destinations = Vec::new();
        for &node in graph.hosts() {
            let &[access] = graph.links_from(node) else {
                panic!("host `{}` has exactly one link", graph.nodes()[node.index()].name);
            };
            let (edge, last) = (graph.links()[access].to, Graph::reverse(access));
            if column_of[edge.index()] == 0 {
                edges.push(edge);
                column_of[edge.index()] = small(edges.len());
            }
            let column = if up(last) { column_of[edge.index()] } else { 0 };
            destinations.push(Destination { node, column, last: small(last) });
        }
        for &node in switches {
            let column = &mut column_of[node.index()];
            if *column == 0 {
                edges.push(node);
                *column = small(edges.len());
            }
            destinations.push(Destination { node, column: *column, last: NOWHERE });
        }
        let mut routes = Self { places: Vec::new(), destinations, hops: Vec::new(), choices: Vec::new() };
        routes.fill(graph, &edges, &up);
        routes.place(graph, &edges, &up);
        routes
    }

    /// Writes the table, one column after the other: first the empty column, then the columns of the edges.
    fn fill(&mut self, graph: &Graph, edges: &[NodeId], up: &impl Fn(usize) -> bool) {
        let trunks = Trunks::new(graph, up);
        let rows: Vec<NodeId> = row_nodes(graph, edges).collect();
        let columns = 1 + edges.len();
        self.hops = vec![Hop::default(); (1 + rows.len()) * columns];
        let mut known = vec![BTreeMap::new(); rows.len()];
        let mut set = Vec::new();
        for (column, &edge) in (1..).zip(edges) {
            let hops_to = trunks.distances(edge);
            for ((row, &node), known) in (1..).zip(&rows).zip(&mut known) {
                let here = hops_to[node.index()];
                set.clear();
                // Of two nodes beyond reach neither is nearer.
                let nearer = |head: NodeId| hops_to[head.index()].checked_add(1) == Some(here);
                set.extend(trunks.out[node.index()].iter().filter(|(_, head)| nearer(*head)).map(|(link, _)| link));
                self.hops[row * columns + column] = match set[..] {
                    _ if node == edge => Hop { count: Hop::HERE, first: 0 },
                    [] => Hop::default(),
                    [link] => Hop { count: 1, first: link },
                    _ => Hop { count: small(set.len()), first: self.choices_of(&set, known) },
                };
            }
        }
    }

    /// Returns the start of the choices of `set`. Sets that the node already has are not written again.
    fn choices_of(&mut self, set: &[u32], known: &mut BTreeMap<Vec<u32>, u32>) -> u32 {
        if let Some(&first) = known.get(set) {
            return first;
        }
        let first = small(self.choices.len());
        self.choices.extend(set);
        known.insert(set.to_vec(), first);
        first
    }

    /// Assigns a row to each node. Hosts without their own row get the row of their edge, or the empty row if they are cut off.
    fn place(&mut self, graph: &Graph, edges: &[NodeId], up: &impl Fn(usize) -> bool) {
        let columns = 1 + edges.len();
        self.places = vec![Place::default(); graph.nodes().len()];
        for (row, node) in (1..).zip(row_nodes(graph, edges)) {
            self.places[node.index()].row = row * columns;
        }
        for &node in graph.hosts() {
            let access = graph.links_from(node)[0];
            let edge = graph.links()[access].to;
            // Two hosts with a link between them are each other's edge.
            if !graph.is_host(edge) {
                let row = if up(access) { self.places[edge.index()].row } else { 0 };
                self.places[node.index()] = Place { row, access: Some(small(access)) };
            }
        }
    }

    /// Returns the node to which packets to an address are sent.
    pub(crate) fn node_of(&self, address: HostId) -> NodeId {
        self.destinations[address.index()].node
    }

    /// Returns the link on which a packet to `dst` leaves `node`; [`None`] if there is no path, or `node` is the destination. All packets
    /// with one `flow_hash` take one path; any numbers that differ between flows suffice, as they are mixed here. `flow_hash` is called
    /// only where there are several paths.
    ///
    /// O(1): three loads, or four if there are several paths.
    #[inline]
    #[must_use]
    pub fn next_link(&self, node: NodeId, dst: HostId, flow_hash: impl FnOnce() -> u64) -> Option<usize> {
        let place = self.places[node.index()];
        let destination = self.destinations[dst.index()];
        let hop = self.hops[place.row + destination.column as usize];
        let link = match (hop.count, place.access) {
            (0, _) => return None,
            (_, Some(access)) => return (destination.node != node).then_some(access as usize),
            (1, None) => hop.first,
            (Hop::HERE, None) if destination.last == NOWHERE => return None,
            (Hop::HERE, None) => destination.last,
            (count, None) => self.choices[hop.first as usize + choose(node, flow_hash(), count)],
        };
        Some(link as usize)
    }

    /// Returns the links from `src` to `dst` for flows with `flow_hash`; [`None`] if there is no path. The list is empty from a host to
    /// itself.
    #[must_use]
    pub fn path(&self, graph: &Graph, src: HostId, dst: HostId, flow_hash: u64) -> Option<Vec<usize>> {
        let (mut node, end) = (graph.node_of(src), graph.node_of(dst));
        let mut path = Vec::new();
        while node != end {
            let link = self.next_link(node, dst, || flow_hash)?;
            path.push(link);
            node = graph.links()[link].to;
        }
        Some(path)
    }
}

/// The nodes with a row of their own: switches, and hosts that are the edge of a host.
fn row_nodes(graph: &Graph, edges: &[NodeId]) -> impl Iterator<Item = NodeId> {
    let switches = (0..small(graph.nodes().len())).map(NodeId).filter(|&node| !graph.is_host(node));
    switches.chain(edges.iter().copied().filter(|&edge| graph.is_host(edge)))
}

/// The usable links between switches, which are all that forward to more than one host.
struct Trunks {
    /// For each node, the links that leave it, with their heads.
    out: Vec<Vec<(u32, NodeId)>>,
    /// For each node, the tails of the links that lead to it.
    tails: Vec<Vec<NodeId>>,
}

impl Trunks {
    fn new(graph: &Graph, up: &impl Fn(usize) -> bool) -> Self {
        let nodes = graph.nodes().len();
        let mut trunks = Self { out: vec![Vec::new(); nodes], tails: vec![Vec::new(); nodes] };
        for (link, spec) in (0..).zip(graph.links()) {
            if !graph.is_host(spec.from) && !graph.is_host(spec.to) && up(link) {
                trunks.out[spec.from.index()].push((small(link), spec.to));
                trunks.tails[spec.to.index()].push(spec.from);
            }
        }
        trunks
    }

    /// For each node, the fewest links to `edge`; [`u32::MAX`] if there is no way.
    fn distances(&self, edge: NodeId) -> Vec<u32> {
        let mut hops = vec![u32::MAX; self.tails.len()];
        hops[edge.index()] = 0;
        let mut waiting = VecDeque::from([edge]);
        while let Some(node) = waiting.pop_front() {
            for &previous in &self.tails[node.index()] {
                if hops[previous.index()] == u32::MAX {
                    hops[previous.index()] = hops[node.index()] + 1;
                    waiting.push_back(previous);
                }
            }
        }
        hops
    }
}

/// Returns a number below `count`, each with the same probability, and independent of the numbers at other nodes.
#[expect(clippy::cast_possible_truncation, reason = "the product's upper half is below count")]
fn choose(node: NodeId, flow_hash: u64, count: u32) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = mix(flow_hash ^ GOLDEN.wrapping_mul(u64::from(node.0) + 1));
    ((u128::from(mixed) * u128::from(count)) >> u64::BITS) as usize
}

/// Returns an index in the form of the tables.
fn small(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 nodes and links")
}
