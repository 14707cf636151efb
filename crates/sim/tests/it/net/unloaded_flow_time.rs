//! A flow alone takes what arithmetic says.

use crate::net::support::{flow, gbps, run, spec, transport};
use forebay_core::{Duration, Seed, Time};
use forebay_sim::net::{Graph, NodeKind};
use rand::RngExt;

/// Two hosts and switches in a line, with a rate and a propagation delay for each link.
fn line(links: &[(u64, u64)]) -> Graph {
    let mut graph = Graph::default();
    let mut last = graph.add_node("a", NodeKind::Host, 0);
    for (number, (rate, delay_ns)) in links.iter().enumerate() {
        let kind = if number + 1 == links.len() { NodeKind::Host } else { NodeKind::Switch };
        let next = graph.add_node(format!("n{number}"), kind, 0);
        graph.connect(last, next, gbps(*rate), Duration::from_ns(*delay_ns));
        last = next;
    }
    graph
}

#[test]
fn one_full_packet_takes_its_transmission_and_propagation_times() {
    let outcome =
        run(spec(line(&[(1, 20), (4, 20), (1, 20)]), "10 packets", transport("ideal")), &[flow(5, 0, 1, 1_460)]);
    // 1500 B at 1, 4 and 1 Gb/s, and three times 20 ns, from 5 ns on.
    assert_eq!(outcome.flows[0].received, Some(Time::from_ns(5 + 12_000 + 3_000 + 12_000 + 60)));
    assert_eq!(outcome.packet_hops, 3);
}

#[test]
fn an_ideal_flow_alone_takes_exactly_the_time_alone() {
    let mut rng = Seed(3).stream("lines");
    for _ in 0..300 {
        // The first link is no faster than the others: the sender sends at its rate and nothing waits.
        let links: Vec<_> =
            (0..rng.random_range(1..6)).map(|_| (rng.random_range(1..50), rng.random_range(0..9_000))).collect();
        let outcome = run(
            spec(line(&links), "100000 packets", transport("ideal")),
            &[flow(rng.random_range(0..99), 0, 1, rng.random_range(1..200_000))],
        );
        let record = outcome.flows[0];
        let took = record.received.unwrap().since(record.flow.start);
        assert_eq!(took, record.alone.unwrap().data, "{links:?} {record:?}");
    }
}
