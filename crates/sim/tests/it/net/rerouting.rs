//! What switches know of links, and when: against the definition, packet by packet.

use crate::net::reference::{allowed, hops_to};
use crate::net::support::{flow, gbps, run, spec, transport};
use forebay_core::{Duration, Seed, Time};
use forebay_sim::net::{Change, FlowSpec, Graph};
use rand::RngExt as _;

/// Ways of one, two and three links between the switches of two hosts; the shortest is always the only one.
fn three_ways() -> Graph {
    let mut graph = Graph::default();
    let [a, b] = ["a", "b"].map(|name| graph.add_host(name, 0));
    let [s, t, u, v, w] = ["s", "t", "u", "v", "w"].map(|name| graph.add_switch(name));
    for (one, other) in [(a, s), (b, t), (s, t), (s, u), (u, t), (s, v), (v, w), (w, t)] {
        graph.connect(one, other, gbps(100), Duration::from_ns(1));
    }
    graph
}

/// Whether each link is up after all changes until then.
fn up_at(graph: &Graph, changes: &[(Time, Change)], then: Option<Time>) -> Vec<bool> {
    let mut up = vec![true; graph.links().len()];
    for (_, change) in changes.iter().filter(|(at, _)| then.is_some_and(|then| *at <= then)) {
        match *change {
            Change::Down(link) => up[link] = false,
            Change::Up(link) => up[link] = true,
            Change::Rate(..) | Change::Loss(..) => {}
        }
    }
    up
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Arrives,
    /// The link that the switch chose is down, and the switch does not know it.
    LinkDown,
    NoRoute,
}

/// What becomes of a packet from the first host to the second.
fn fate(graph: &Graph, known: &[bool], up: &[bool]) -> Fate {
    let (mut node, end) = (graph.hosts()[0], graph.hosts()[1]);
    let hops = hops_to(graph, end, known);
    while node != end {
        // A host has no choice.
        let link = if graph.is_host(node) {
            graph.links_from(node)[0]
        } else {
            let mut links = allowed(graph, node, end, &hops, known);
            assert!(links.len() <= 1, "there is no choice");
            let Some(link) = links.pop_first() else { return Fate::NoRoute };
            link
        };
        if !up[link] {
            return Fate::LinkDown;
        }
        node = graph.links()[link].to;
    }
    Fate::Arrives
}

#[test]
fn every_change_is_known_so_long_after_it() {
    let mut rng = Seed(1).stream("rerouting");
    let mut seen = [0_u64; 3];
    for _ in 0..100 {
        let graph = three_ways();
        let delay_us = rng.random_range(0..20);
        let mut changes: Vec<(Time, Change)> = (0..rng.random_range(1..40))
            .map(|_| {
                let link = rng.random_range(0..graph.links().len());
                let change = if rng.random_bool(0.5) { Change::Down(link) } else { Change::Up(link) };
                (Time::from_ns(rng.random_range(0..100) * 1_000), change)
            })
            .collect();
        // Packets take less than 100 ns and start between changes.
        let flows: Vec<FlowSpec> = (0..130).map(|number| flow(number * 1_000 + 500, 0, 1, 100)).collect();
        let mut spec = spec(graph.clone(), "10 packets", transport("ideal"));
        spec.changes = changes.clone();
        spec.reroute_after = Duration::from_us(delay_us);
        let outcome = run(spec, &flows);
        changes.sort_by_key(|(at, _)| *at);
        let fates: Vec<Fate> = flows
            .iter()
            .map(|flow| {
                let knew_until = flow.start.as_ps().checked_sub(delay_us * 1_000_000).map(Time::from_ps);
                let known = up_at(&graph, &changes, knew_until);
                fate(&graph, &known, &up_at(&graph, &changes, Some(flow.start)))
            })
            .collect();
        for (record, fate) in outcome.flows.iter().zip(&fates) {
            assert_eq!(record.received.is_some(), *fate == Fate::Arrives, "{:?}", record.flow.start);
        }
        let count = |wanted| fates.iter().filter(|fate| **fate == wanted).count() as u64;
        let counts = [count(Fate::Arrives), count(Fate::LinkDown), count(Fate::NoRoute)];
        assert_eq!([outcome.packets_delivered, outcome.drops.link_down, outcome.drops.no_route], counts);
        seen.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}
