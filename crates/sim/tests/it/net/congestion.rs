//! Transports at a bottleneck: they share it, fill it, and bring everything through.

use crate::net::support::{List, Port, flow, gbps, run, spec, transport};
use forebay_core::{BufferSize, Duration, ParamValue, Seed, Time};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};
use forebay_sim::net::{FlowSpec, Graph, Network, NetworkOutcome, NetworkSpec, NodeKind, RunEnd, RunOptions};

/// The link of the star from the switch to its last host.
const BOTTLENECK: usize = 17;

/// Nine hosts at a switch, 10 Gb/s each; a round trip takes some 40 us.
fn star() -> Graph {
    let mut graph = Graph::default();
    let switch = graph.add_node("switch", NodeKind::Switch, 0);
    for host in 0..9 {
        let host = graph.add_node(format!("h{host}"), NodeKind::Host, 0);
        graph.connect(host, switch, gbps(10), Duration::from_us(10));
    }
    graph
}

/// What switches need for each transport: marks for DCTCP, priorities for pFabric.
fn network(name: &str, buffer: &str) -> NetworkSpec<Port> {
    let (rank, queue, drop, mark) = match name {
        "dctcp" => ("arrival", "fifo", "tail", Some(30)),
        "pfabric" => ("remaining-bytes", "earliest-of-flow", "worst-first", None),
        _ => ("arrival", "fifo", "tail", None),
    };
    let mark = mark.map(|packets| Part {
        name: "threshold".to_owned(),
        params: [("packets".to_owned(), ParamValue::Integer(packets))].into(),
        own: None,
    });
    let mut spec = spec(star(), "1000 packets", transport(name));
    let parts = DisciplineSpec {
        rank: Part::named(rank),
        queue: Part::named(queue),
        drop: Part::named(drop),
        buffer: BufferSize::parse(buffer).unwrap(),
        mark,
        pace: None,
        rank_unit: RankUnit::ONE,
        link_rate: gbps(10),
    };
    spec.elements[BOTTLENECK] = Box::new(discipline(&parts, Seed(1)).unwrap());
    spec
}

#[test]
fn everything_comes_through_a_small_buffer() {
    for name in ["newreno", "dctcp", "pfabric"] {
        // Eight senders at once, ten times.
        let flows: Vec<_> = (0..80).map(|n| flow(n / 8 * 100_000, n as u32 % 8, 8, 20_000 + 3_000 * (n % 7))).collect();
        let outcome = run(network(name, "16 packets"), &flows);
        assert_eq!(outcome.reason, RunEnd::Finished, "{name}");
        assert!(outcome.flows.iter().all(|record| record.acknowledged >= record.received), "{name}");
        assert!(outcome.flows.iter().all(|record| record.received.is_some()), "{name}");
        let counts = outcome.flows.iter().map(|record| record.sender);
        assert!(counts.map(|counts| counts.retransmissions).sum::<u64>() > 0 && outcome.drops.total() > 0, "{name}");
    }
}

/// Long flows from four hosts; counted in the second half of so many milliseconds.
fn long_flows(name: &str, buffer: &str, ms: u64) -> NetworkOutcome<Port> {
    let flows: Vec<_> = (0..4).map(|n| flow(u64::from(n) * 37_000, n, 8, FlowSpec::ENDLESS)).collect();
    let until = Time::from_ns(ms * 1_000_000);
    let options = RunOptions { until, count_from: Time::from_ns(ms * 500_000), ..RunOptions::default() };
    Network::new(network(name, buffer)).unwrap().run(&mut List::new(&flows), &options)
}

#[test]
fn long_flows_fill_the_link_and_share_it() {
    for (name, queue) in [("newreno", 50.0..100.0), ("dctcp", 20.0..35.0)] {
        let outcome = long_flows(name, "100 packets", 200);
        let port = outcome.ports[BOTTLENECK];
        let used = port.bytes_sent as f64 * 8.0 / 0.1 / 10e9;
        assert!(used > 0.99, "{name}: {used}");
        let sent: Vec<f64> = outcome.flows.iter().map(|record| record.sender.data_segments as f64).collect();
        let jain = sent.iter().sum::<f64>().powi(2) / (4.0 * sent.iter().map(|x| x * x).sum::<f64>());
        assert!(jain > 0.95, "{name}: {jain} {sent:?}");
        let packets = port.queue_byte_ps as f64 / 0.1e12 / 1_500.0;
        assert!(queue.contains(&packets), "{name}: {packets} packets wait on average");
        assert_eq!(port.packets_marked > 0, name == "dctcp");
        assert_eq!(port.packets_dropped > 0, name == "newreno");
    }
}

#[test]
fn pfabric_serves_one_long_flow_after_the_other_and_fills_the_link() {
    let flows: Vec<_> = (0..4).map(|n| flow(0, n, 8, 10_000_000 * (1 + u64::from(n)))).collect();
    let outcome = run(network("pfabric", "50 packets"), &flows);
    // Each has to wait for the shorter ones, and nothing else takes time.
    let mut before = 0;
    for record in &outcome.flows {
        before += record.flow.bytes;
        let alone = before as f64 * 8.0 * (1_500.0 / 1_460.0) / 10e9;
        let took = record.received.unwrap().as_secs_f64();
        assert!((0.99..1.05).contains(&(took / alone)), "{took} s and not {alone}");
    }
}

#[test]
fn a_short_flow_of_pfabric_passes_long_ones_by() {
    let time = |name: &str| {
        let mut flows: Vec<_> = (0..4).map(|n| flow(0, n, 8, 20_000_000)).collect();
        flows.extend((0..10).map(|n| flow(1_000_000 + n * 300_000, 5, 8, 30_000)));
        let outcome = run(network(name, "50 packets"), &flows);
        let slowdown = |record: &forebay_sim::net::FlowRecord| {
            record.received.unwrap().since(record.flow.start).as_secs_f64() / record.alone.unwrap().data.as_secs_f64()
        };
        outcome.flows[4..].iter().map(slowdown).fold(0.0, f64::max)
    };
    let (pfabric, newreno) = (time("pfabric"), time("newreno"));
    assert!(pfabric < 1.1 && newreno > 2.0, "slowdowns: {pfabric}, {newreno}");
}
