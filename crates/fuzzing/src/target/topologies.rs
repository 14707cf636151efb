//! Topology files: a graph that passes its own check, or a message.

use super::FuzzTarget;
use crate::chunked_input::check_message;
use forebay_sim::net::read_topology;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "topologies",
    title: "Any text is a network that can be used, or has a message",
    seeds: || SAMPLES.iter().map(|text| text.as_bytes().to_vec()).collect(),
    run,
    quick: 30_000,
};

const SAMPLES: &[&str] = &[
    "# Two hosts.\nhost,h0\nhost,h1,1\nswitch,s\nlink,h0,s,10 Gbps,20 ns\nlink,s,h1,2.5 Gbps,20 ns\n",
    "link,a,s,1 Gbps,1 us\nlink,s,t,1 Gbps,1 us\nlink,s,t,1 Gbps,1 us\nlink,t,b,1 Gbps,1 us\nswitch,s\nswitch,t\nhost,a\nhost,b\n",
    "5 2 4\n3 4\n0 3 100Gbps 0.001ms 0\n1 3 100Gbps 1000ns 0\n2 4 25Gbps 1us 0.0\n3 4 400Gbps 0.001ms 0\n",
    "Nodes 4\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 10\nRadix_Down 2\nRadix_Up 2\nDownlink_Latency_ns 100\nSwitch_Latency_ns 5\nTier 1\nDownlink_speed_Gbps 10\nRadix_Down 2\nDownlink_Latency_ns 200\n",
];

fn run(data: &[u8]) {
    match read_topology(data) {
        Ok(graph) => graph.check().unwrap_or_else(|error| panic!("a graph that was read is rejected: {error}")),
        Err(error) => check_message(&error.to_string()),
    }
}
