//! Many senders, one receiver: all traffic waits at one output port.
//!
//! ```text
//! h0 ── switch ──rate── h2      senders = 2: `h0` and `h1`; the receiver is the last host
//! h1 ──┘
//! ```
//!
//! `n` senders are `n + 1` hosts and one switch. Policies differ at the port `switch>h2`.

use crate::net::graph::Graph;
use crate::net::topology_entry::{TopologyEntry, connect_all};
use crate::net::transport_params::small;
use forebay_core::{About, Exactness, ParamSpec};

/// The registry's entry for a single bottleneck.
pub const ENTRY: TopologyEntry = TopologyEntry {
    about: About {
        name: "single-bottleneck",
        title: "Senders at a switch that has one link to the receiver",
        exactness: Exactness::NotApplicable,
        hardware: "one switch",
        cost: "senders + 1 links",
        source: "the usual first experiment with a queue",
        params: &[
            ParamSpec::integer("senders", 1, Graph::MAX_HOSTS as u64 - 1, Some(8), "hosts that send"),
            ParamSpec::rate("access_rate", "10 Gbps", "rate of a sender's link"),
            ParamSpec::rate("rate", "10 Gbps", "rate of the receiver's link, the bottleneck"),
            ParamSpec::duration("propagation", "20 ns", "propagation delay of each link; 20 ns are 4 m of cable"),
        ],
    },
    build: |params| {
        let senders = small(params, "senders");
        let (access_rate, bottleneck) = (params.rate("access_rate"), params.rate("rate"));
        let propagation = params.duration("propagation");
        let mut graph = Graph::default();
        let hosts: Vec<_> = (0..senders).map(|number| graph.add_host(format!("h{number}"), 0)).collect();
        let receiver = graph.add_host(format!("h{senders}"), 0);
        let switch = graph.add_switch("switch");
        connect_all(&mut graph, &hosts, &[switch], access_rate, propagation);
        graph.connect(switch, receiver, bottleneck, propagation);
        Ok(graph)
    },
};
