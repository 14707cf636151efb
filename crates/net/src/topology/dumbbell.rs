//! Two groups of hosts with one link between them.
//!
//! ```text
//! h0 ── left ──bottleneck── right ── h2      left = 2, right = 2
//! h1 ──┘                      └── h3
//! ```
//!
//! Hosts on the left come first; each side is a rack.

use crate::graph::Graph;
use crate::topology_entry::{TopologyEntry, check_hosts, connect_all, count, count_param, duration, rate, text_param};
use forebay_core::{About, Exactness};

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
            count_param("left", 1, Graph::MAX_HOSTS as u64 - 1, 8, "hosts on the left"),
            count_param("right", 1, Graph::MAX_HOSTS as u64 - 1, 8, "hosts on the right"),
            text_param("access_rate", "10 Gbps", "rate of a host's link"),
            text_param("bottleneck_rate", "10 Gbps", "rate of the link between the switches"),
            text_param("access_propagation", "20 ns", "how long a bit is on the way between host and switch"),
            text_param("bottleneck_propagation", "1 us", "the same between the switches; 1 us are 200 m of fibre"),
        ],
    },
    build: |params| {
        let (left, right) = (count(params, "left")?, count(params, "right")?);
        check_hosts(u64::from(left) + u64::from(right), &format!("{left} hosts on the left and {right} on the right"))?;
        let (access_rate, access) = (rate(params, "access_rate")?, duration(params, "access_propagation")?);
        let (middle_rate, middle) = (rate(params, "bottleneck_rate")?, duration(params, "bottleneck_propagation")?);
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
