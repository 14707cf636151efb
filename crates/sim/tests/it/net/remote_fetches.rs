//! Several applications at one node, and fetches that travel over the network.

use crate::net::caches::Caches;
use crate::net::support::{List, Port, flow, gbps, leaf_spine, spec, transport};
use forebay_cache::seer::{AnnouncerSpec, SeerCache};
use forebay_cache::{BackingStore, Future, Latency, StateCache, StateCacheSpec, StateCounts};
use forebay_core::{ClassId, Duration, Rng, Seed, Time};
use forebay_sim::net::{
    AskedOf, Carriage, Change, FetchCounts, FlowSpec, Graph, HostId, Impairments, Network, NetworkOutcome, NetworkSpec,
    NodeId, NotifierCounts, RemoteStore, RunOptions, StateKey, StateNodeCounts, StateOutcome, StateStore, StatefulNode,
    Waits,
};
use rand::RngExt as _;

const US: u64 = 1_000_000;

/// A store in a host that serves each request for so many picoseconds.
fn remote(host: u32, number: usize, latency: u64, parallel: Option<u32>) -> RemoteStore {
    RemoteStore {
        host: HostId(host),
        number,
        service: BackingStore::new(latency, parallel),
        request_bytes: 64,
        answer_bytes: 128,
        class: ClassId(0),
        retry: Duration::from_us(300),
    }
}

/// The same states with a cache that asks this store.
fn asks(states: StatefulNode, remote: RemoteStore) -> StatefulNode {
    let reporting = BackingStore::reporting(remote.service.latency(0) + 5 * US);
    let store = match states.store {
        StateStore::OnDemand(cache) => StateStore::OnDemand(Box::new(cache.in_front_of(reporting))),
        StateStore::Told(told) => {
            StateStore::Told(Box::new(told.with_cache(|cache: SeerCache| cache.in_front_of(reporting))))
        }
        StateStore::Foreseen(..) => panic!("policies that look ahead have no such store"),
    };
    StatefulNode { store, remote: Some(remote), ..states }
}

/// Hosts `h0`, `h1` and `h2`, the last with the store, at one switch, `s`.
fn star(store_gbps: u64, store_propagation: Duration) -> Graph {
    let mut graph = Graph::default();
    let hosts = ["h0", "h1", "h2"].map(|name| graph.add_host(name, 0));
    let switch = graph.add_switch("s");
    hosts[..2].iter().for_each(|host| graph.connect(*host, switch, gbps(1), Duration::from_ns(100)));
    graph.connect(hosts[2], switch, gbps(store_gbps), store_propagation);
    graph
}

fn caches(told: bool, key: StateKey, acknowledgements: bool) -> Caches {
    Caches { told, asked: AskedOf { key, acknowledgements }, ..Caches::of(100_000) }
}

fn play(mut spec: NetworkSpec<Port>, states: Vec<StatefulNode>, flows: &[FlowSpec]) -> NetworkOutcome<Port> {
    spec.states = states;
    crate::net::support::run(spec, flows)
}

/// All that is counted but evictions: what has been fetched enters when something happens at the cache next. So after the last
/// access they depend on whether anything does.
fn at_accesses(states: &StateOutcome) -> StateNodeCounts {
    let counts = states.counts;
    StateNodeCounts { cache: StateCounts { evictions: 0, refused: 0, ..counts.cache }, ..counts }
}

#[test]
fn a_miss_costs_the_way_to_the_store_and_back() {
    let graph = star(1, Duration::from_ns(100));
    let received = |states: Vec<StatefulNode>, flows: &[FlowSpec]| {
        let outcome = play(spec(graph.clone(), "100 packets", transport("ideal")), states, flows);
        (outcome.flows[0].received.unwrap().as_ps(), outcome.states)
    };
    let at = || caches(false, StateKey::Flow, false).at(&graph, NodeId(3));
    let one = [flow(10, 0, 1, 1_000)];
    let (without, _) = received(Vec::new(), &one);
    let (with, states) = received(vec![asks(at(), remote(2, 0, 7_000, None))], &one);
    // 64 and 128 bytes at 1 Gb/s, 100 ns each way, and the service.
    let took = 512_000 + 100_000 + 7_000 + 1_024_000 + 100_000;
    assert_eq!(with - without, took);
    let fetches = states[0].fetches.unwrap();
    assert_eq!((fetches.begun, fetches.answered, fetches.latency_ps), (1, 1, u128::from(took)));
    assert_eq!((states[0].counts.cache.waited, states[0].counts.waited_ps), (u128::from(took), u128::from(took)));
    // Packets of another flow take the link to the store: one that is being sent has 12 us to go.
    let (_, states) =
        received(vec![asks(at(), remote(2, 0, 7_000, None))], &[flow(0, 1, 2, 60_000), flow(100_004, 0, 1, 1_000)]);
    let fetches = states[0].fetches.unwrap();
    assert!(fetches.answered == 2 && fetches.latency_ps > u128::from(2 * took + US), "{fetches:?}");
}

#[test]
fn at_a_distance_it_is_a_store_that_takes_as_long() {
    // So fast that no packet of a fetch waits for another.
    let graph = star(100_000, Duration::from_us(9));
    let (mut delayed_hits, mut evictions) = (0, 0);
    for seed in 0..20 {
        let mut rng = Seed(seed).stream("distance");
        let mut flows: Vec<FlowSpec> =
            (0..60).map(|_| flow(rng.random_range(0..3_000_000), 0, 1, rng.random_range(1..20_000))).collect();
        flows.sort_by_key(|flow| flow.start);
        let waits = if seed % 2 == 0 { Waits::Packet } else { Waits::Link };
        let at = |latency| Caches {
            waits,
            lookahead: seed % 4 == 1,
            ..Caches {
                cache: StateCacheSpec { latency, ..Caches::of(1).cache },
                ..caches(false, StateKey::Flow, false)
            }
        };
        let rate = gbps(100_000);
        let latency = 18 * US + 5_000 + rate.transmission_time(64).as_ps() + rate.transmission_time(128).as_ps();
        let network = || spec(graph.clone(), "1000 packets", transport("ideal"));
        let local = play(network(), vec![at(latency).at(&graph, NodeId(3))], &flows);
        let away = asks(at(latency).at(&graph, NodeId(3)), remote(2, 0, 5_000, None));
        let away = play(network(), vec![away], &flows);
        assert!(local.flows == away.flows, "{seed}");
        assert_eq!(at_accesses(&local.states[0]), at_accesses(&away.states[0]), "{seed}");
        assert!(local.states[0].accesses == away.states[0].accesses, "{seed}");
        delayed_hits += away.states[0].counts.cache.delayed_hits;
        evictions += away.states[0].counts.cache.evictions;
    }
    assert!(delayed_hits > 100 && evictions > 500, "{delayed_hits} {evictions}");
}

#[test]
fn what_is_lost_is_asked_for_again() {
    let graph = star(1, Duration::from_ns(100));
    let mut network = spec(graph.clone(), "100 packets", transport("newreno"));
    // To the host of the store, and back.
    network.changes = [4, 5].map(|link| (Time::ZERO, Change::Loss(link, 0.3))).into();
    let flows: Vec<FlowSpec> = (0..100).map(|number| flow(number * 20_000, 0, 1, 3_000)).collect();
    let states = vec![asks(caches(true, StateKey::Flow, true).at(&graph, NodeId(3)), remote(2, 0, 7_000, None))];
    let outcome = play(network, states, &flows);
    assert!(outcome.flows.iter().all(|flow| flow.acknowledged.is_some()));
    let fetches = outcome.states[0].fetches.unwrap();
    assert!(fetches.repeated > 20 && fetches.served < fetches.requests && fetches.received < fetches.answers);
    assert_eq!(fetches.outstanding, 0);
}

#[test]
fn requests_that_are_late_are_answered_twice() {
    let graph = star(1, Duration::from_ns(100));
    let flows: Vec<FlowSpec> = (0..50).map(|number| flow(number * 50_000, 0, 1, 3_000)).collect();
    let store = RemoteStore { retry: Duration::from_us(10), ..remote(2, 0, 25 * US, None) };
    let states = vec![asks(caches(false, StateKey::Flow, false).at(&graph, NodeId(3)), store)];
    let outcome = play(spec(graph, "100 packets", transport("ideal")), states, &flows);
    let FetchCounts { begun, answered, repeated, duplicates, outstanding, .. } = outcome.states[0].fetches.unwrap();
    assert_eq!((begun, answered, repeated, outstanding), (50, 50, 50, 0));
    assert!((40..=50).contains(&duplicates), "the last may be on its way: {duplicates}");
}

/// Two applications at a switch of [`leaf_spine`], others elsewhere, one store or more in hosts, and all that can go wrong.
struct Trouble {
    spec: NetworkSpec<Port>,
    states: Vec<StatefulNode>,
    flows: Vec<FlowSpec>,
    until: Time,
}

impl Trouble {
    /// `told`: whether caches may be notified; `silent`: no port notifies those that can be.
    fn new(seed: u64, told: bool, silent: bool) -> Self {
        let mut rng = Seed(seed).stream("trouble at two applications");
        let graph = leaf_spine();
        let classes = rng.random_range(1..3);
        let announcer = AnnouncerSpec {
            classes,
            queue_capacity: *pick(&mut rng, &[3, 1_000]),
            threshold: Some(rng.random_range(1..9)),
            per_gap: rng.random_range(0..3),
            ..AnnouncerSpec::default()
        };
        let wrong = Impairments { loss: 0.2, jitter: Duration::from_us(3), ..Impairments::default() };
        let impairments = if rng.random_range(0..3) == 0 { wrong } else { Impairments::default() };
        let waits = *pick(&mut rng, &[Waits::Packet, Waits::Link]);
        let waiting_packets = *pick(&mut rng, &[None, Some(5)]);
        let relayed = rng.random_range(0..3) == 0;
        let shared = Caches {
            announcer: (!silent).then_some(announcer),
            impairments,
            waits,
            relayed,
            patience: Some(Duration::from_us(50)),
            ..Caches::of(100_000)
        };
        let mut states = Vec::new();
        // A leaf with two, perhaps three; a spine with one; perhaps a host.
        for node in [8, 8, 8, 10, 1].into_iter().take(rng.random_range(2..6)) {
            let caches = Caches {
                told: rng.random_range(0..4) > 0 && told,
                policy: ["lru", "sieve", "lru-mad", "lfu"][rng.random_range(0..4)],
                asked: AskedOf { key: pick(&mut rng, &StateKey::ALL).1, acknowledgements: rng.random_range(0..2) == 0 },
                // A cache that could be notified prefetches when its manager does.
                lookahead: rng.random_range(0..2) == 0 && waits == Waits::Link && !silent,
                cache: StateCacheSpec { latency: rng.random_range(1..20 * US), ..shared.cache },
                ..shared
            };
            let one = StatefulNode { waiting_packets, ..caches.at(&graph, NodeId(node)) };
            let parallel = Some(rng.random_range(1..4)).filter(|parallel| *parallel < 3);
            let number = rng.random_range(0..2);
            let host = [3, 6][number];
            let draws = Latency::LogNormal(3e6, 1.0).prepare(Seed(seed)).unwrap();
            states.push(match rng.random_range(0..4) {
                0 => one,
                1 => {
                    let service = BackingStore::drawing(draws, parallel);
                    asks(one, RemoteStore { service, ..remote(host, number, 1, None) })
                }
                _ => asks(one, remote(host, number, rng.random_range(1..3 * US), parallel)),
            });
        }
        let mut spec = spec(graph.clone(), "20 packets", transport("dctcp"));
        spec.elements = Caches { announcer: Some(announcer), ..shared }.ports(&graph, "20 packets");
        spec.workloads.push(Carriage { class: ClassId(1), ..Carriage::plain(transport("newreno")) });
        if rng.random_range(0..2) == 0 {
            spec.changes = troubles(&mut rng, graph.links().len());
            spec.reroute_after = Duration::from_us(rng.random_range(0..50));
        }
        let mut flows: Vec<FlowSpec> = (0..80).map(|_| some_flow(&mut rng, classes)).collect();
        flows.sort_by_key(|flow| flow.start);
        let until = Time::from_ns(if seed.is_multiple_of(3) { rng.random_range(1..2_000_000) } else { 20_000_000 });
        Self { spec, states, flows, until }
    }

    fn play(mut self) -> NetworkOutcome<Port> {
        self.spec.states = self.states;
        let options = RunOptions { until: self.until, ..RunOptions::default() };
        Network::new(self.spec).unwrap().run(&mut List::new(&self.flows), &options)
    }
}

fn pick<'a, T>(rng: &mut Rng, all: &'a [T]) -> &'a T {
    &all[rng.random_range(0..all.len())]
}

fn some_flow(rng: &mut Rng, classes: usize) -> FlowSpec {
    let src = rng.random_range(0..8);
    let dst = (src + rng.random_range(1..8)) % 8;
    let workload = u16::try_from(rng.random_range(0..classes)).unwrap();
    FlowSpec { workload, ..flow(rng.random_range(0..1_500_000), src, dst, rng.random_range(1..30_000)) }
}

fn troubles(rng: &mut Rng, links: usize) -> Vec<(Time, Change)> {
    let change = |rng: &mut Rng| {
        let link = rng.random_range(0..links);
        match rng.random_range(0..4) {
            0 => Change::Down(link),
            1 => Change::Up(link),
            2 => Change::Rate(link, gbps(rng.random_range(1..5))),
            _ => Change::Loss(link, 0.1),
        }
    };
    (0..rng.random_range(1..12)).map(|_| (Time::from_ns(rng.random_range(0..1_500_000)), change(rng))).collect()
}

/// Each notification that was sent is received, lost with a reason, or on its way, and each entry is fulfilled, replaced, given
/// up or waits. Runs assert that themselves; this is written from the definitions, apart from that.
fn check(states: &StateOutcome, seen: &mut [u64; 8]) {
    if let Some(told) = &states.told {
        let arrived = |port: &NotifierCounts| {
            let announcer = &port.announcer;
            let sent = announcer.made - announcer.dropped_full - announcer.stale - port.waiting;
            assert_eq!(sent, announcer.sent());
            sent - port.lost - port.on_link
        };
        let [arrived, ended] =
            [told.notifiers.iter().map(arrived).sum::<u64>(), told.notifiers.iter().map(|port| port.ended).sum()];
        let fpms = &told.cache.fpms;
        assert_eq!(arrived - ended, fpms.received);
        assert_eq!(fpms.received - fpms.full, fpms.used + fpms.replaced + fpms.expired + fpms.expected);
        let at_ports = told.notifiers.iter().map(|port| [port.announcer.dropped_full, port.announcer.stale, port.lost]);
        let [dropped, stale, lost] =
            at_ports.fold([0; 3], |sum: [u64; 3], add| std::array::from_fn(|n| sum[n] + add[n]));
        let now = [dropped, stale, lost, ended, fpms.used, fpms.expired, fpms.expected];
        now.iter().zip(&mut *seen).for_each(|(now, seen)| *seen += now);
    }
    if let Some(fetches) = states.fetches {
        assert_eq!(fetches.begun, fetches.answered + fetches.outstanding);
        assert_eq!(fetches.begun, states.counts.cache.misses + states.counts.prefetches);
        seen[7] += fetches.repeated;
    }
}

#[test]
fn every_notification_and_every_fetch_of_several_applications_is_accounted_for() {
    let (mut seen, mut both) = ([0; 8], 0);
    for seed in 0..300 {
        let outcome = Trouble::new(seed, true, false).play();
        outcome.states.iter().for_each(|states| check(states, &mut seen));
        let dropped: u64 = outcome.states.iter().map(|states| states.counts.packets_dropped).sum();
        assert_eq!(dropped, outcome.drops.state, "{seed}");
        let told_twice =
            outcome.states.iter().filter(|states| states.node == NodeId(8) && states.told.is_some()).count() > 1;
        both += u64::from(told_twice);
    }
    assert!(seen.iter().all(|&count| count > 100) && both > 100, "{seen:?} {both}");
}

#[test]
fn without_notifications_several_applications_do_as_their_policies() {
    for seed in 0..60 {
        let [plain, told] = [false, true].map(|told| Trouble::new(seed, told, true).play());
        assert!(plain.flows == told.flows && plain.ports == told.ports && plain.drops == told.drops, "{seed}");
        for (plain, told) in plain.states.iter().zip(&told.states) {
            assert_eq!(at_accesses(plain), at_accesses(told), "{seed}");
            assert!(plain.accesses == told.accesses, "{seed}");
            assert_eq!((plain.uncounted, plain.fetches), (told.uncounted, told.fetches), "{seed}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_fetches() {
    for seed in 0..10 {
        let [a, b] = [0, 1].map(|_| Trouble::new(seed, true, false).play());
        assert_eq!((&a.flows, &a.ports, a.events), (&b.flows, &b.ports, b.events));
        let states = |outcome: NetworkOutcome<Port>| {
            outcome.states.into_iter().map(|it| (it.counts, it.accesses, it.told, it.fetches))
        };
        assert!(states(a).eq(states(b)));
    }
}

#[test]
fn each_application_is_asked_as_if_it_were_alone() {
    let graph = leaf_spine();
    let keys = [(StateKey::Flow, 30 * US), (StateKey::Destination, 2 * US), (StateKey::Pair, 100_000)];
    let one = |(key, latency)| {
        let cache = StateCacheSpec { latency, ..Caches::of(1).cache };
        Caches { cache, told: false, asked: AskedOf { key, acknowledgements: key == StateKey::Pair }, ..Caches::of(1) }
    };
    let states = keys.map(|kind| one(kind).at(&graph, NodeId(8)));
    let network = spec(graph, "100 packets", transport("dctcp"));
    let outcome = play(network, states.into(), &crate::net::support::some_flows(200));
    for (states, (_, latency)) in outcome.states.iter().zip(keys) {
        let mut again =
            StateCache::new(&StateCacheSpec { latency, ..Caches::of(1).cache }, &"lru".parse().unwrap()).unwrap();
        for access in &states.accesses {
            again.access(access.time_ps, access.key, Future::NONE);
        }
        assert_eq!((again.counts(), states.counts.waited_ps), (states.counts.cache, states.counts.cache.waited));
        assert!(states.counts.cache.misses > 10);
    }
    // A packet waits for the slowest of them only.
    let most = |of: fn(&StateOutcome) -> usize| outcome.states.iter().map(of).collect::<Vec<_>>();
    let accesses = most(|states| states.accesses.len());
    assert!(accesses[0] == accesses[1] && accesses[2] > accesses[0], "{accesses:?}");
}

#[test]
fn packets_come_when_both_applications_expect_them() {
    let graph = leaf_spine();
    for classes in [1, 2] {
        let announcer = Some(AnnouncerSpec { classes, ..AnnouncerSpec::default() });
        let of = |key| Caches { announcer, asked: AskedOf { key, acknowledgements: true }, ..Caches::of(2 * US) };
        let states = [StateKey::Flow, StateKey::Source].map(|key| of(key).at(&graph, NodeId(8)));
        let mut network = spec(graph.clone(), "100 packets", transport("dctcp"));
        network.elements = of(StateKey::Flow).ports(&graph, "100 packets");
        network.workloads.push(Carriage { class: ClassId(1), ..Carriage::plain(transport("dctcp")) });
        let mut flows = crate::net::support::some_flows(300);
        (0..).zip(&mut flows).for_each(|(number, flow)| flow.workload = number % classes as u16);
        // The run itself asserts that no packet arrived at another time than expected.
        let outcome = play(network, states.into(), &flows);
        let told: Vec<_> = outcome.states.iter().map(|states| states.told.as_ref().unwrap()).collect();
        assert_eq!(told[0].cache.fpms.used, told[1].cache.fpms.used);
        assert!(told.iter().all(|told| told.cache.fpms.used > 500 && told.cache.visibility.unannounced == 0));
        assert!(
            told.iter()
                .all(|told| told.cache.fpms.mistimed == 0 && told.notifiers.iter().all(|port| port.unnamed == 0))
        );
        assert!(outcome.states.iter().all(|states| states.counts.prefetches > 20));
    }
}

#[test]
#[should_panic(expected = "all states of a node say the same of how packets wait")]
fn the_states_of_a_node_agree_on_how_packets_wait() {
    let graph = leaf_spine();
    let states = [Waits::Packet, Waits::Link].map(|waits| Caches { waits, ..Caches::of(1) }.at(&graph, NodeId(8)));
    play(spec(graph, "100 packets", transport("dctcp")), states.into(), &[]);
}

#[test]
#[should_panic(expected = "is in another node")]
fn a_node_does_not_ask_itself_over_the_network() {
    let graph = leaf_spine();
    let states = vec![asks(Caches::of(1).at(&graph, NodeId(0)), remote(0, 0, 1, None))];
    play(spec(graph, "100 packets", transport("dctcp")), states, &[]);
}
