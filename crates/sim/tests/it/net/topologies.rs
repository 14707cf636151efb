//! Every topology of the registry: sizes, paths, capacities, and the parameters that are rejected.

use crate::net::reference::{capacity_gbps, check_routes, host_ids, paths};
use forebay_core::{Duration, Named as _, ParamError, Params, Rate, Seed, registry};
use forebay_sim::net::topology::TOPOLOGIES;
use forebay_sim::net::{Graph, HostId, NodeId, Routes};
use rand::RngExt as _;
use std::collections::BTreeSet;

/// Builds a topology from parameters such as `k=4, rate=1 Gbps`.
pub(crate) fn build(name: &str, params: &str) -> Result<Graph, ParamError> {
    let entry = registry::find("topology", TOPOLOGIES, name).unwrap();
    let given = params.split(", ").filter_map(|param| param.split_once('='));
    (entry.build)(&Params::of_texts(entry.about.params, given)?)
}

fn node(graph: &Graph, name: &str) -> NodeId {
    let place = graph.nodes().iter().position(|node| node.name == name).unwrap();
    NodeId(u32::try_from(place).unwrap())
}

/// The names of a node's neighbours.
fn neighbours(graph: &Graph, name: &str) -> Vec<String> {
    let links = graph.links_from(node(graph, name)).iter();
    links.map(|&link| graph.nodes()[graph.links()[link].to.index()].name.clone()).collect()
}

#[test]
fn every_topology_is_a_network_with_its_hosts_first() {
    for entry in TOPOLOGIES {
        let graph = build(entry.about().name, "").unwrap();
        graph.check().unwrap();
        for host in host_ids(&graph) {
            assert_eq!(graph.node_of(host), NodeId(host.0));
            assert_eq!(graph.nodes()[host.index()].name, format!("h{}", host.0));
        }
    }
}

/// A topology, its parameters, and how many hosts, switches, cables and racks it has.
const SIZES: &[(&str, &str, [usize; 4])] = &[
    ("single-bottleneck", "", [9, 1, 9, 1]),
    ("single-bottleneck", "senders=1", [2, 1, 2, 1]),
    ("single-bottleneck", "senders=65535", [65_536, 1, 65_536, 1]),
    ("dumbbell", "", [16, 2, 17, 2]),
    ("dumbbell", "left=3, right=5", [8, 2, 9, 2]),
    ("star", "", [16, 1, 16, 1]),
    ("star", "hosts=65536", [65_536, 1, 65_536, 1]),
    ("leaf-spine", "", [144, 13, 144 + 36, 9]),
    ("leaf-spine", "leaves=9, spines=16", [144, 25, 144 + 144, 9]),
    ("leaf-spine", "leaves=1024, spines=1, hosts_per_leaf=64", [65_536, 1_025, 65_536 + 1_024, 1_024]),
    ("leaf-spine", "leaves=1, spines=2, hosts_per_leaf=2", [2, 3, 4, 1]),
    ("fat-tree", "k=2", [2, 5, 6, 2]),
    ("fat-tree", "", [16, 20, 48, 8]),
    ("fat-tree", "k=6", [54, 45, 162, 18]),
    ("fat-tree", "k=8", [128, 80, 384, 32]),
    ("fat-tree", "k=16", [1_024, 320, 3_072, 128]),
    ("fat-tree", "k=64", [65_536, 5_120, 196_608, 2_048]),
];

#[test]
fn topologies_have_as_many_nodes_and_links_as_they_should() {
    for &(name, params, [hosts, switches, cables, racks]) in SIZES {
        let graph = build(name, params).unwrap();
        graph.check().unwrap();
        assert_eq!(graph.hosts().len(), hosts, "{name} {params}");
        assert_eq!(graph.nodes().len(), hosts + switches, "{name} {params}");
        assert_eq!(graph.links().len(), 2 * cables, "{name} {params}");
        let seen: BTreeSet<u32> = graph.nodes()[..hosts].iter().map(|node| node.rack).collect();
        assert_eq!(seen.len(), racks, "{name} {params}");
    }
}

#[test]
fn hosts_share_a_rack_if_they_share_a_switch() {
    for &(name, params, _) in SIZES.iter().filter(|(.., [hosts, ..])| *hosts < 200) {
        let graph = build(name, params).unwrap();
        let edge = |host| graph.links()[graph.links_from(graph.node_of(host))[0]].to;
        for (one, other) in host_ids(&graph).zip(host_ids(&graph).skip(1)) {
            let rack = |host: HostId| graph.nodes()[host.index()].rack;
            // The dumbbell's and the single switch's hosts as well.
            assert_eq!(rack(one) == rack(other), edge(one) == edge(other), "{name} {params}");
        }
    }
}

#[test]
fn between_racks_there_are_as_many_paths_as_the_papers_say() {
    for (name, params, src, dst, wanted) in [
        ("single-bottleneck", "senders=5", 0, 5, (1, 2)),
        ("star", "", 3, 4, (1, 2)),
        ("dumbbell", "left=2, right=2", 0, 1, (1, 2)),
        ("dumbbell", "left=2, right=2", 0, 2, (1, 3)),
        ("leaf-spine", "", 0, 15, (1, 2)),
        ("leaf-spine", "", 0, 16, (4, 4)),
        ("leaf-spine", "spines=16", 143, 0, (16, 4)),
        ("fat-tree", "k=2", 0, 1, (1, 6)),
        // In the rack, in the pod, in another pod.
        ("fat-tree", "k=4", 0, 1, (1, 2)),
        ("fat-tree", "k=4", 0, 2, (2, 4)),
        ("fat-tree", "k=4", 0, 4, (4, 6)),
        ("fat-tree", "k=8", 0, 3, (1, 2)),
        ("fat-tree", "k=8", 0, 4, (4, 4)),
        ("fat-tree", "k=8", 127, 0, (16, 6)),
    ] {
        let graph = build(name, params).unwrap();
        let (src, dst) = (HostId(src), HostId(dst));
        assert_eq!(paths(&graph, src, dst), wanted, "{name} {params} {src:?} {dst:?}");
        // Routes take all of them.
        let routes = Routes::new(&graph, |_| true);
        let taken: BTreeSet<_> = (0..1_000).map(|flow| routes.path(&graph, src, dst, flow).unwrap()).collect();
        assert_eq!(taken.len(), wanted.0);
    }
}

#[test]
fn routes_of_topologies_are_all_shortest_paths_with_failures_too() {
    let mut rng = Seed(4).stream("topologies");
    for &(name, params, _) in SIZES.iter().filter(|(.., [hosts, ..])| *hosts < 20) {
        let graph = build(name, params).unwrap();
        for failing in [0.0, 0.05, 0.3] {
            let up: Vec<bool> = graph.links().iter().map(|_| !rng.random_bool(failing)).collect();
            check_routes(&graph, &Routes::new(&graph, |link| up[link]), &up);
        }
    }
}

#[test]
fn half_of_the_hosts_can_send_to_the_others_what_the_cut_between_them_carries() {
    for (name, params, first, wanted) in [
        ("star", "hosts=16", 8, 80),
        ("single-bottleneck", "senders=8, rate=5 Gbps", 8, 5),
        ("dumbbell", "left=3, right=3, bottleneck_rate=25 Gbps", 3, 25),
        // Four racks against five: 640 Gbps from the hosts, and as much from their switches.
        ("leaf-spine", "", 64, 640),
        ("leaf-spine", "spines=2", 64, 320),
        ("leaf-spine", "core_rate=100 Gbps", 64, 640),
        // The whole of what they can send, at every layer.
        ("fat-tree", "k=4", 8, 80),
        ("fat-tree", "k=6, rate=1 Gbps", 27, 27),
        ("fat-tree", "k=8", 64, 640),
    ] {
        let graph = build(name, params).unwrap();
        assert_eq!(capacity_gbps(&graph, |host| host.0 < first), wanted, "{name} {params}");
    }
    let graph = build("fat-tree", "k=4").unwrap();
    assert_eq!(capacity_gbps(&graph, |host| host.0 % 2 == 0), 80, "every second host");
}

#[test]
fn parameters_are_found_again_at_the_links() {
    let link = |graph: &Graph, name: &str| {
        let place = (0..graph.links().len()).find(|&link| graph.link_name(link) == name).unwrap();
        (graph.links()[place].rate, graph.links()[place].propagation)
    };
    let gbps = |rate: u64| Rate::from_bits_per_second(rate * 1_000_000_000).unwrap();

    let graph = build("single-bottleneck", "senders=2, access_rate=3 Gbps, rate=2 Gbps, propagation=5 ns").unwrap();
    assert_eq!(link(&graph, "h1>switch"), (gbps(3), Duration::from_ns(5)));
    assert_eq!(link(&graph, "switch>h2"), (gbps(2), Duration::from_ns(5)));

    let params = "left=1, right=1, access_rate=3 Gbps, bottleneck_rate=2 Gbps, access_propagation=5 ns, \
        bottleneck_propagation=10 ms";
    let graph = build("dumbbell", params).unwrap();
    assert_eq!(link(&graph, "right>h1"), (gbps(3), Duration::from_ns(5)));
    assert_eq!(link(&graph, "left>right"), (gbps(2), Duration::from_ms(10)));

    let params = "access_rate=1 Gbps, core_rate=4 Gbps, access_propagation=5 ns, core_propagation=100 ns";
    let graph = build("leaf-spine", params).unwrap();
    assert_eq!(link(&graph, "h143>leaf8"), (gbps(1), Duration::from_ns(5)));
    assert_eq!(link(&graph, "spine3>leaf8"), (gbps(4), Duration::from_ns(100)));

    let graph = build("fat-tree", "rate=1 Gbps, propagation=5 ns").unwrap();
    assert!(graph.links().iter().all(|link| (link.rate, link.propagation) == (gbps(1), Duration::from_ns(5))));
}

#[test]
fn a_fat_tree_is_wired_as_in_the_paper() {
    let graph = build("fat-tree", "k=4").unwrap();
    assert_eq!(neighbours(&graph, "edge1.0"), ["h4", "h5", "agg1.0", "agg1.1"]);
    assert_eq!(neighbours(&graph, "agg2.1"), ["edge2.0", "edge2.1", "core1.0", "core1.1"]);
    assert_eq!(neighbours(&graph, "core1.0"), ["agg0.1", "agg1.1", "agg2.1", "agg3.1"]);
    let graph = build("fat-tree", "k=6").unwrap();
    for switch in graph.nodes().iter().skip(graph.hosts().len()) {
        let neighbours = neighbours(&graph, &switch.name);
        assert_eq!(neighbours.iter().collect::<BTreeSet<_>>().len(), 6, "{}", switch.name);
    }
}

#[test]
fn nonsense_is_refused_with_what_would_be_right() {
    for (name, params, message) in [
        ("fat-tree", "k=5", "`k` must be even, since half of a switch's ports lead up: 4 or 6, not 5"),
        ("fat-tree", "k=0", "`k` must be a whole number from 2 to 64, not 0"),
        ("fat-tree", "k=66", "`k` must be a whole number from 2 to 64, not 66"),
        ("fat-tree", "rate=fast", "`rate`: `fast` is not a rate"),
        ("star", "hosts=1", "`hosts` must be a whole number from 2 to 65536, not 1"),
        ("star", "propagation=10 m", "`propagation`: `10 m` is not a duration"),
        ("star", "host=4", "unknown parameter `host`; did you mean `hosts`?"),
        ("single-bottleneck", "senders=0", "`senders` must be a whole number from 1 to 65535, not 0"),
        ("single-bottleneck", "rate=0 Gbps", "`rate`: a rate must be at least 1 bps"),
        (
            "dumbbell",
            "left=40000, right=40000",
            "40000 hosts on the left and 40000 on the right: a network has from 2 to 65536 hosts, not 80000",
        ),
        (
            "leaf-spine",
            "leaves=1000, hosts_per_leaf=1000",
            "1000 leaves with 1000 hosts each: a network has from 2 to 65536 hosts, not 1000000",
        ),
        (
            "leaf-spine",
            "leaves=1, hosts_per_leaf=1",
            "1 leaves with 1 hosts each: a network has from 2 to 65536 hosts, not 1",
        ),
        ("leaf-spine", "spines=0", "`spines` must be a whole number from 1 to 1024, not 0"),
    ] {
        let error = build(name, params).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}
