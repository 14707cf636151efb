//! A policy with a port for each link of a switch: the network does what the reference engine does, driven by hand.

use crate::net::support::{List, Port, fifo, flow, gbps, leaf_spine, spec, transport};
use forebay_core::{Packet, QueueId, Rate, Rng, Seed, Time, Verdict};
use forebay_engine::{Engine as _, EngineOptions, Fast, PolicyElement, Reference};
use forebay_lang::ir::PortId;
use forebay_lang::{Overrides, Policy, analyse};
use forebay_sim::Probe;
use forebay_sim::net::{
    Change, FlowSpec, Graph, Network, NetworkOutcome, NetworkSpec, NodeId, RunEnd, RunOptions, SharedLink,
};
use rand::RngExt as _;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

const LQD: &str = include_str!("../../../../../policies/lqd.oq");
const THRESHOLDS: &str = include_str!("../../../../../policies/dynamic-thresholds.oq");
const LQD_MARKING: &str = include_str!("../../../../../policies/lqd-marking.oq");
const THRESHOLDS_MARKING: &str = include_str!("../../../../../policies/dynamic-thresholds-marking.oq");

/// Drops by chance from the longest queue, and lets urgent packets of every port go first.
const BY_CHANCE: &str = "param ports = 4; param B = 20 pkts;\n\
    urgent[1..ports] = Queue(B); data[1..ports] = Queue(B);\n\
    for i in 1..ports { out[i] = Port(100, urgent[i], data[i]); }\n\
    first(q1, q2) = (q1.schedState > q2.schedState);\n\
    for i in 1..ports { urgent[i].schedState = 1; out[i].schedPrio = first; }\n\
    b = Buffer(B, urgent[1..ports], data[1..ports]);\n\
    longest(q1, q2) = (q1.currSize > q2.currSize);\n\
    b.admPrio = longest;\n\
    b.congestion(b) = (b.currSize > b.size, drop(1)).(b.currSize > .5 * b.size, drop(.1));\n\
    classify(p) = (p.size < 200, enter(urgent[p.queue + 1])).(true, enter(data[p.queue + 1]));";

const TEXTS: [&str; 5] = [LQD, THRESHOLDS, LQD_MARKING, THRESHOLDS_MARKING, BY_CHANCE];

/// The policy for so many ports, with so many packets of memory.
fn policy(text: &str, ports: usize, packets: usize) -> Policy {
    let mut params: Overrides = vec![("ports".to_owned(), ports.to_string().parse().unwrap())];
    params.push(("B".to_owned(), format!("{packets} pkts").parse().unwrap()));
    if text.contains("param K") {
        params.push(("K".to_owned(), "3 pkts".parse().unwrap()));
    }
    let analysis = analyse(text, &params);
    let policy = analysis.policy.unwrap_or_else(|| panic!("{:#?}", analysis.diagnostics));
    assert_eq!(policy.astray(), None);
    policy
}

fn fast(policy: &Policy, options: EngineOptions) -> Fast {
    Fast::new(policy, options).unwrap()
}

/// What a port has shown, of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Offered(Packet),
    Queued(u64),
    Refused(u64),
    Evicted(u64),
    Dequeued(Packet),
    Sent,
}

type Log = Arc<Mutex<Vec<(Time, usize, Shown)>>>;

struct Ear {
    link: usize,
    log: Log,
}

impl Ear {
    fn note(&self, now: Time, shown: Shown) {
        self.log.lock().unwrap().push((now, self.link, shown));
    }
}

impl Probe for Ear {
    fn offered(&mut self, now: Time, packet: &Packet) {
        self.note(now, Shown::Offered(*packet));
    }

    fn queued(&mut self, now: Time, packet: &Packet, _: usize) {
        self.note(now, Shown::Queued(packet.id));
    }

    fn refused(&mut self, now: Time, packet: &Packet) {
        self.note(now, Shown::Refused(packet.id));
    }

    fn evicted(&mut self, now: Time, packet: &Packet) {
        self.note(now, Shown::Evicted(packet.id));
    }

    fn dequeued(&mut self, now: Time, packet: &Packet, _: usize) {
        self.note(now, Shown::Dequeued(*packet));
    }

    fn sent(&mut self, now: Time, _: &Packet) {
        self.note(now, Shown::Sent);
    }
}

/// The switches of a graph.
fn switches(graph: &Graph) -> Vec<NodeId> {
    (0..graph.nodes().len() as u32).map(NodeId).filter(|node| !graph.is_host(*node)).collect()
}

/// The policies of the switches, each with one port for each link.
fn share(spec: &mut NetworkSpec<Port>, text: &str, packets: usize) -> BTreeMap<NodeId, Policy> {
    let mut policies = BTreeMap::new();
    for node in switches(&spec.graph) {
        let links = spec.graph.links_from(node);
        let rates: Vec<Rate> = links.iter().map(|link| spec.graph.links()[*link].rate).collect();
        let policy = policy(text, links.len(), packets);
        let element = PolicyElement::at_links(fast, policy.clone(), &rates, Seed(9));
        for (link, port) in links.iter().zip(SharedLink::all_of(element)) {
            spec.elements[*link] = Box::new(port);
        }
        policies.insert(node, policy);
    }
    policies
}

/// The link to host 5 of [`leaf_spine`].
const BUSIEST: usize = 11;

fn some_changes(rng: &mut Rng, links: usize) -> Vec<(Time, Change)> {
    let mut changes = Vec::new();
    for _ in 0..rng.random_range(1..8) {
        // Often the link at which most flows meet.
        let link = if rng.random_bool(0.3) { BUSIEST } else { rng.random_range(0..links) };
        let at = rng.random_range(0..2_000_000);
        changes.push((Time::from_ns(at), Change::Down(link)));
        changes.push((Time::from_ns(at + rng.random_range(1..500_000)), Change::Up(link)));
    }
    changes
}

fn some_flows(rng: &mut Rng) -> Vec<FlowSpec> {
    let mut flows: Vec<_> = (0..60)
        .map(|_| {
            // Half of the flows meet at one host.
            let dst = if rng.random_bool(0.5) { 5 } else { rng.random_range(0..8) };
            let src = (dst + rng.random_range(1..8)) % 8;
            flow(rng.random_range(0..2_000_000), src, dst, rng.random_range(1..60_000))
        })
        .collect();
    flows.sort_by_key(|flow| flow.start);
    flows
}

/// A run with an ear at every port.
fn play(spec: NetworkSpec<Port>, flows: &[FlowSpec]) -> (NetworkOutcome<Port>, Vec<(Time, usize, Shown)>) {
    let links = spec.graph.links().len();
    let mut network = Network::new(spec).unwrap();
    let log = Log::default();
    (0..links).for_each(|link| network.watch(link, Box::new(Ear { link, log: Arc::clone(&log) })));
    let options = RunOptions { go_on: &|so_far| so_far.packet_hops < 1_000_000, ..RunOptions::default() };
    let outcome = network.run(&mut List::new(flows), &options);
    let log = std::mem::take(&mut *log.lock().unwrap());
    (outcome, log)
}

/// What the reference engine has done, by link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counted {
    sent: u64,
    dropped: u64,
    lost: u64,
    marked: u64,
}

/// Drives the reference engine of a switch by hand, with what its ports were offered and when they sent; everything else must
/// follow. How many packets of other links were pushed out.
fn follow(graph: &Graph, node: NodeId, policy: &Policy, log: &[(Time, usize, Shown)], counted: &mut [Counted]) -> u64 {
    let links = graph.links_from(node);
    let mut engine = Reference::new(policy, EngineOptions { policy_id: 1, seed: Seed(9) });
    let (mut verdict, mut evicted, mut offered) = (None, Vec::new(), BTreeMap::new());
    let mut others = 0;
    for (now, link, shown) in log {
        let Some(number) = links.iter().position(|own| own == link) else { continue };
        let number = number as u16;
        let counted = &mut counted[*link];
        match *shown {
            Shown::Offered(packet) => {
                assert_eq!((verdict, evicted.len()), (None, 0));
                offered.insert(packet.id, packet.marks);
                let packet = Packet { queue: QueueId(number), ..packet };
                verdict = Some((packet.id, *link, engine.enqueue(*now, packet, &mut evicted)));
            }
            Shown::Evicted(id) if evicted.is_empty() => {
                // The link has failed.
                let packet = engine.dequeue(*now, PortId(number)).unwrap();
                assert_eq!((packet.id, packet.queue.0), (id, number));
                counted.lost += 1;
            }
            Shown::Evicted(id) => {
                let victim: Packet = evicted.remove(0);
                assert_eq!((victim.id, victim.queue.0), (id, number));
                counted.dropped += 1;
                others += u64::from(verdict.is_some_and(|(_, arriving, _)| arriving != *link));
            }
            Shown::Queued(id) => {
                let (arriving, at, verdict) = verdict.take().unwrap();
                assert!(
                    matches!(verdict, Verdict::Queued { .. }) && (arriving, at) == (id, *link) && evicted.is_empty()
                );
            }
            Shown::Refused(id) => {
                let (arriving, at, verdict) = verdict.take().unwrap();
                assert!(
                    matches!(verdict, Verdict::Refused { .. }) && (arriving, at) == (id, *link) && evicted.is_empty()
                );
                counted.dropped += 1;
            }
            Shown::Dequeued(packet) => {
                assert_eq!(engine.dequeue(*now, PortId(number)), Some(packet));
                counted.sent += 1;
                counted.marked += u64::from(packet.marks.congested() && !offered[&packet.id].congested());
            }
            Shown::Sent => {}
        }
    }
    others
}

/// Every link sends as long as a packet waits for it: each transmission begins when the one before ends, or when its packet arrives.
fn sends_whenever_it_can(link: usize, log: &[(Time, usize, Shown)]) {
    let (mut waiting, mut since, mut free) = (0_u64, Time::ZERO, Time::ZERO);
    for (now, _, shown) in log.iter().filter(|(_, own, _)| *own == link) {
        match shown {
            Shown::Queued(_) => {
                since = if waiting == 0 { *now } else { since };
                waiting += 1;
            }
            Shown::Evicted(_) => waiting -= 1,
            Shown::Dequeued(_) => {
                assert_eq!(*now, since.max(free), "link {link}");
                waiting -= 1;
                since = *now;
            }
            Shown::Sent => free = *now,
            Shown::Offered(_) | Shown::Refused(_) => {}
        }
    }
    assert_eq!(waiting, 0, "link {link}");
}

#[test]
fn a_switch_of_a_network_does_what_the_engine_does_by_hand() {
    for (place, text) in TEXTS.into_iter().enumerate() {
        let mut sum = Counted::default();
        let mut others = 0;
        for number in 0..24 {
            let seed = Seed(number).part(&format!("shared/{place}"));
            let mut rng = seed.stream("shared");
            let name = ["newreno", "dctcp", "cubic"][rng.random_range(0..3)];
            let graph = leaf_spine();
            let mut spec = NetworkSpec { seed, ..spec(graph.clone(), "1000 packets", transport(name)) };
            let policies = share(&mut spec, text, rng.random_range(4..40));
            let fails = rng.random_bool(0.5);
            if fails {
                spec.changes = some_changes(&mut rng, graph.links().len());
            }
            let (outcome, log) = play(spec, &some_flows(&mut rng));
            assert_eq!(outcome.reason, RunEnd::Finished, "{place} {number}");

            let mut counted = vec![Counted::default(); graph.links().len()];
            for (node, policy) in &policies {
                others += follow(&graph, *node, policy, &log, &mut counted);
            }
            for (link, counts) in
                outcome.ports.iter().enumerate().filter(|(link, _)| !graph.is_host(graph.links()[*link].from))
            {
                let expected = Counted {
                    sent: counts.packets_sent,
                    dropped: counts.packets_dropped,
                    marked: counts.packets_marked,
                    lost: counted[link].lost,
                };
                assert_eq!(counted[link], expected, "{place} {number}: {}", graph.link_name(link));
                assert!(counted[link].lost <= counts.packets_lost);
                if !fails {
                    sends_whenever_it_can(link, &log);
                }
                sum.sent += counted[link].sent;
                sum.dropped += counted[link].dropped;
                sum.lost += counted[link].lost;
                sum.marked += counted[link].marked;
            }
        }
        assert!(sum.sent > 10_000 && sum.dropped > 100 && sum.lost > 5, "{place}: {sum:?}");
        assert_eq!(sum.marked > 100, text.contains("notify"), "{place}: {sum:?}");
        assert_eq!(others > 20, text.contains("longest"), "{place}: {others}");
    }
}

#[test]
fn one_port_behind_a_shared_link_is_as_one_alone() {
    let text = "param B = 20 pkts; q = Queue(B); out = Port(100);";
    let policy = analyse(text, &Vec::new()).policy.unwrap();
    let mut rng = Seed(3).stream("alone");
    let flows = some_flows(&mut rng);
    let outcomes = [false, true].map(|is_shared| {
        let graph = leaf_spine();
        let mut spec = spec(graph.clone(), "1000 packets", transport("dctcp"));
        for (link, element) in graph.links().iter().zip(&mut spec.elements) {
            let alone = PolicyElement::new(fast, policy.clone(), link.rate, Seed(9));
            *element = if is_shared { Box::new(SharedLink::all_of(alone).remove(0)) } else { Box::new(alone) };
        }
        let (outcome, log) = play(spec, &flows);
        // A shared link also numbers the queue of a packet, which is 0 in either case.
        (outcome.end, outcome.events, outcome.drops, outcome.flows, outcome.ports, log)
    });
    assert!(outcomes[0].2.total() > 10);
    assert_eq!(outcomes[0], outcomes[1]);
}

/// Four senders, one receiver, another receiver that shares the memory: drops, marks and timeouts under each policy.
fn incast(text: &str, control: &str) -> (u64, u64, u64) {
    let mut graph = Graph::default();
    let hosts: Vec<_> = (0..6).map(|host| graph.add_host(format!("h{host}"), 0)).collect();
    let switch = graph.add_switch("s");
    let delay = forebay_core::Duration::from_ns(1_000);
    hosts.iter().for_each(|host| graph.connect(*host, switch, gbps(1), delay));
    let mut spec = spec(graph.clone(), "1000 packets", transport(control));
    share(&mut spec, text, 200);
    let flows: Vec<_> = (0..4).map(|src| flow(u64::from(src) * 1_000, src, 5, 1_000_000)).collect();
    let (outcome, _) = play(spec, &flows);
    assert_eq!(outcome.reason, RunEnd::Finished);
    let to_receiver = graph.links().iter().position(|link| link.to == hosts[5]).unwrap();
    let port = outcome.ports[to_receiver];
    assert_eq!(outcome.drops.total(), port.packets_dropped, "all drops are at the link to the receiver");
    let sent_again = outcome.flows.iter().map(|record| record.sender.retransmissions).sum();
    (port.packets_dropped, port.packets_marked, sent_again)
}

#[test]
fn marks_of_a_policy_slow_dctcp_down_before_packets_are_dropped() {
    for [silent, marking] in [[LQD, LQD_MARKING], [THRESHOLDS, THRESHOLDS_MARKING]] {
        let (dropped, marked, sent_again) = incast(silent, "dctcp");
        assert!(dropped > 50 && marked == 0 && sent_again > 50, "{dropped} {marked} {sent_again}");
        let (dropped, marked, sent_again) = incast(marking, "dctcp");
        assert!(dropped == 0 && marked > 500 && sent_again == 0, "{dropped} {marked} {sent_again}");
        // NewReno does not ask for marks, and loses packets in either case.
        let (dropped, _, sent_again) = incast(marking, "newreno");
        assert!(dropped > 50 && sent_again > 50, "{dropped} {sent_again}");
    }
}

#[test]
#[should_panic(expected = "packets are counted from the first one")]
fn an_element_in_which_packets_wait_is_not_shared() {
    let mut element = fifo("9 packets", gbps(1));
    element.enqueue(Time::ZERO, Packet { size_bytes: 100, ..Packet::default() }, &mut Vec::new());
    SharedLink::all_of(element);
}
