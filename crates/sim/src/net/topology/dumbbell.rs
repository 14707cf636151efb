//! Two groups of hosts with one link between them.
//!
//! ```text
//! h0 ── left ──bottleneck── right ── h2      left = 2, right = 2
//! h1 ──┘                      └── h3
//! ```
//!
//! Hosts on the left have the first numbers; each side is a rack.

use crate::net::graph::Graph;
use crate::net::topology_entry::{TopologyEntry, check_hosts, connect_all};
use crate::net::transport_params::small;
use forebay_core::{About, Exactness, ParamSpec};

/// The registry's entry for a dumbbell.
pub const ENTRY: TopologyEntry = TopologyEntry {
    about: About {
        name: "dumbbell",
        title: "Two groups of hosts with one link between their switches",
        exactness: Exactness::NotApplicable,
        hardware: "two switches",
        cost: "left + right + 1 links",
        source: "the usual experiment with congestion control",
        params: &[
            ParamSpec::integer("left", 1, Graph::MAX_HOSTS as u64 - 1, Some(8), "hosts on the left"),
            ParamSpec::integer("right", 1, Graph::MAX_HOSTS as u64 - 1, Some(8), "hosts on the right"),
            ParamSpec::rate("access_rate", "10 Gbps", "rate of a host's link"),
            ParamSpec::rate("bottleneck_rate", "10 Gbps", "rate of the link between the switches"),
            ParamSpec::duration("access_propagation", "20 ns", "propagation delay between host and switch"),
            ParamSpec::duration(
                "bottleneck_propagation",
                "1 us",
                "the same between the switches; 1 us are 200 m of fibre",
            ),
        ],
    },
    build: |params| {
        let (left, right) = (small(params, "left"), small(params, "right"));
        check_hosts(u64::from(left) + u64::from(right), &format!("{left} hosts on the left and {right} on the right"))?;
        let (access_rate, access) = (params.rate("access_rate"), params.duration("access_propagation"));
        let (middle_rate, middle) = (params.rate("bottleneck_rate"), params.duration("bottleneck_propagation"));
        let mut graph = Graph::default();
        let hosts: Vec<_> =
            (0..left + right).map(|number| graph.add_host(format!("h{number}"), u32::from(number >= left))).collect();
        let switches = [graph.add_switch("left"), graph.add_switch("right")];
        let (left, right) = hosts.split_at(left as usize);
        connect_all(&mut graph, left, &switches[..1], access_rate, access);
        connect_all(&mut graph, right, &switches[1..], access_rate, access);
        graph.connect(switches[0], switches[1], middle_rate, middle);
        Ok(graph)
    },
};
