//! Hosts around one switch: any of them may be a bottleneck, and no path has a choice.
//!
//! With equal rates, it is the ideal for a fabric of many switches: one large switch.

use crate::net::graph::Graph;
use crate::net::topology_entry::{TopologyEntry, connect_all};
use crate::net::transport_params::small;
use forebay_core::{About, Exactness, ParamSpec};

/// The registry's entry for a star.
pub const ENTRY: TopologyEntry = TopologyEntry {
    about: About {
        name: "star",
        title: "Hosts around one switch",
        exactness: Exactness::NotApplicable,
        hardware: "one switch",
        cost: "one link per host",
        source: "the one large switch that fabrics are compared with",
        params: &[
            ParamSpec::integer("hosts", 2, Graph::MAX_HOSTS as u64, Some(16), "hosts"),
            ParamSpec::rate("rate", "10 Gbps", "rate of a host's link"),
            ParamSpec::duration("propagation", "20 ns", "propagation delay of each link; 20 ns are 4 m of cable"),
        ],
    },
    build: |params| {
        let (rate, propagation) = (params.rate("rate"), params.duration("propagation"));
        let mut graph = Graph::default();
        let hosts: Vec<_> = (0..small(params, "hosts")).map(|number| graph.add_host(format!("h{number}"), 0)).collect();
        let switch = graph.add_switch("switch");
        connect_all(&mut graph, &hosts, &[switch], rate, propagation);
        Ok(graph)
    },
};
