//! Ports that give packets to strict-priority queues by ranks notify when these packets will arrive.

use crate::net::caches::Caches;
use crate::net::support::{List, Port, leaf_spine, some_flows, spec, transport};
use forebay_cache::seer::{Announcer, AnnouncerSpec, Pace, SeerCache, SeerSpec};
use forebay_core::{BufferSize, Duration, ParamValue, Rate};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use forebay_sim::net::{
    Carriage, FlowSpec, Graph, Impairments, LinkSpec, Network, NetworkOutcome, NodeId, Notifier, Order, RankBounds,
    Ranks, RunOptions, StateStore, StatefulNode, Told,
};

/// Ranks that hosts write on packets: as random as a multiplication makes them.
struct Scattered(u64);

impl Ranks for Scattered {
    fn next_rank(&mut self, _: &FlowSpec) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % 100
    }
}

/// What stands at a port, and the bounds of its queues; none if it sorts.
#[derive(Clone)]
struct Kind {
    rank: Part,
    queue: Part,
    bounds: Vec<u64>,
    drop: &'static str,
}

fn sorted(rank: &str, drop: &'static str) -> Kind {
    Kind { rank: Part::named(rank), queue: Part::named("pifo"), bounds: Vec::new(), drop }
}

fn fixed(bounds: &[u64]) -> Kind {
    let numbers = bounds.iter().map(|&bound| ParamValue::Integer(bound as i64));
    let params = [("bounds".to_owned(), ParamValue::List(numbers.collect()))];
    let queue = Part { name: "fixed-bounds".to_owned(), params: params.into(), own: None };
    Kind { rank: Part::named("packet-rank"), queue, bounds: bounds.into(), drop: "tail" }
}

fn pias() -> Kind {
    let thresholds = ["3 KB", "12 KB"].map(|size| ParamValue::Text(size.to_owned()));
    let params = [("thresholds".to_owned(), ParamValue::List(thresholds.into()))];
    let rank = Part { name: "pias".to_owned(), params: params.into(), own: None };
    Kind { rank, queue: Part::named("pifo"), bounds: vec![0, 1, 2], drop: "tail" }
}

impl Kind {
    fn port(&self, rate: Rate) -> Port {
        let spec = DisciplineSpec {
            rank: self.rank.clone(),
            queue: self.queue.clone(),
            drop: Part::named(self.drop),
            buffer: BufferSize::parse("60 packets").unwrap(),
            mark: None,
            pace: None,
            rank_unit: RankUnit::ONE,
            link_rate: rate,
        };
        Box::new(RankDiscipline::new(&spec).unwrap())
    }

    /// A leaf of a leaf-spine that all its neighbours notify.
    fn told(&self, graph: &Graph, node: NodeId) -> StatefulNode {
        let caches = Caches::of(2_000_000);
        let cache = |rates| {
            let spec = SeerSpec::of(caches.cache, rates, Pace::Cycle(Duration::from_ns(1)));
            SeerCache::new(&SeerSpec { patience: Some(Duration::from_us(500)), ..spec }, &"lru".parse().unwrap())
        };
        let notifier = |_, link: &LinkSpec| {
            let classes = self.bounds.len().max(1);
            let spec = AnnouncerSpec { classes, rate: link.rate, ..AnnouncerSpec::default() };
            let (announcer, order) = if self.bounds.is_empty() {
                (Announcer::sorted(spec)?, Order::Sorted { greatest: u64::MAX })
            } else {
                (Announcer::new(spec)?, Order::Packets(Box::new(RankBounds(self.bounds.clone()))))
            };
            Ok(Some(Notifier { announcer, order, impairments: Impairments::default() }))
        };
        let told = Told::at(graph, node, cache, notifier, None).unwrap();
        StatefulNode { store: StateStore::Told(Box::new(told)), ..caches.at(graph, node) }
    }
}

/// All ports are of one kind, and notify as if they were of another.
fn run(kind: &Kind, as_if: &Kind) -> NetworkOutcome<Port> {
    let graph = leaf_spine();
    let mut spec = spec(graph.clone(), "60 packets", transport("newreno"));
    spec.elements = graph.links().iter().map(|link| kind.port(link.rate)).collect();
    spec.states = [8, 9].map(|node| as_if.told(&graph, NodeId(node))).into();
    spec.workloads =
        vec![Carriage { ranks: Some(Box::new(Scattered(7))), rank_all: true, ..Carriage::plain(transport("newreno")) }];
    Network::new(spec).unwrap().run(&mut List::new(&some_flows(300)), &RunOptions::default())
}

fn counts(outcome: &NetworkOutcome<Port>) -> [u64; 3] {
    let fpms = outcome.states.iter().map(|states| states.told.as_ref().unwrap().cache.fpms);
    fpms.fold([0; 3], |[used, mistimed, expired], fpms| {
        [used + fpms.used, mistimed + fpms.mistimed, expired + fpms.expired]
    })
}

#[test]
fn every_packet_comes_when_it_was_told_to_come() {
    for kind in [fixed(&[0, 50]), fixed(&[0, 12, 25, 37, 50, 62, 75, 87]), pias()] {
        // The run itself asserts it, too, if each packet was notified in time.
        let [used, mistimed, expired] = counts(&run(&kind, &kind));
        assert!(used > 3_000 && mistimed == 0 && expired == 0, "{used} {mistimed} {expired}");
    }
}

/// Ranks of packets, of remaining bytes of flows, and of virtual times; with and without push-out.
#[test]
fn ports_that_sort_correct_what_they_have_told() {
    for (rank, drop) in [
        ("packet-rank", "tail"),
        ("packet-rank", "worst-first"),
        ("remaining-bytes", "worst-first"),
        ("stfq", "worst-first"),
    ] {
        let kind = sorted(rank, drop);
        let outcome = run(&kind, &kind);
        let [used, mistimed, expired] = counts(&outcome);
        let told = || outcome.states.iter().map(|states| states.told.as_ref().unwrap());
        let ports = told().flat_map(|told| &told.notifiers);
        let uncorrected: u64 = ports.map(|port| port.announcer.uncorrected).sum();
        let cancelled: u64 = told().map(|told| told.cache.fpms.cancelled).sum();
        // Where a gap has no room for all corrections of a state, a few packets are taken for others of theirs.
        let is_exact = if uncorrected == 0 { mistimed == 0 } else { mistimed < 20 };
        assert!(used > 2_000 && is_exact && expired == 0, "{rank} {drop}: {used} {mistimed} {uncorrected} {expired}");
        assert!(drop == "worst-first" || uncorrected == 0, "{rank}: {uncorrected}");
        assert_eq!(cancelled > 0, drop == "worst-first", "{rank}: {cancelled}");
    }
}

#[test]
fn a_port_that_takes_packets_for_others_tells_the_wrong_times() {
    let [_, mistimed, _] = counts(&run(&fixed(&[0, 50]), &fixed(&[0, 60])));
    assert!(mistimed > 100, "{mistimed}");
}
