//! What a packet hop costs: a packet sent over one link, data and acknowledgements alike.
//!
//! `cargo bench -p forebay-sim`. Each case runs in a process of its own, for its peak memory; processor time is that of the
//! run without its set-up. Instructions are counted by valgrind, where there is one, on a shorter run. Where ns-3's dumbbell
//! has been built (`benches/ns3/run.sh`), it runs next to that of this simulator.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use cpu_time::ProcessTime;
use forebay_bench::Bench;
use forebay_cache::seer::{self as seer, Announcer, AnnouncerSpec, SeerCache, SeerSpec};
use forebay_cache::{Choice, StateCache, StateCacheSpec};
use forebay_core::registry::find;
use forebay_core::{BufferSize, Discipline, Duration, ParamValue, Params, Rate, Seed, Time};
use forebay_sched::{DisciplineSpec, Part, RankUnit, discipline};
use forebay_sim::net::topology::TOPOLOGIES;
use forebay_sim::net::transport::TRANSPORTS;
use forebay_sim::net::workload::{Arrivals, Generator, Hosts, Intensity, pattern, size};
use forebay_sim::net::{
    AskedOf, Carriage, Census, FlowSource, FlowSpec, Graph, HostId, Impairments, Network, NetworkOutcome, NetworkSpec,
    NodeId, NodeKind, Notifier, Order, Pace, RunOptions, StateKey, StateStore, StatefulNode, Told, Transport, Waits,
};
use std::process::Command;

/// Prints and keeps the numbers of this benchmark.
const BENCH: Bench = Bench { package: env!("CARGO_PKG_NAME"), name: "network" };

/// What a run leaves behind, and how many processor seconds it took.
type Ran = (NetworkOutcome<Port>, f64);

/// What stands at a port.
type Port = Box<dyn Discipline + Send>;

/// One case: its name and simulated seconds.
struct Case {
    name: &'static str,
    seconds: f64,
    /// For counting instructions.
    short_seconds: f64,
    run: fn(f64) -> Ran,
}

const CASES: [Case; 5] = [
    Case {
        name: "leaf-spine, 144 hosts, DCTCP, web search at 60 %",
        seconds: 1.0,
        short_seconds: 0.03,
        run: leaf_spine,
    },
    Case { name: "single bottleneck, 2 NewReno flows", seconds: 20.0, short_seconds: 1.0, run: single_bottleneck },
    Case { name: "dumbbell of benches/ns3, 10 NewReno flows", seconds: 10.0, short_seconds: 1.0, run: dumbbell },
    Case {
        name: "leaf-spine, 144 hosts, 100 Gbps, states in all switches, DCTCP, web search at 60 %",
        seconds: 0.004,
        short_seconds: 0.000_3,
        run: |seconds| leaf_spine_with_states(seconds, false),
    },
    Case {
        name: "the same, all switches told by their neighbours what comes",
        seconds: 0.004,
        short_seconds: 0.000_3,
        run: |seconds| leaf_spine_with_states(seconds, true),
    },
];
/// The place of the dumbbell.
const DUMBBELL: usize = 2;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().position(|argument| argument == "--case") {
        Some(at) => child(&arguments[at + 1..]),
        None => table(),
    }
}

/// Runs one case, and prints hops, events, processor seconds and peak memory.
fn child(arguments: &[String]) {
    let [case, seconds] = arguments else { panic!("--case NUMBER SECONDS") };
    let case = &CASES[case.parse::<usize>().expect("a number")];
    let (outcome, cpu) = (case.run)(seconds.parse().expect("a number"));
    println!("{} {} {cpu} {}", outcome.packet_hops, outcome.events, peak_memory_kb());
}

fn peak_memory_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// What a child printed: hops, events, processor seconds, peak kilobytes.
fn figures(case: usize, seconds: f64) -> [f64; 4] {
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(["--case", &case.to_string(), &seconds.to_string()])
        .output()
        .expect("this program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().expect("four numbers")
}

/// Instructions per hop, the set-up taken out by running twice as long; [`None`] without valgrind.
fn instructions_per_hop(case: usize) -> Option<f64> {
    let short = CASES[case].short_seconds;
    let count = |seconds: f64| -> Option<(f64, f64)> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(std::env::current_exe().ok()?)
            .args(["--case", &case.to_string(), &seconds.to_string()])
            .output()
            .ok()?;
        let hops = String::from_utf8_lossy(&output.stdout).split_whitespace().next()?.parse().ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let collected = text.lines().find_map(|line| line.split_once("Collected : "))?.1.trim().parse().ok()?;
        Some((hops, collected))
    };
    let (short, long) = (count(short)?, count(2.0 * short)?);
    Some((long.1 - short.1) / (long.0 - short.0))
}

fn table() {
    println!(
        "| case | packet hops | events per hop | million hops per CPU second | instructions per hop | peak memory |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut own = 0.0;
    for (number, case) in CASES.iter().enumerate() {
        // The best of three: other work on the machine only takes away.
        let runs: Vec<[f64; 4]> = (0..3).map(|_| figures(number, case.seconds)).collect();
        let [hops, events, _, kilobytes] = runs[0];
        let rate = runs.iter().map(|[hops, _, cpu, _]| hops / cpu / 1e6).fold(0.0, f64::max);
        let instructions = BENCH.instructions(case.name, instructions_per_hop(number));
        println!(
            "| {}, {} s | {hops} | {:.2} | {rate:.2} | {instructions} | {:.0} MB |",
            case.name,
            case.seconds,
            events / hops,
            kilobytes / 1e3
        );
        if number == DUMBBELL {
            own = rate;
        }
    }
    if let Some(other) = ns3_hops_per_second() {
        println!(
            "\nns-3 on the same dumbbell: {:.3} million hops per CPU second; ratio {}",
            other / 1e6,
            BENCH.ratio("dumbbell, speed over ns-3", own * 1e6 / other)
        );
    }
}

/// What ns-3's dumbbell says of itself, the best of three; [`None`] if it has not been built.
fn ns3_hops_per_second() -> Option<f64> {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/ns3/dumbbell");
    let run = || -> Option<f64> {
        let text = String::from_utf8(Command::new(program).output().ok()?.stdout).ok()?;
        let (_, value) = text.split_once("\"hops_per_cpu_s\":")?;
        value.trim_start().split(|c: char| c != '.' && !c.is_ascii_digit()).next()?.parse().ok()
    };
    (0..3).filter_map(|_| run()).reduce(f64::max)
}

fn params(names: &[(&str, ParamValue)]) -> std::collections::BTreeMap<String, ParamValue> {
    names.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn transport(name: &str, given: &[(&str, ParamValue)]) -> Box<dyn Transport> {
    let entry = find("transport", TRANSPORTS, name).expect("a transport");
    (entry.build)(&Params::check(entry.about.params, params(given)).expect("its parameters")).expect("a transport")
}

/// A FIFO of 100 packets, marking from `mark` packets on.
fn port(rate: Rate, mark: Option<i64>) -> Port {
    let mark = mark.map(|packets| Part {
        name: "threshold".to_owned(),
        params: params(&[("packets", ParamValue::Integer(packets))]),
        own: None,
    });
    let spec = DisciplineSpec {
        rank: Part::named("arrival"),
        queue: Part::named("fifo"),
        drop: Part::named("tail"),
        mark,
        pace: None,
        buffer: BufferSize::Packets(100),
        rank_unit: RankUnit::ONE,
        link_rate: rate,
    };
    discipline(&spec, Seed(1)).expect("a FIFO")
}

/// Runs flows on a network, and says how many processor seconds that took.
fn run(
    graph: Graph,
    transport: Box<dyn Transport>,
    mark: Option<i64>,
    flows: &mut dyn FlowSource,
    seconds: f64,
) -> Ran {
    run_with(graph, Vec::new(), transport, mark, flows, seconds)
}

/// The same with states in switches.
fn run_with(
    graph: Graph,
    states: Vec<StatefulNode>,
    transport: Box<dyn Transport>,
    mark: Option<i64>,
    flows: &mut dyn FlowSource,
    seconds: f64,
) -> Ran {
    let spec = NetworkSpec {
        elements: graph.links().iter().map(|link| port(link.rate, mark)).collect(),
        graph,
        shared_buffer: None,
        states,
        workloads: vec![Carriage::plain(transport)],
        changes: Vec::new(),
        reroute_after: Duration::ZERO,
        pace: Pace::Own,
        seed: Seed(1),
    };
    let network = Network::new(spec).expect("a network");
    let until = Time::ZERO + Duration::from_secs_f64(seconds);
    let start = ProcessTime::now();
    let outcome = network.run(flows, &RunOptions { until, ..RunOptions::default() });
    (outcome, start.elapsed().as_secs_f64())
}

/// The network of pFabric, with these parameters besides.
fn leaf_spine_graph(given: &[(&str, ParamValue)]) -> Graph {
    let entry = find("topology", TOPOLOGIES, "leaf-spine").expect("a topology");
    (entry.build)(&Params::check(entry.about.params, params(given)).expect("parameters")).expect("a leaf-spine")
}

/// Web search from all to all at a load of 60 %.
fn web_search(graph: &Graph, seconds: Option<f64>) -> Generator {
    let hosts = Hosts::of(graph).expect("hosts");
    let sizes = size::find("web-search").expect("sizes");
    let all = pattern::find("all-to-all").expect("a pattern");
    let recipe = forebay_sim::net::workload::Recipe {
        number: 0,
        sizes: sizes.build(&Params::defaults(sizes.about.params), None).expect("sizes"),
        pattern: (all.build)(&Params::defaults(all.about.params), &hosts, Seed(1)).expect("a pattern"),
        arrivals: Arrivals::Poisson(Intensity::Load { load: 0.6, wire_overhead: 1500.0 / 1460.0 }),
        start: Time::ZERO,
        duration: seconds.map(Duration::from_secs_f64),
        flows: None,
    };
    Generator::new(recipe, &hosts, Seed(1)).expect("a generator")
}

fn leaf_spine(seconds: f64) -> Ran {
    let rate = |rate: &str| ParamValue::Text(rate.to_owned());
    let graph = leaf_spine_graph(&[("access_rate", rate("1 Gbps")), ("core_rate", rate("4 Gbps"))]);
    let mut flows = web_search(&graph, None);
    run(graph, transport("dctcp", &[]), Some(10), &mut flows, seconds)
}

/// As section 6 of Seer (NSDI'24): caches of 20 % of the states that pass, each a direction of a flow, under LRU, or under
/// Seer over LRU.
fn leaf_spine_with_states(seconds: f64, told: bool) -> Ran {
    let text = |value: &str| ParamValue::Text(value.to_owned());
    let graph = leaf_spine_graph(&[
        ("spines", ParamValue::Integer(16)),
        ("access_rate", text("100 Gbps")),
        ("core_rate", text("100 Gbps")),
        ("access_propagation", text("100 ns")),
        ("core_propagation", text("100 ns")),
    ]);
    let until = Time::ZERO + Duration::from_secs_f64(seconds);
    let census = Census { graph: &graph, seed: Seed(1), answered: &[true], until };
    let asked = AskedOf { key: StateKey::Flow, acknowledgements: true };
    let counted = census.count(&mut web_search(&graph, Some(seconds)), &[asked]);
    let lru: Choice = "lru".parse().expect("a policy");
    let announcer = |rate| Announcer::new(AnnouncerSpec { rate, ..AnnouncerSpec::default() });
    let notifier = |rate| {
        let queue_of_class = Box::new([0; 256]);
        Ok(Some(Notifier {
            announcer: announcer(rate)?,
            order: Order::Classes(queue_of_class),
            impairments: Impairments::default(),
        }))
    };
    let store = |node: NodeId| {
        let entries = (counted[0].at_node[node.index()] / 5 / 8).max(1) * 8;
        let spec = StateCacheSpec { entries, ways: Some(8), latency: 100_000, parallel: None, seed: Seed(1) };
        if !told {
            return StateStore::OnDemand(Box::new(StateCache::new(&spec, &lru).expect("a cache")));
        }
        let cache = |rates| SeerCache::new(&SeerSpec::of(spec, rates, seer::Pace::Cycle(Duration::from_ns(1))), &lru);
        let told = Told::at(&graph, node, cache, |_, link| notifier(link.rate), None);
        StateStore::Told(Box::new(told.expect("a cache that is told")))
    };
    let nodes = (0..).zip(graph.nodes()).filter(|(_, node)| node.kind == NodeKind::Switch);
    let states = nodes.map(|(number, _)| StatefulNode {
        node: NodeId(number),
        asked,
        store: store(NodeId(number)),
        remote: None,
        waits: Waits::Packet,
        waiting_packets: None,
        lookahead: false,
        recorded: false,
    });
    let states = states.collect();
    let mut flows = web_search(&graph, Some(seconds));
    run_with(graph, states, transport("dctcp", &[]), Some(65), &mut flows, seconds)
}

/// Endless flows from the first hosts to the others.
struct Endless {
    pairs: u32,
    receivers: u32,
    next: u32,
}

impl FlowSource for Endless {
    fn next_flow(&mut self) -> Option<FlowSpec> {
        let number = self.next;
        self.next += 1;
        (number < self.pairs).then(|| FlowSpec {
            start: Time::from_ns(u64::from(number + 1) * 10_000),
            src: HostId(number),
            dst: HostId(self.pairs + number % self.receivers),
            bytes: FlowSpec::ENDLESS,
            workload: 0,
        })
    }
}

/// Hosts at both ends of one link.
fn dumbbell_graph(senders: u32, receivers: u32) -> Graph {
    let (rate, delay) = (Rate::from_bits_per_second(1_000_000_000).expect("a rate"), Duration::from_us(10));
    let mut graph = Graph::default();
    let hosts: Vec<_> =
        (0..senders + receivers).map(|host| graph.add_node(format!("h{host}"), NodeKind::Host, 0)).collect();
    let [left, right] = ["left", "right"].map(|name| graph.add_node(name, NodeKind::Switch, 0));
    let (from, to) = hosts.split_at(senders as usize);
    from.iter().for_each(|host| graph.connect(*host, left, rate, delay));
    to.iter().for_each(|host| graph.connect(*host, right, rate, delay));
    graph.connect(left, right, rate, delay);
    graph
}

/// The parameters of benches/ns3/README.md.
fn as_in_ns3() -> Box<dyn Transport> {
    let integer = ParamValue::Integer;
    transport(
        "newreno",
        &[
            ("mss", integer(1_458)),
            ("header_bytes", integer(42)),
            ("initial_window", integer(3)),
            ("initial_ssthresh", integer(30)),
            ("max_window_bytes", integer(65_535)),
            ("initial_rto", ParamValue::Text("1 ms".to_owned())),
        ],
    )
}

fn single_bottleneck(seconds: f64) -> Ran {
    run(dumbbell_graph(2, 1), as_in_ns3(), None, &mut Endless { pairs: 2, receivers: 1, next: 0 }, seconds)
}

fn dumbbell(seconds: f64) -> Ran {
    run(dumbbell_graph(10, 10), as_in_ns3(), None, &mut Endless { pairs: 10, receivers: 10, next: 0 }, seconds)
}
