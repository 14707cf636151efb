//! What the tests build networks from.

use forebay_core::registry::find;
use forebay_core::{BufferSize, Duration, Element, Params, Rate, Seed, Time};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use forebay_sim::net::transport::TRANSPORTS;
use forebay_sim::net::{
    Carriage, FlowSource, FlowSpec, Graph, HostId, Network, NetworkOutcome, NetworkSpec, NodeKind, Pace, RunOptions,
    Transport,
};
use rand::RngExt as _;

pub(crate) type Port = Box<dyn Element>;

/// Flows of a list.
pub(crate) struct List(pub(crate) std::vec::IntoIter<FlowSpec>);

impl List {
    pub(crate) fn new(flows: &[FlowSpec]) -> Self {
        Self(Vec::from(flows).into_iter())
    }
}

impl FlowSource for List {
    fn next_flow(&mut self) -> Option<FlowSpec> {
        self.0.next()
    }
}

pub(crate) fn gbps(rate: u64) -> Rate {
    Rate::from_bits_per_second(rate * 1_000_000_000).unwrap()
}

pub(crate) fn flow(start_ns: u64, src: u32, dst: u32, bytes: u64) -> FlowSpec {
    FlowSpec { start: Time::from_ns(start_ns), src: HostId(src), dst: HostId(dst), bytes, workload: 0 }
}

/// The transport called `name`, with its defaults.
pub(crate) fn transport(name: &str) -> Box<dyn Transport> {
    let entry = find("transport", TRANSPORTS, name).unwrap();
    (entry.build)(&Params::defaults(entry.about.params)).unwrap()
}

/// First come, first served, up to so much.
pub(crate) fn fifo(buffer: &str, rate: Rate) -> Port {
    let spec = DisciplineSpec {
        rank: Part::named("arrival"),
        queue: Part::named("fifo"),
        drop: Part::named("tail"),
        buffer: BufferSize::parse(buffer).unwrap(),
        mark: None,
        pace: None,
        rank_unit: RankUnit::ONE,
        link_rate: rate,
    };
    Box::new(RankDiscipline::new(&spec).unwrap())
}

/// Two leaves, two spines, eight hosts.
pub(crate) fn leaf_spine() -> Graph {
    let mut graph = Graph::default();
    let hosts: Vec<_> = (0..8).map(|host| graph.add_node(format!("h{host}"), NodeKind::Host, host / 4)).collect();
    let leaves = [0, 1].map(|leaf| graph.add_node(format!("leaf{leaf}"), NodeKind::Switch, leaf));
    let spines = [0, 1].map(|spine| graph.add_node(format!("spine{spine}"), NodeKind::Switch, 0));
    for (number, host) in hosts.iter().enumerate() {
        graph.connect(*host, leaves[number / 4], gbps(1), Duration::from_ns(100));
    }
    for leaf in leaves {
        for spine in spines {
            graph.connect(leaf, spine, gbps(2), Duration::from_ns(500));
        }
    }
    graph
}

/// A network with FIFOs at all ports and one transport for all.
pub(crate) fn spec(graph: Graph, buffer: &str, transport: Box<dyn Transport>) -> NetworkSpec<Port> {
    NetworkSpec {
        elements: graph.links().iter().map(|link| fifo(buffer, link.rate)).collect(),
        graph,
        shared_buffer: None,
        states: Vec::new(),
        workloads: vec![Carriage::plain(transport)],
        changes: Vec::new(),
        reroute_after: Duration::ZERO,
        pace: Pace::Own,
        seed: Seed(1),
    }
}

pub(crate) fn run(spec: NetworkSpec<Port>, flows: &[FlowSpec]) -> NetworkOutcome<Port> {
    Network::new(spec).unwrap().run(&mut List::new(flows), &RunOptions::default())
}

/// Flows between the hosts of [`leaf_spine`].
pub(crate) fn some_flows(count: u64) -> Vec<FlowSpec> {
    let mut rng = Seed(11).stream("flows");
    let mut flows: Vec<_> = (0..count)
        .map(|_| {
            let src = rng.random_range(0..8);
            flow(rng.random_range(0..4_000_000), src, (src + rng.random_range(1..8)) % 8, rng.random_range(1..40_000))
        })
        .collect();
    flows.sort_by_key(|flow| flow.start);
    flows
}
