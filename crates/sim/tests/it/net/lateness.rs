//! Slacks and deadlines over several hops: LSTF, EDF and FIFO+.

use super::support::{Port, flow, gbps, leaf_spine, run, spec, transport};
use forebay_core::{BufferSize, ClassId, Discipline, Duration, Packet, Rng, Seed, Time, Verdict};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use forebay_sim::net::{Allowances, Carriage, FlowSpec, Graph, Lateness, NetworkSpec, NodeKind};
use rand::RngExt as _;
use std::collections::HashMap;

/// Serves one of those that wait, drawn at random.
struct AtRandom {
    waiting: Vec<Packet>,
    bytes: u64,
    rng: Rng,
}

impl Discipline for AtRandom {
    fn enqueue(&mut self, _now: Time, packet: Packet, _evicted: &mut Vec<Packet>) -> Verdict {
        self.bytes += u64::from(packet.size_bytes);
        self.waiting.push(packet);
        Verdict::Queued { rank: packet.rank }
    }

    fn dequeue(&mut self, _now: Time) -> Option<Packet> {
        let drawn = self.rng.random_range(0..self.waiting.len());
        let packet = self.waiting.swap_remove(drawn);
        self.bytes -= u64::from(packet.size_bytes);
        Some(packet)
    }

    fn len(&self) -> usize {
        self.waiting.len()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// An exact queue for these ranks at every port.
fn ranked(graph: &Graph, rank: &str) -> Vec<Port> {
    let port = |link_rate| -> Port {
        let spec = DisciplineSpec {
            rank: Part::named(rank),
            queue: Part::named("pifo"),
            drop: Part::named("tail"),
            buffer: BufferSize::Packets(100_000),
            mark: None,
            pace: None,
            rank_unit: RankUnit::ONE,
            link_rate,
        };
        Box::new(RankDiscipline::new(&spec).unwrap())
    };
    graph.links().iter().map(|link| port(link.rate)).collect()
}

/// The same for every packet.
struct Always(Lateness);

impl Allowances for Always {
    fn next(&mut self, _now: Time, _flow: &FlowSpec) -> Lateness {
        self.0
    }
}

/// Of each flow, by its sender and its start.
struct Listed(HashMap<(u32, Time), Lateness>);

impl Allowances for Listed {
    fn next(&mut self, _now: Time, flow: &FlowSpec) -> Lateness {
        self.0[&(flow.src.0, flow.start)]
    }
}

/// Eight hosts on either side of one link.
fn dumbbell() -> Graph {
    let mut graph = Graph::default();
    let hosts: Vec<_> = (0..16).map(|host| graph.add_node(format!("h{host}"), NodeKind::Host, 0)).collect();
    let switches = [0, 1].map(|side| graph.add_node(format!("s{side}"), NodeKind::Switch, 0));
    for (number, host) in hosts.iter().enumerate() {
        graph.connect(*host, switches[number / 8], gbps(1), Duration::from_us(1));
    }
    graph.connect(switches[0], switches[1], gbps(4), Duration::from_us(5));
    graph
}

/// Flows of one packet each, between hosts that `ends` draws, at this load of the links of eight senders.
fn single_packets(count: u64, load: f64, mut ends: impl FnMut(&mut Rng) -> (u32, u32)) -> Vec<FlowSpec> {
    let mut rng = Seed(3).stream("single packets");
    let packet_ns = gbps(1).transmission_time(1_040).as_ps() as f64 / 1_000.0;
    let length = (count as f64 * packet_ns / load / 8.0) as u64;
    let mut flows: Vec<_> = (0..count)
        .map(|_| {
            let (src, dst) = ends(&mut rng);
            flow(rng.random_range(0..length), src, dst, 1_000)
        })
        .collect();
    flows.sort_by_key(|flow| (flow.start, flow.src));
    flows.dedup_by_key(|flow| (flow.start, flow.src));
    flows
}

fn of(graph: Graph, elements: Vec<Port>, allowances: Option<Box<dyn Allowances + Send>>) -> NetworkSpec<Port> {
    let workloads = vec![Carriage { allowances, ..Carriage::plain(transport("udp")) }];
    NetworkSpec { elements, workloads, ..spec(graph, "100000 packets", transport("udp")) }
}

#[test]
fn lstf_replays_a_schedule_whose_ports_choose_at_random() {
    let (graph, flows) =
        (dumbbell(), single_packets(30_000, 0.35, |rng| (rng.random_range(0..8), rng.random_range(8..16))));
    let at_random = (0..graph.links().len()).map(|link| -> Port {
        Box::new(AtRandom { waiting: Vec::new(), bytes: 0, rng: Seed(9).stream(&format!("random/{link}")) })
    });
    let at_random = at_random.collect();
    let recorded = run(of(graph.clone(), at_random, None), &flows);
    let slack = recorded.flows.iter().map(|record| {
        let took = record.received.unwrap().since(record.flow.start);
        ((record.flow.src.0, record.flow.start), Lateness::Slack(took - record.alone.unwrap().data))
    });
    let slack: HashMap<_, _> = slack.collect();
    let overdue = |elements, slack: HashMap<(u32, Time), Lateness>| {
        let replayed = run(of(graph.clone(), elements, Some(Box::new(Listed(slack)))), &flows);
        let both = replayed.flows.iter().zip(&recorded.flows);
        let late = both.filter(|(replayed, recorded)| {
            assert_eq!(replayed.flow, recorded.flow);
            replayed.received > recorded.received
        });
        late.count() as f64 / recorded.flows.len() as f64
    };
    let by_slack = overdue(ranked(&graph, "edf"), slack.clone());
    assert!(by_slack < 0.01, "{by_slack}");
    let in_order = overdue(ranked(&graph, "arrival"), slack);
    assert!(in_order > 0.1, "{in_order}");
}

#[test]
fn edf_keeps_more_deadlines_than_fifo() {
    let flows = single_packets(30_000, 0.7, |rng| {
        let src = rng.random_range(0..8);
        (src, (src + rng.random_range(1..8)) % 8)
    });
    let graph = leaf_spine();
    let mut rng = Seed(4).stream("deadlines");
    let deadlines = flows.iter().map(|flow| {
        let deadline = flow.start + Duration::from_ns(rng.random_range(40_000..200_000));
        ((flow.src.0, flow.start), Lateness::Deadline(deadline))
    });
    let deadlines: HashMap<_, _> = deadlines.collect();
    let missed = |rank| {
        let allowances = Box::new(Listed(deadlines.clone()));
        let outcome = run(of(graph.clone(), ranked(&graph, rank), Some(allowances)), &flows);
        let late = outcome.flows.iter().filter(|record| {
            let Lateness::Deadline(deadline) = deadlines[&(record.flow.src.0, record.flow.start)] else {
                unreachable!()
            };
            record.received.unwrap() > deadline
        });
        late.count()
    };
    let (edf, fifo) = (missed("edf"), missed("arrival"));
    assert!(fifo > 500 && 2 * edf < fifo, "{edf} {fifo}");
}

/// Switches in a row, with so many links. Host 0 sends through all of them to host 1; hosts 2i + 2 send through link i to hosts
/// 2i + 3.
fn row(hops: u32) -> Graph {
    let mut graph = Graph::default();
    let hosts: Vec<_> = (0..2 * hops + 2).map(|host| graph.add_node(format!("h{host}"), NodeKind::Host, 0)).collect();
    let switches: Vec<_> = (0..=hops).map(|switch| graph.add_node(format!("s{switch}"), NodeKind::Switch, 0)).collect();
    let mut connect = |host: usize, switch: usize| {
        graph.connect(hosts[host], switches[switch], gbps(100), Duration::from_ns(100));
    };
    let hops = hops as usize;
    connect(0, 0);
    connect(1, hops);
    for hop in 0..hops {
        connect(2 * hop + 2, hop);
        connect(2 * hop + 3, hop + 1);
    }
    for pair in switches.windows(2) {
        graph.connect(pair[0], pair[1], gbps(1), Duration::from_us(1));
    }
    graph
}

/// Packets from end to end of [`row`] at a tenth of the links, and such as cross them in bursts at six tenths.
fn crossing_packets(hops: u32) -> Vec<FlowSpec> {
    const PACKET_NS: f64 = 8_320.0;
    let mut rng = Seed(6).stream("crossing");
    let through = 10_000;
    let length = (f64::from(through) * PACKET_NS / 0.1) as u64;
    let mut flows: Vec<_> =
        (0..through).map(|_| FlowSpec { workload: 1, ..flow(rng.random_range(0..length), 0, 1, 1_000) }).collect();
    let bursts = (length as f64 * 0.6 / PACKET_NS / 10.0) as u64;
    for hop in 0..hops {
        for _ in 0..bursts {
            let start = rng.random_range(0..length);
            let packets = rng.random_range(1..20);
            flows.extend((0..packets).map(|_| flow(start, 2 * hop + 2, 2 * hop + 3, 1_000)));
        }
    }
    flows.sort_by_key(|flow| flow.start);
    flows
}

#[test]
fn fifo_plus_lowers_the_tail_of_packets_that_cross_many_links() {
    let (graph, flows) = (row(6), crossing_packets(6));
    let delays = |rank| {
        let carriage = |class| Carriage {
            class: ClassId(class),
            allowances: Some(Box::new(Always(Lateness::Slack(Duration::from_ms(100))))),
            ..Carriage::plain(transport("udp"))
        };
        let workloads = vec![carriage(0), carriage(1)];
        let outcome = run(NetworkSpec { workloads, ..of(graph.clone(), ranked(&graph, rank), None) }, &flows);
        let through = outcome.flows.iter().filter(|record| record.flow.workload == 1);
        let mut delays: Vec<f64> =
            through.map(|record| record.received.unwrap().since(record.flow.start).as_secs_f64()).collect();
        delays.sort_by(f64::total_cmp);
        (delays.iter().sum::<f64>() / delays.len() as f64, delays[delays.len() * 99 / 100])
    };
    let (fifo_mean, fifo_tail) = delays("arrival");
    let (mean, tail) = delays("fifo-plus");
    assert!((mean / fifo_mean - 1.0).abs() < 0.1, "{mean} {fifo_mean}");
    assert!(tail < 0.9 * fifo_tail, "{tail} {fifo_tail}");
}
