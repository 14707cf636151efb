//! A fat-tree of equal switches with `k` ports (Al-Fares, Loukissas and Vahdat, SIGCOMM 2008, §3).
//!
//! `k` pods have `k/2` edge and `k/2` aggregation switches each, all connected with each other; an edge switch has `k/2`
//! hosts, an aggregation switch `k/2` core switches. So there are `k³/4` hosts, `5k²/4` switches, and as much capacity at
//! every layer. `k = 4` are 16 hosts, 8 are 128, 16 are 1,024.
//!
//! `edge0.1` and `agg0.1` are in pod 0; `core1.0` is the first of the cores that the switches `agg*.1` share. Between pods
//! there are `(k/2)²` paths of six links, between racks of one pod `k/2` of four, in a rack one of two. A rack is the
//! hosts of an edge switch.

use crate::net::graph::{Graph, NodeId};
use crate::net::topology_entry::{TopologyEntry, connect_all};
use crate::net::transport_params::small;
use forebay_core::{About, Exactness, ParamError, ParamSpec};

/// Ports of a switch at most: then there are [`Graph::MAX_HOSTS`] hosts.
const MAX_PORTS: u64 = 64;

/// The registry's entry for a fat-tree.
pub const ENTRY: TopologyEntry = TopologyEntry {
    about: About {
        name: "fat-tree",
        title: "Equal switches in three layers, each layer as fast as the hosts",
        exactness: Exactness::NotApplicable,
        hardware: "5k²/4 switches of k ports",
        cost: "3k³/4 links",
        source: "Al-Fares et al. (SIGCOMM 2008), 3",
        params: &[
            ParamSpec::integer("k", 2, MAX_PORTS, Some(4), "ports of a switch, an even number; there are k³/4 hosts"),
            ParamSpec::rate("rate", "10 Gbps", "rate of every link"),
            ParamSpec::duration("propagation", "20 ns", "propagation delay of each link; 20 ns are 4 m of cable"),
        ],
    },
    build: |params| {
        let k = small(params, "k");
        if !k.is_multiple_of(2) {
            let message = format!("`k` must be even, since half of a switch's ports lead up: {} or {}", k - 1, k + 1);
            return Err(ParamError::of("k", format!("{message}, not {k}")));
        }
        let (rate, propagation) = (params.rate("rate"), params.duration("propagation"));
        let half = k / 2;
        let mut graph = Graph::default();
        let hosts: Vec<_> =
            (0..k * half * half).map(|number| graph.add_host(format!("h{number}"), number / half)).collect();
        let mut layer = |name: &str, groups: u32| -> Vec<NodeId> {
            (0..groups * half).map(|at| graph.add_switch(format!("{name}{}.{}", at / half, at % half))).collect()
        };
        let (edges, aggs, cores) = (layer("edge", k), layer("agg", k), layer("core", half));
        let half = half as usize;
        for (rack, &edge) in hosts.chunks(half).zip(&edges) {
            connect_all(&mut graph, rack, &[edge], rate, propagation);
        }
        for (edges, aggs) in edges.chunks(half).zip(aggs.chunks(half)) {
            connect_all(&mut graph, edges, aggs, rate, propagation);
            for (&agg, cores) in aggs.iter().zip(cores.chunks(half)) {
                connect_all(&mut graph, &[agg], cores, rate, propagation);
            }
        }
        Ok(graph)
    },
};
