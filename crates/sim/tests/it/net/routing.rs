//! Routes against distances found by repetition, on random graphs with failures; and how flows spread.

use crate::net::reference::{check_routes, hops_to, host_ids};
use forebay_core::{Duration, Rate, Rng, Seed};
use forebay_sim::net::{Graph, HostId, NodeId, NodeKind, Routes};
use rand::RngExt as _;

fn connect(graph: &mut Graph, a: NodeId, b: NodeId) {
    graph.connect(a, b, Rate::parse("10 Gbps").unwrap(), Duration::from_ns(10));
}

/// Hosts and switches in any order, with parallel links, parts that are apart, and sometimes two hosts on one cable.
fn random_graph(rng: &mut Rng) -> Graph {
    let mut graph = Graph::default();
    let mut switches = Vec::new();
    let mut hosts = Vec::new();
    for place in 0..rng.random_range(4..20) {
        if place < 3 || rng.random_bool(0.5) {
            hosts.push(graph.add_node(format!("h{place}"), NodeKind::Host, 0));
        } else {
            switches.push(graph.add_node(format!("s{place}"), NodeKind::Switch, 0));
        }
    }
    if switches.is_empty() {
        switches.push(graph.add_node("s", NodeKind::Switch, 0));
    }
    if rng.random_bool(0.2) {
        let (one, other) = (hosts.pop().unwrap(), hosts.pop().unwrap());
        connect(&mut graph, one, other);
    }
    for host in hosts {
        let edge = switches[rng.random_range(0..switches.len())];
        let (one, other) = if rng.random_bool(0.5) { (host, edge) } else { (edge, host) };
        connect(&mut graph, one, other);
    }
    for _ in 0..rng.random_range(0..=switches.len() * 3) {
        let (one, other) = (rng.random_range(0..switches.len()), rng.random_range(0..switches.len()));
        if one != other {
            connect(&mut graph, switches[one], switches[other]);
        }
    }
    graph
}

#[test]
fn routes_are_all_shortest_paths_and_no_others() {
    let mut rng = Seed(1).stream("routing");
    let (mut with_choice, mut without_way) = (0, 0);
    for _ in 0..400 {
        let graph = random_graph(&mut rng);
        let failing = [0.0, 0.1, 0.5][rng.random_range(0..3)];
        let up: Vec<bool> = graph.links().iter().map(|_| !rng.random_bool(failing)).collect();
        let routes = Routes::new(&graph, |link| up[link]);
        let (choices, no_ways) = check_routes(&graph, &routes, &up);
        with_choice += choices;
        without_way += no_ways;
    }
    assert!(with_choice > 1_000 && without_way > 1_000, "{with_choice}, {without_way}");
}

#[test]
fn paths_lead_from_end_to_end_in_the_fewest_hops() {
    let mut rng = Seed(2).stream("routing");
    for _ in 0..100 {
        let graph = random_graph(&mut rng);
        let up: Vec<bool> = graph.links().iter().map(|_| !rng.random_bool(0.1)).collect();
        let routes = Routes::new(&graph, |link| up[link]);
        for dst in host_ids(&graph) {
            let hops = hops_to(&graph, graph.node_of(dst), &up);
            for src in host_ids(&graph) {
                let path = routes.path(&graph, src, dst, rng.random());
                let length = path.as_ref().map(|path| u32::try_from(path.len()).unwrap());
                assert_eq!(length, hops[graph.node_of(src).index()]);
                let mut node = graph.node_of(src);
                for link in path.into_iter().flatten() {
                    assert!(up[link] && graph.links()[link].from == node);
                    node = graph.links()[link].to;
                }
                assert!(length.is_none() || node == graph.node_of(dst));
            }
        }
    }
}

/// Two hosts with switches in between, `width` links from each to the next.
fn chain(width: usize, switches: usize) -> Graph {
    let mut graph = Graph::default();
    let src = graph.add_node("h0", NodeKind::Host, 0);
    let mut last = src;
    for number in 0..switches {
        let next = graph.add_node(format!("s{number}"), NodeKind::Switch, 0);
        for _ in 0..if number == 0 { 1 } else { width } {
            connect(&mut graph, last, next);
        }
        last = next;
    }
    let dst = graph.add_node("h1", NodeKind::Host, 0);
    connect(&mut graph, last, dst);
    graph
}

/// Pearson's statistic of counts that should be equal.
fn unevenness(counts: &[u32]) -> f64 {
    let mean = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum()
}

/// Far above what chance gives: the mean of a chi-squared variable and ten standard deviations more.
fn limit(counts: usize) -> f64 {
    let freedom = counts as f64 - 1.0;
    freedom + 10.0 * (2.0 * freedom).sqrt()
}

#[test]
fn flows_spread_evenly_and_independently_at_successive_switches() {
    const FLOWS: u64 = 60_000;
    let mut rng = Seed(3).stream("routing");
    // Numbers in a row, in the upper half, with equal last bits, and without a pattern: all spread.
    let drawn: Vec<u64> = (0..FLOWS).map(|_| rng.random()).collect();
    let hashes: [&dyn Fn(u64) -> u64; 4] =
        [&|flow| flow, &|flow| flow << 40, &|flow| flow * 64, &|flow| drawn[usize::try_from(flow).unwrap()]];
    for width in [2, 3, 5, 8] {
        let graph = chain(width, 3);
        graph.check().unwrap();
        let routes = Routes::new(&graph, |_| true);
        for hash in hashes {
            let (mut first, mut both) = (vec![0_u32; width], vec![0_u32; width * width]);
            for flow in 0..FLOWS {
                let path = routes.path(&graph, HostId(0), HostId(1), hash(flow)).unwrap();
                let offset = |hop: usize| (path[hop] / 2 - 1) % width;
                first[offset(1)] += 1;
                both[offset(1) * width + offset(2)] += 1;
            }
            assert!(unevenness(&first) < limit(width), "{first:?}");
            assert!(unevenness(&both) < limit(width * width), "{both:?}");
        }
    }
}

#[test]
fn a_flow_keeps_its_path_until_it_fails() {
    let graph = chain(4, 3);
    let all = Routes::new(&graph, |_| true);
    for flow in 0..1_000 {
        let path = |routes: &Routes| routes.path(&graph, HostId(0), HostId(1), flow).unwrap();
        let before = path(&all);
        assert_eq!(before, path(&Routes::new(&graph, |_| true)));
        let failed = before[2];
        let after = path(&Routes::new(&graph, |link| link != failed));
        assert_eq!((after[1], after.len()), (before[1], before.len()), "the choice before the failure stays");
        assert_ne!(after[2], failed);
    }
}

#[test]
fn there_is_no_way_over_what_is_down_or_to_oneself() {
    let graph = chain(1, 2);
    for failed in [0, 2, 4] {
        let routes = Routes::new(&graph, |link| link != failed);
        assert_eq!(routes.path(&graph, HostId(0), HostId(1), 0), None);
        assert_eq!(routes.path(&graph, HostId(1), HostId(0), 0).unwrap(), [5, 3, 1]);
        assert_eq!(routes.next_link(graph.node_of(HostId(0)), HostId(0), || 0), None);
        assert!(routes.path(&graph, HostId(0), HostId(0), 0).unwrap().is_empty());
    }
}
