//! Racks of hosts, a leaf switch for each, and spine switches that connect every leaf with every other.
//!
//! ```text
//! spine0  spine1      leaves = 2, spines = 2, hosts_per_leaf = 2: every leaf has a link to every spine
//!   │ ╲  ╱ │
//!   │ ╱  ╲ │
//! leaf0   leaf1
//!  │ │     │ │
//! h0 h1   h2 h3
//! ```
//!
//! Between racks there are as many paths of four links as spines; within one there is one of two. The defaults are the 144 hosts of pFabric
//! (Alizadeh et al., SIGCOMM 2013, §5), where no layer is slower than the one below. SP-PIFO (§6.1) has the same hosts at a tenth of the
//! rates. Papers that count the delay of hosts can put it into `access_propagation`.

use crate::net::graph::Graph;
use crate::net::topology_entry::{TopologyEntry, check_hosts, connect_all};
use crate::net::transport_params::small;
use forebay_core::{About, Exactness, ParamSpec};

/// Leaves, or spines, at most.
const MAX_SWITCHES: u64 = 1_024;

/// The registry's entry for leaves and spines.
pub const ENTRY: TopologyEntry = TopologyEntry {
    about: About {
        name: "leaf-spine",
        title: "Racks of hosts, every rack's switch connected with every spine switch",
        exactness: Exactness::NotApplicable,
        hardware: "leaves + spines switches",
        cost: "leaves · (hosts_per_leaf + spines) links",
        source: "pFabric (SIGCOMM 2013), 5",
        params: &[
            ParamSpec::integer("leaves", 1, MAX_SWITCHES, Some(9), "leaf switches, one per rack"),
            ParamSpec::integer("spines", 1, MAX_SWITCHES, Some(4), "spine switches"),
            ParamSpec::integer("hosts_per_leaf", 1, Graph::MAX_HOSTS as u64, Some(16), "hosts in a rack"),
            ParamSpec::rate("access_rate", "10 Gbps", "rate of a host's link"),
            ParamSpec::rate("core_rate", "40 Gbps", "rate of a link between leaf and spine"),
            ParamSpec::duration("access_propagation", "20 ns", "propagation delay between host and leaf"),
            ParamSpec::duration("core_propagation", "20 ns", "the same between leaf and spine; 20 ns are 4 m of cable"),
        ],
    },
    build: |params| {
        let (leaves, per_leaf) = (small(params, "leaves"), small(params, "hosts_per_leaf"));
        check_hosts(u64::from(leaves) * u64::from(per_leaf), &format!("{leaves} leaves with {per_leaf} hosts each"))?;
        let (access_rate, access) = (params.rate("access_rate"), params.duration("access_propagation"));
        let (core_rate, core) = (params.rate("core_rate"), params.duration("core_propagation"));
        let mut graph = Graph::default();
        let hosts: Vec<_> =
            (0..leaves * per_leaf).map(|number| graph.add_host(format!("h{number}"), number / per_leaf)).collect();
        let leaves: Vec<_> = (0..leaves).map(|leaf| graph.add_switch(format!("leaf{leaf}"))).collect();
        let spines: Vec<_> =
            (0..small(params, "spines")).map(|spine| graph.add_switch(format!("spine{spine}"))).collect();
        for (rack, &leaf) in hosts.chunks(per_leaf as usize).zip(&leaves) {
            connect_all(&mut graph, rack, &[leaf], access_rate, access);
        }
        connect_all(&mut graph, &leaves, &spines, core_rate, core);
        Ok(graph)
    },
};
