//! Packets wait for states in switches.

use crate::net::support::{List, Port, flow, gbps, leaf_spine, some_flows, spec, transport};
use forebay_cache::{Choice, Future, POLICIES, StateCache, StateCacheSpec, StateCounts};
use forebay_core::{Duration, Named as _, Seed, Time};
use forebay_sim::net::{
    AskedOf, Census, FlowRecord, FlowSpec, Foreseen, Graph, Network, NetworkOutcome, NodeId, NodeKind, RunOptions,
    StateKey, StateStore, StatefulNode, TransportCounts, Waits, belady_counts,
};

const LATENCY: u64 = 100_000;

fn cache_spec(entries: u64, ways: Option<u64>, latency: u64) -> StateCacheSpec {
    StateCacheSpec { entries, ways, latency, parallel: None, seed: Seed(3) }
}

fn store(cache: &StateCacheSpec, policy: &str) -> StateStore {
    StateStore::OnDemand(Box::new(StateCache::new(cache, &policy.parse().unwrap()).unwrap()))
}

/// All that there can be at a node, of flows, recorded.
fn states(node: NodeId, store: StateStore) -> StatefulNode {
    let asked = AskedOf { key: StateKey::Flow, acknowledgements: true };
    StatefulNode {
        node,
        asked,
        store,
        remote: None,
        waits: Waits::Packet,
        waiting_packets: None,
        lookahead: false,
        recorded: true,
    }
}

fn switches(graph: &Graph) -> Vec<NodeId> {
    let nodes = (0..).zip(graph.nodes());
    nodes.filter(|(_, node)| node.kind == NodeKind::Switch).map(|(number, _)| NodeId(number)).collect()
}

/// Two hosts at one switch, `s`.
fn line() -> Graph {
    let mut graph = Graph::default();
    let hosts = ["h0", "h1"].map(|name| graph.add_host(name, 0));
    let switch = graph.add_switch("s");
    hosts.iter().for_each(|host| graph.connect(*host, switch, gbps(1), Duration::from_ns(100)));
    graph
}

/// Through the switch of [`line`], with fetches of so many picoseconds, if there are states.
fn over_line(key: StateKey, latency: Option<u64>, flows: &[FlowSpec]) -> NetworkOutcome<Port> {
    let mut spec = spec(line(), "1000 packets", transport("ideal"));
    let at = NodeId(2);
    let asked = AskedOf { key, acknowledgements: true };
    let node = |latency| StatefulNode { asked, ..states(at, store(&cache_spec(8, None, latency), "lru")) };
    spec.states = latency.map(node).into_iter().collect();
    crate::net::support::run(spec, flows)
}

fn received(outcome: &NetworkOutcome<Port>, flow: usize) -> u64 {
    outcome.flows[flow].received.unwrap().as_ps()
}

#[test]
fn a_miss_costs_its_latency_and_a_delayed_hit_the_rest() {
    // Full packets take 12 us on a link.
    for (packets, latency, [hits, delayed_hits, misses], waited) in [
        (1, 100_000, [0, 0, 1], 100_000),
        (3, 100_000, [2, 0, 1], 100_000),
        (3, 20_000_000, [1, 1, 1], 20_000_000 + 8_000_000),
        (5, 12_000_000, [4, 0, 1], 12_000_000),
    ] {
        let flows = [flow(10, 0, 1, packets * 1_460)];
        let [without, with] = [None, Some(latency)].map(|latency| over_line(StateKey::Flow, latency, &flows));
        assert_eq!(received(&with, 0), received(&without, 0) + latency, "{packets} packets, {latency} ps");
        let counts = with.states[0].counts;
        let cache = StateCounts { hits, delayed_hits, misses, waited, ..StateCounts::default() };
        assert_eq!((counts.cache, counts.waited_ps), (cache, waited));
        assert_eq!(u64::from(counts.most_waiting), delayed_hits + misses);
    }
}

#[test]
fn a_hit_costs_nothing() {
    let flows = [flow(0, 0, 1, 10_000), flow(1_000_000, 0, 1, 10_000)];
    let [without, with] = [None, Some(LATENCY)].map(|latency| over_line(StateKey::Pair, latency, &flows));
    assert_eq!(received(&with, 0), received(&without, 0) + LATENCY);
    assert_eq!(received(&with, 1), received(&without, 1));
}

/// At all switches of [`leaf_spine`].
fn over_leaf_spine(build: impl Fn(NodeId) -> StatefulNode, options: &RunOptions<'_>) -> NetworkOutcome<Port> {
    let mut spec = spec(leaf_spine(), "100 packets", transport("dctcp"));
    spec.states = switches(&spec.graph).into_iter().map(build).collect();
    Network::new(spec).unwrap().run(&mut List::new(&some_flows(200)), options)
}

#[test]
fn what_holds_all_states_fetches_each_once_and_they_are_as_many_as_were_counted_before() {
    let graph = leaf_spine();
    for (_, key) in StateKey::ALL {
        for acknowledgements in [false, true] {
            let census = Census { graph: &graph, seed: Seed(1), answered: &[true], until: Time::MAX };
            let asked = AskedOf { key, acknowledgements };
            let [counted] = &census.count(&mut List::new(&some_flows(200)), &[asked])[..] else { panic!() };
            let cache = cache_spec(1_000, None, LATENCY);
            let node = |node| StatefulNode { asked, ..states(node, store(&cache, "lru")) };
            let outcome = over_leaf_spine(node, &RunOptions::default());
            for states in &outcome.states {
                assert_eq!(states.counts.cache.misses, counted.at_node[states.node.index()], "{key:?}");
            }
            let leaves: u64 = outcome.states[..2].iter().map(|states| states.counts.cache.misses).sum();
            assert!(counted.in_network <= leaves && leaves <= 2 * counted.in_network);
        }
    }
}

#[test]
fn states_are_alive_from_the_start_of_a_flow_to_its_end() {
    let graph = leaf_spine();
    let census = |answered| Census { graph: &graph, seed: Seed(1), answered, until: Time::MAX };
    // When flows start and end, in us, and how many are alive at most: all three, if ends come first at the same time only two.
    for (lives, most) in [
        ([(0, Some(9)), (1, Some(5)), (4, Some(6))], 3),
        ([(0, Some(4)), (4, Some(5)), (4, None)], 2),
        ([(0, None), (5, None), (9, None)], 3),
        ([(0, Some(1)), (1, Some(2)), (2, Some(3))], 1),
    ] {
        let records = lives.map(|(start, end): (u64, Option<u64>)| FlowRecord {
            flow: flow(start * 1_000, 0, 4, 1_000),
            received: end.map(|end| Time::from_ns(end * 1_000 - 500)),
            acknowledged: end.map(|end| Time::from_ns(end * 1_000)),
            alone: None,
            received_bytes: 0,
            sender: TransportCounts::default(),
        });
        let asked = |key, acknowledgements| AskedOf { key, acknowledgements };
        let of = [asked(StateKey::Flow, true), asked(StateKey::Connection, false), asked(StateKey::Pair, true)];
        let alive = census(&[true]).count_alive(&records, &of);
        assert_eq!(
            alive.iter().map(|counted| counted.in_network).collect::<Vec<_>>(),
            [2 * most, most, 2],
            "{lives:?}"
        );
        // All flows go through both leaves, and each through one spine.
        let [leaf0, leaf1] = [8, 9].map(|leaf| alive[0].at_node[leaf]);
        assert_eq!([leaf0, leaf1], [2 * most; 2]);
        assert!(alive[0].at_node[10] + alive[0].at_node[11] >= 2 * most);
        // Without answers a flow ends when everything has arrived.
        let unanswered = census(&[false]).count_alive(&records, &of[..1]);
        assert_eq!(unanswered[0].in_network, most);
    }
}

#[test]
fn what_is_counted_is_what_a_cache_makes_of_the_same_accesses() {
    for policy in ["lru", "lfu", "sieve", "lru-mad"] {
        let cache = cache_spec(16, Some(4), 200 * LATENCY);
        let outcome = over_leaf_spine(|node| states(node, store(&cache, policy)), &RunOptions::default());
        for states in &outcome.states {
            let mut again = StateCache::new(&cache, &policy.parse().unwrap()).unwrap();
            for access in &states.accesses {
                again.access(access.time_ps, access.key, Future::NONE);
            }
            assert_eq!(again.counts(), states.counts.cache);
            assert_eq!(states.counts.waited_ps, states.counts.cache.waited);
            assert!(states.counts.cache.delayed_hits > 0 && states.counts.cache.evictions > 0);
        }
    }
}

#[test]
fn counting_begins_and_ends_when_it_should() {
    let (from, until) = (Time::from_ns(1_000_000), Time::from_ns(3_000_000));
    let options = RunOptions { count_from: from, count_until: until, ..RunOptions::default() };
    let cache = cache_spec(16, Some(4), LATENCY);
    let node = |node| states(node, store(&cache, "lru"));
    let [window, whole] = [options, RunOptions::default()].map(|options| over_leaf_spine(node, &options));
    for (window, whole) in window.states.iter().zip(&whole.states) {
        assert_eq!(window.accesses, whole.accesses);
        let is_before = |time: Time| window.accesses.partition_point(|access| access.time_ps < time.as_ps());
        let (first, last) = (is_before(from), is_before(until));
        let counts = window.counts.cache;
        assert_eq!((window.uncounted, counts.accesses()), (first as u64, (last - first) as u64));
        assert!(first > 0 && counts.misses < whole.counts.cache.misses);
        let fewest = belady_counts(&window.accesses, first..last, &cache).unwrap().misses;
        assert!(fewest > 0 && fewest <= counts.misses);
    }
}

#[test]
fn no_policy_needs_fewer_fetches_than_the_optimum() {
    for entry in POLICIES.iter().filter(|entry| !entry.offline) {
        for ways in [None, Some(4)] {
            // A fetch of one picosecond is over when the next packet arrives.
            let cache = cache_spec(12, ways, 1);
            let node = |node| states(node, store(&cache, entry.about().name));
            for states in &over_leaf_spine(node, &RunOptions::default()).states {
                let fewest = belady_counts(&states.accesses, 0..states.accesses.len(), &cache).unwrap().misses;
                assert!(fewest <= states.counts.cache.misses && fewest > 0, "{}", entry.about().name);
            }
        }
    }
}

#[test]
fn an_offline_policy_sees_the_future_of_an_earlier_run() {
    let cache = cache_spec(12, Some(4), 1);
    let recorded = over_leaf_spine(|node| states(node, store(&cache, "lru")), &RunOptions::default()).states;
    let belady: Choice = "belady".parse().unwrap();
    let foresighted = |node| {
        let earlier = recorded.iter().find(|states| states.node == node).unwrap();
        let cache = Box::new(StateCache::new(&cache, &belady).unwrap());
        states(node, StateStore::Foreseen(cache, Foreseen::new(&earlier.accesses, 1)))
    };
    let outcome = over_leaf_spine(foresighted, &RunOptions::default());
    for (earlier, states) in recorded.iter().zip(&outcome.states) {
        let fewest = belady_counts(&states.accesses, 0..states.accesses.len(), &cache).unwrap().misses;
        let misses = states.counts.cache.misses;
        assert!(fewest <= misses && misses < earlier.counts.cache.misses);
        assert!(misses <= fewest + fewest / 20, "{misses} fetches, {fewest} at least");
    }
}

#[test]
fn packets_for_which_there_is_no_room_are_dropped() {
    let cache = cache_spec(16, Some(4), 10 * LATENCY);
    let node = |node| StatefulNode { waiting_packets: Some(1), ..states(node, store(&cache, "lru")) };
    let outcome = over_leaf_spine(node, &RunOptions::default());
    let dropped: u64 = outcome.states.iter().map(|states| states.counts.packets_dropped).sum();
    assert!(dropped > 0);
    assert_eq!((outcome.drops.state, outcome.drops.total()), (dropped, dropped));
    assert!(outcome.states.iter().all(|states| states.counts.most_waiting == 1));
    assert!(outcome.states.iter().all(|states| states.counts.waited_ps < states.counts.cache.waited));
    assert!(outcome.flows.iter().all(|flow| flow.acknowledged.is_some()), "what is lost is sent again");
}
