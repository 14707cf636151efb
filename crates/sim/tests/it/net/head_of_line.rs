//! Packets that wait for their states hold up those behind them, or do not.

use crate::net::caches::Caches;
use crate::net::support::{List, Port, flow, gbps, leaf_spine, spec, transport};
use forebay_cache::StateCacheSpec;
use forebay_core::{Duration, Seed};
use forebay_sim::net::{AskedOf, FlowSpec, Graph, Network, NetworkOutcome, RunOptions, StateKey, Waits};

/// All switches of `graph` have caches like this one, notified by all neighbours or by none; packets without data need no state.
fn run(
    graph: Graph,
    sender: &str,
    cache: StateCacheSpec,
    told: bool,
    waits: Waits,
    flows: &[FlowSpec],
) -> NetworkOutcome<Port> {
    let asked = AskedOf { key: StateKey::Flow, acknowledgements: false };
    run_with(graph, sender, &Caches { cache, told, waits, asked, ..Caches::of(cache.latency) }, flows)
}

fn run_with(graph: Graph, sender: &str, caches: &Caches, flows: &[FlowSpec]) -> NetworkOutcome<Port> {
    let mut spec = spec(graph, "1000 packets", transport(sender));
    spec.states = caches.everywhere(&spec.graph);
    Network::new(spec).unwrap().run(&mut List::new(flows), &RunOptions::default())
}

/// Short flows between eight hosts.
fn many() -> Vec<FlowSpec> {
    let flows = (0..400).map(|n| flow(n * 5_000, n as u32 % 8, (n as u32 * 5 + 1) % 8, 3_000));
    flows.filter(|flow| flow.src != flow.dst).collect()
}

/// Two hosts at one switch.
fn one_switch_graph() -> Graph {
    let mut graph = Graph::default();
    let hosts = ["h0", "h1"].map(|name| graph.add_host(name, 0));
    let switch = graph.add_switch("s");
    hosts.iter().for_each(|host| graph.connect(*host, switch, gbps(1), Duration::from_ns(100)));
    graph
}

/// The same; a fetch takes so many picoseconds.
fn one_switch(sender: &str, latency: u64, waits: Waits, flows: &[FlowSpec]) -> NetworkOutcome<Port> {
    run(
        one_switch_graph(),
        sender,
        StateCacheSpec { entries: 8, ways: Some(8), latency, parallel: None, seed: Seed(3) },
        false,
        waits,
        flows,
    )
}

fn received(outcome: &NetworkOutcome<Port>, flow: usize) -> u64 {
    outcome.flows[flow].received.unwrap().as_ps()
}

#[test]
fn a_packet_behind_one_that_waits_asks_when_that_goes_on() {
    // Full packets take 12 us on a link, so the second arrives 12 us after the first. Its state would be there 20 us after that.
    let flows = [flow(0, 0, 1, 1_460), flow(0, 0, 1, 1_460)];
    let [free, held] = [Waits::Packet, Waits::Link].map(|waits| one_switch("ideal", 20_000_000, waits, &flows));
    assert_eq!(received(&free, 0), received(&held, 0));
    assert_eq!(received(&free, 1), received(&free, 0) + 12_000_000);
    assert_eq!(received(&held, 1), received(&held, 0) + 20_000_000);
    let asked = |outcome: &NetworkOutcome<Port>| {
        let accesses = &outcome.states[0].accesses;
        accesses[1].time_ps - accesses[0].time_ps
    };
    assert_eq!((asked(&free), asked(&held)), (12_000_000, 20_000_000));
    assert_eq!(free.states[0].counts.waited_ps, 40_000_000);
    assert_eq!(held.states[0].counts.waited_ps, 20_000_000 + 8_000_000 + 20_000_000);
    assert_eq!(held.states[0].counts.most_waiting, 2);
}

#[test]
fn packets_that_need_no_state_are_held_up_too() {
    // While the first packet of the second flow waits, the acknowledgements of the first flow arrive behind it.
    let flows = [flow(0, 0, 1, 100 * 1_460), flow(100_000, 1, 0, 1_460)];
    let [free, held] = [Waits::Packet, Waits::Link].map(|waits| one_switch("dctcp", 500_000_000, waits, &flows));
    let sent = |outcome: &NetworkOutcome<Port>| outcome.flows[0].received.unwrap().as_ps();
    assert!(sent(&held) > sent(&free) + 250_000_000, "{} {}", sent(&held), sent(&free));
}

#[test]
fn what_is_held_up_is_known_and_fetched_meanwhile() {
    let flows = many();
    let cache = StateCacheSpec { entries: 8, ways: Some(4), latency: 5_000_000, parallel: None, seed: Seed(3) };
    let [plain, told] = [false, true].map(|told| run(leaf_spine(), "dctcp", cache, told, Waits::Link, &flows));
    let waited =
        |outcome: &NetworkOutcome<Port>| outcome.states.iter().map(|states| states.counts.waited_ps).sum::<u128>();
    assert!(waited(&told) * 2 < waited(&plain), "{} {}", waited(&told), waited(&plain));
    for states in &told.states {
        // The run asserts that notifications are conserved, and that packets arrive when they are expected.
        let fpms = &states.told.as_ref().unwrap().cache.fpms;
        assert_eq!((fpms.expected, fpms.expired, fpms.used), (0, 0, states.counts.cache.accesses()));
    }
    let received = |outcome: &NetworkOutcome<Port>| (0..flows.len()).map(|flow| received(outcome, flow)).sum::<u64>();
    assert!(received(&told) < received(&plain), "{} {}", received(&told), received(&plain));
}

#[test]
fn without_notifications_a_told_cache_is_as_its_policy() {
    let flows = many();
    for (waits, sets) in [(Waits::Packet, Some(4)), (Waits::Link, Some(4)), (Waits::Packet, None), (Waits::Link, None)]
    {
        let cache = StateCacheSpec { entries: 8, ways: sets, latency: 5_000_000, parallel: Some(2), seed: Seed(3) };
        let caches = Caches { cache, waits, announcer: None, ..Caches::of(cache.latency) };
        let [plain, told] =
            [false, true].map(|told| run_with(leaf_spine(), "dctcp", &Caches { told, ..caches }, &flows));
        for (plain, told) in plain.states.iter().zip(&told.states) {
            assert_eq!(plain.counts, told.counts, "{waits:?} {sets:?}");
            assert_eq!(plain.accesses, told.accesses, "{waits:?} {sets:?}");
        }
        for flow in 0..flows.len() {
            assert_eq!(received(&plain, flow), received(&told, flow), "{waits:?} {sets:?}");
        }
        let waited = plain.states.iter().map(|states| states.counts.most_waiting).max().unwrap();
        assert!(waited > 1, "packets are held up: {waited}");
    }
}

#[test]
fn who_looks_ahead_fetches_for_packets_that_are_held_up() {
    // The fetch of the second packet begins at its arrival, 12 us after the first, and not when the first goes on after 20 us.
    let flows = [flow(0, 0, 1, 1_460), flow(0, 0, 1, 1_460)];
    let caches = Caches { told: false, waits: Waits::Link, lookahead: true, ..Caches::of(20_000_000) };
    let caches = Caches { asked: AskedOf { key: StateKey::Flow, acknowledgements: false }, ..caches };
    let ahead = run_with(one_switch_graph(), "ideal", &caches, &flows);
    assert_eq!(received(&ahead, 1), received(&ahead, 0) + 12_000_000);
    let counts = &ahead.states[0].counts;
    assert_eq!((counts.cache.misses, counts.cache.delayed_hits, counts.prefetches), (1, 1, 1));
    assert_eq!(counts.waited_ps, 20_000_000 + 8_000_000 + 12_000_000);
    // With many flows, a cache without notifications waits less if it looks ahead. A cache that is notified of every packet knows them all.
    let cache = StateCacheSpec { entries: 8, ways: Some(4), latency: 5_000_000, parallel: None, seed: Seed(3) };
    for (told, announcer) in [(false, None), (true, None), (true, Caches::of(0).announcer)] {
        let [without, with] = [false, true].map(|lookahead| {
            let caches = Caches { cache, told, announcer, lookahead, waits: Waits::Link, ..Caches::of(cache.latency) };
            run_with(leaf_spine(), "dctcp", &caches, &many())
        });
        let [without, with] = [&without, &with].map(|outcome| {
            let waited = outcome.states.iter().map(|states| states.counts.waited_ps);
            waited.sum::<u128>()
        });
        if announcer.is_none() {
            assert!(with < without, "told: {told}, {with} {without}");
        } else {
            assert_eq!(with, without);
        }
    }
}
