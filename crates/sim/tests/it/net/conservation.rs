//! Every packet has arrived, was dropped, or is in the network; runs repeat themselves.

use crate::net::support::{Port, flow, gbps, leaf_spine, spec, transport};
use forebay_cache::{StateCache, StateCacheSpec};
use forebay_core::{Duration, Rng, Seed, Time};
use forebay_sim::net::{
    AskedOf, Change, FlowSpec, Graph, Network, NetworkOutcome, NetworkSpec, NodeId, NodeKind, RunEnd, RunOptions,
    Sampling, SharedBuffer, StateKey, StateStore, StatefulNode, Waits,
};
use rand::RngExt;

/// A network in which all sorts of things go wrong, and flows for it.
fn trouble(seed: u64) -> (NetworkSpec<Port>, Vec<FlowSpec>) {
    let mut rng = Seed(seed).stream("trouble");
    let graph = leaf_spine();
    let links = graph.links().len();
    let mut spec = spec(graph, "20 packets", transport("ideal"));
    if rng.random_range(0..2) == 0 {
        spec.shared_buffer = Some(SharedBuffer { bytes: 20_000, alpha: 0.5 });
    }
    for _ in 0..rng.random_range(0..12) {
        let link = rng.random_range(0..links);
        let change = match rng.random_range(0..4) {
            0 => Change::Down(link),
            1 => Change::Up(link),
            2 => Change::Rate(link, gbps(rng.random_range(1..5))),
            _ => Change::Loss(link, 0.1),
        };
        spec.changes.push((Time::from_ns(rng.random_range(0..1_000_000)), change));
    }
    spec.reroute_after = Duration::from_ns(rng.random_range(0..50_000));
    let mut flows: Vec<_> = (0..60)
        .map(|_| {
            let src = rng.random_range(0..8);
            let dst = (src + rng.random_range(1..8)) % 8;
            flow(rng.random_range(0..1_000_000), src, dst, rng.random_range(1..100_000))
        })
        .collect();
    flows.sort_by_key(|flow| flow.start);
    if rng.random_range(0..2) == 0 {
        spec.states = some_states(&spec.graph, &mut rng);
    }
    (spec, flows)
}

/// At some of the switches, some without room for many packets.
fn some_states(graph: &Graph, rng: &mut Rng) -> Vec<StatefulNode> {
    let nodes = (0..).zip(graph.nodes()).filter(|(_, node)| node.kind == NodeKind::Switch);
    let mut states = Vec::new();
    for (number, _) in nodes.take(rng.random_range(1..5)) {
        let parallel = Some(rng.random_range(1..9));
        let latency = rng.random_range(1..20_000_000);
        let cache = StateCacheSpec { entries: 8, ways: Some(4), latency, parallel, seed: Seed(1) };
        let cache = StateCache::new(&cache, &"lru".parse().unwrap()).unwrap();
        states.push(StatefulNode {
            node: NodeId(number),
            asked: AskedOf {
                key: StateKey::ALL[rng.random_range(0..StateKey::ALL.len())].1,
                acknowledgements: rng.random_range(0..2) == 0,
            },
            store: StateStore::OnDemand(Box::new(cache)),
            remote: None,
            waits: if rng.random_range(0..2) == 0 { Waits::Packet } else { Waits::Link },
            waiting_packets: Some(rng.random_range(0..20)).filter(|most| *most < 10),
            lookahead: rng.random_range(0..2) == 0,
            recorded: true,
        });
    }
    states
}

fn play(seed: u64, until: Time) -> NetworkOutcome<Port> {
    let (spec, flows) = trouble(seed);
    let options = RunOptions { until, ..RunOptions::default() };
    Network::new(spec).unwrap().run(&mut crate::net::support::List::new(&flows), &options)
}

#[test]
fn whatever_fails_every_packet_is_accounted_for() {
    let mut causes = [0; 6];
    for seed in 0..200 {
        // The run itself checks; here, that the end may come at any time, and that all causes were seen.
        let until = if seed % 2 == 0 { Time::from_ns(10_000_000) } else { Time::from_ns(seed * 5_000) };
        let outcome = play(seed, until);
        let drops = outcome.drops;
        let at_states: u64 = outcome.states.iter().map(|states| states.counts.packets_dropped).sum();
        assert_eq!(drops.state, at_states);
        let seen = [drops.discipline, drops.shared_buffer, drops.on_link, drops.link_down, drops.no_route, drops.state];
        causes.iter_mut().zip(seen).for_each(|(sum, seen)| *sum += seen);
        let at_ports: u64 =
            outcome.ports.iter().map(|p| p.packets_dropped + p.packets_dropped_shared + p.packets_lost).sum();
        let no_route: u64 = outcome.ports.iter().map(|port| port.packets_no_route).sum();
        assert_eq!((at_ports + no_route + at_states, no_route), (drops.total(), drops.no_route));
    }
    assert!(causes.iter().all(|&count| count > 0), "{causes:?}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for seed in 0..10 {
        let [a, b] = [play(seed, Time::MAX), play(seed, Time::MAX)];
        assert_eq!((&a.flows, &a.ports, a.events), (&b.flows, &b.ports, b.events));
        let states = |outcome: NetworkOutcome<Port>| outcome.states.into_iter().map(|it| (it.counts, it.accesses));
        assert!(states(a).eq(states(b)));
    }
}

#[test]
fn traffic_goes_round_a_failed_link_and_comes_back() {
    let graph = leaf_spine();
    let failed = (0..graph.links().len()).find(|link| graph.link_name(*link) == "leaf0>spine0").unwrap();
    let flows: Vec<_> = (0..400).map(|n| flow(n * 20_000, 0, 4, 1_000)).collect();
    // Down for the first half, up for the second.
    let half = Time::from_ns(4_000_000);
    let sent = |options: &RunOptions<'_>| {
        let mut spec = spec(graph.clone(), "100 packets", transport("ideal"));
        spec.changes = vec![(Time::ZERO, Change::Down(failed)), (half, Change::Up(failed))];
        let outcome = Network::new(spec).unwrap().run(&mut crate::net::support::List::new(&flows), options);
        assert_eq!(outcome.reason, RunEnd::Finished);
        assert!(outcome.flows.iter().all(|record| record.received.is_some()), "nothing was sent to the failed link");
        outcome.ports[failed].packets_sent
    };
    assert_eq!(sent(&RunOptions { count_until: half, ..RunOptions::default() }), 0);
    assert!(sent(&RunOptions { count_from: half, ..RunOptions::default() }) > 50);
}

#[test]
fn a_flow_that_starts_without_a_way_goes_on_when_there_is_one() {
    let graph = leaf_spine();
    let access = (0..graph.links().len()).find(|link| graph.link_name(*link) == "leaf1>h4").unwrap();
    for name in ["newreno", "dctcp", "pfabric"] {
        let mut spec = spec(graph.clone(), "100 packets", transport(name));
        spec.changes = vec![(Time::ZERO, Change::Down(access)), (Time::from_ns(5_000_000), Change::Up(access))];
        let outcome = crate::net::support::run(spec, &[flow(10, 0, 4, 100_000)]);
        assert!(outcome.flows[0].acknowledged.is_some(), "{name}");
        assert!(outcome.events < 20_000, "{name} waits between attempts: {} events", outcome.events);
    }
}

#[test]
fn looking_at_queues_does_not_keep_a_run_alive() {
    // All packets but the first two are lost, and nobody sends them again.
    let spec = spec(leaf_spine(), "2 packets", transport("ideal"));
    let flows: Vec<_> = (0..4).map(|host| flow(0, host, 4, 60_000)).collect();
    let sampling = Sampling { every: Duration::from_us(1), links: vec![0], flows: vec![0] };
    let options = RunOptions { sampling: Some(sampling), ..RunOptions::default() };
    let outcome = Network::new(spec).unwrap().run(&mut crate::net::support::List::new(&flows), &options);
    assert!(outcome.flows.iter().any(|record| record.received.is_none()));
    assert_eq!(outcome.reason, RunEnd::Stalled);
    assert!(outcome.end < Time::from_ns(10_000_000), "{:?}", outcome.end);
}

#[test]
fn a_run_in_which_nothing_is_to_happen_any_more_has_not_finished() {
    let reason = |buffer, bytes| {
        let flows: Vec<_> = (0..3).map(|host| flow(0, host, 4, bytes)).collect();
        crate::net::support::run(spec(leaf_spine(), buffer, transport("ideal")), &flows).reason
    };
    assert_eq!(reason("100 packets", 30_000), RunEnd::Finished);
    assert_eq!(reason("2 packets", 30_000), RunEnd::Stalled, "what is lost is not sent again");
}

#[test]
fn packets_without_a_way_are_counted_where_they_came_from() {
    let graph = leaf_spine();
    let link = |name: &str| (0..graph.links().len()).find(|link| graph.link_name(*link) == name).unwrap();
    let mut spec = spec(graph.clone(), "100 packets", transport("ideal"));
    spec.changes = vec![(Time::ZERO, Change::Down(link("leaf1>h4")))];
    let outcome = crate::net::support::run(spec, &[flow(10, 0, 4, 14_600), flow(20, 5, 4, 1_460)]);
    assert_eq!((outcome.drops.no_route, outcome.drops.total(), outcome.reason), (11, 11, RunEnd::Stalled));
    let at = |name| outcome.ports[link(name)].packets_no_route;
    assert_eq!(
        (at("h0>leaf0"), at("h5>leaf1"), at("leaf1>h4")),
        (10, 1, 0),
        "every switch knows that the host is cut off"
    );
}
