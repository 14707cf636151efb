//! Flow lists: flows between hosts of a network, or a message.

use super::FuzzTarget;
use crate::chunked_input::shown;
use forebay_core::Duration;
use forebay_sim::net::read_topology;
use forebay_sim::net::workload::{Hosts, read_flows};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "flow_list",
    title: "Any text is flows between hosts of a network, or has a message",
    seeds: || SAMPLES.iter().map(|text| text.as_bytes().to_vec()).collect(),
    run,
    quick: 50_000,
};

const SAMPLES: &[&str] = &[
    "flow_id,src,dst,size_bytes,start_ns\n0,0,1,200000,0\n1,h1,h2,2000000,166074.25\n",
    "start_ns,src,dst,size_bytes\n0,h0,h1,endless\n18446744073709551,2,0,1\n",
    "policy,repetition,flow,src,dst,start,size\na,0,0,h0,h1,0.001,5000\na,0,1,h1,h0,0.002,\n",
    "2\n0 1 3 100 200000 2.000000000\n1 2 3 100 1000 2.000010000\n",
    "Nodes 3\nConnections 2\n1->2 id 1 start 0 size 2000000\n0->1 id 2 start 5000000 size 4096\n",
];

const TOPOLOGY: &str =
    "host,h0\nhost,h1\nhost,h2\nswitch,s\nlink,h0,s,1 Gbps,1 us\nlink,h1,s,1 Gbps,1 us\nlink,h2,s,1 Gbps,1 us\n";

fn run(data: &[u8]) {
    let graph = read_topology(TOPOLOGY.as_bytes()).expect("a star");
    let hosts = Hosts::of(&graph).expect("three hosts");
    // The unit is known, or a file that leaves it open is rejected.
    let start_unit = data.first().filter(|byte| **byte == b'N').map(|_| Duration::from_ps(1));
    match read_flows(data, &hosts, 0, start_unit) {
        Ok(replay) => {
            assert!(replay.flows().is_sorted_by_key(|flow| flow.start));
            assert!(replay.flows().iter().all(|flow| flow.src != flow.dst && flow.bytes > 0));
        }
        Err(error) => {
            shown(error);
        }
    }
}
