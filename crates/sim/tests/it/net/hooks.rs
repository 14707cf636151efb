//! Hooks from outside of the crate: nodes that delay, hold or drop packets, and ports that notify.

use crate::net::support::{List, Port, flow, gbps, leaf_spine, some_flows, spec, transport};
use forebay_core::{ClassId, Duration, Rng, Time};
use forebay_sim::net::{
    Arrival, Counted, FlowSpec, FlowTable, Graph, HookedNetwork, Hooks, InFlight, Message, Network, NetworkOutcome,
    NodeHook, NodeId, PortHook, Queued, Reach, Release, RunOptions, Tells,
};
use rand::{RngExt as _, SeedableRng as _};
use std::collections::{HashMap, VecDeque};

/// Holds packets as `arrival` says, and notifies of every packet if `tells`.
struct Odd {
    arrival: fn(&mut Rng, Time) -> Arrival,
    tells: Tells,
    rng: Rng,
    /// Packets that are held back, and of each link those without a time.
    waiting: u64,
    held: HashMap<usize, VecDeque<u32>>,
    /// Of each link the numbers of messages on it.
    sent: HashMap<usize, VecDeque<u64>>,
    last_was_long: HashMap<usize, bool>,
    counts: Counts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    queued: u64,
    left: u64,
    sent: u64,
    heard: u64,
    timers: u64,
    released: u64,
    long_ps: u64,
}

const LONG: Duration = Duration::from_ps(70_000);

impl Odd {
    fn new(tells: Tells, arrival: fn(&mut Rng, Time) -> Arrival) -> Self {
        Self {
            arrival,
            tells,
            rng: Rng::seed_from_u64(5),
            waiting: 0,
            held: HashMap::new(),
            sent: HashMap::new(),
            last_was_long: HashMap::new(),
            counts: Counts::default(),
        }
    }

    fn say(&mut self, link: usize) {
        self.sent.entry(link).or_default().push_back(self.counts.sent);
        self.counts.sent += 1;
    }
}

impl NodeHook for Odd {
    fn holds_at(&self, _: NodeId) -> bool {
        true
    }

    fn arrived(&mut self, now: Time, _: NodeId, index: u32, packet: &InFlight, flows: &FlowTable) -> Arrival {
        let (src, dst) = flows.ends(packet.flow());
        assert!(src != dst && packet.wire_bytes() > 0);
        let arrival = (self.arrival)(&mut self.rng, now);
        if arrival == Arrival::Hold {
            self.held.entry(packet.link()).or_default().push_back(index);
        }
        self.waiting += u64::from(matches!(arrival, Arrival::Hold | Arrival::HoldUntil(_)));
        arrival
    }

    fn released(&mut self, _: Time, _: NodeId, _: u32) {
        self.waiting -= 1;
        self.counts.released += 1;
    }

    fn next(&mut self, now: Time, _: NodeId, link: usize) -> Option<Release> {
        let next = self.held.get_mut(&link)?.pop_front()?;
        if self.rng.random_bool(0.5) {
            return Some(Release::At(now + Duration::from_ns(300), next));
        }
        self.waiting -= 1;
        self.counts.released += 1;
        Some(Release::Now(next))
    }

    fn timer(&mut self, number: u32, reach: &mut Reach<'_>) {
        self.counts.timers += 1;
        // The link is asked once more, in vain.
        reach.ask_when_free(number as usize);
    }

    fn waiting(&self) -> u64 {
        self.waiting
    }
}

impl PortHook for Odd {
    fn tells_at(&self, _: usize) -> Tells {
        self.tells
    }

    fn queued(&mut self, _: usize, _: &Queued<'_>, _: &FlowTable) {
        self.counts.queued += 1;
    }

    fn left(&mut self, _: usize, _: ClassId) {
        self.counts.left += 1;
    }

    fn before(&mut self, _: Time, link: usize, waited: bool) -> Message {
        let last_was_long = self.last_was_long.entry(link).or_default();
        if waited && !*last_was_long {
            *last_was_long = true;
            self.counts.long_ps += LONG.as_ps();
            self.say(link);
            return Message::Lasting(LONG);
        }
        *last_was_long = false;
        self.say(link);
        Message::InGap
    }

    fn heard(&mut self, link: usize, reach: &mut Reach<'_>) {
        let numbers: Vec<_> = self.sent[&link].iter().copied().collect();
        assert!(numbers.is_sorted(), "messages arrive as they were sent");
        self.sent.get_mut(&link).unwrap().pop_front().expect("it was sent");
        self.counts.heard += 1;
        reach.schedule(reach.now() + Duration::from_ns(1), u32::try_from(link).unwrap());
    }
}

impl Hooks for Odd {
    type Counts = Counts;
    type Outcome = (Counts, u64);

    fn counts(&mut self, _: Time) -> Counts {
        self.counts
    }

    fn into_outcome(self, counted: Counted<Counts>, _: bool) -> Self::Outcome {
        let Counted::All(counts) = counted else { panic!("all of the run is counted") };
        (counts, self.sent.values().map(|sent| sent.len() as u64).sum())
    }
}

fn run<H: Hooks>(graph: Graph, sender: &str, hooks: H, flows: &[FlowSpec]) -> NetworkOutcome<Port, H::Outcome> {
    let network = HookedNetwork::with_hooks(spec(graph, "20 packets", transport(sender)), hooks).unwrap();
    let until = Time::from_ns(50_000_000);
    network.run(&mut List::new(flows), &RunOptions { until, ..RunOptions::default() })
}

#[test]
fn without_hooks_a_network_is_as_one_without_states() {
    let flows = some_flows(300);
    let hooked = run(leaf_spine(), "dctcp", (), &flows);
    let options = RunOptions { until: Time::from_ns(50_000_000), ..RunOptions::default() };
    let network = Network::new(spec(leaf_spine(), "20 packets", transport("dctcp"))).unwrap();
    let plain = network.run(&mut List::new(&flows), &options);
    assert_eq!((hooked.flows, hooked.ports), (plain.flows, plain.ports));
    assert_eq!((hooked.events, hooked.packet_hops), (plain.events, plain.packet_hops));
}

#[test]
fn a_node_can_delay_every_packet() {
    let mut graph = Graph::default();
    let hosts = ["h0", "h1"].map(|name| graph.add_host(name, 0));
    let switches = ["s0", "s1"].map(|name| graph.add_switch(name));
    for (from, to) in [(hosts[0], switches[0]), (switches[0], switches[1]), (switches[1], hosts[1])] {
        graph.connect(from, to, gbps(1), Duration::from_ns(100));
    }
    let flows = [flow(0, 0, 1, 1_460)];
    let received = |outcome: Option<Time>| outcome.unwrap().as_ps();
    let free = run(graph.clone(), "ideal", (), &flows);
    let delay = Odd::new(Tells::Nothing, |_, now| Arrival::HoldUntil(now + Duration::from_ns(7)));
    let delayed = run(graph, "ideal", delay, &flows);
    // Two switches and the receiver.
    assert_eq!(received(delayed.flows[0].received), received(free.flows[0].received) + 3 * 7_000);
    assert_eq!(delayed.states.0.released, 3);
}

/// Runs assert by themselves that every packet is somewhere.
#[test]
fn a_node_can_do_anything_to_packets_and_none_is_lost() {
    let anything = |rng: &mut Rng, now: Time| match rng.random_range(0..20) {
        0 => Arrival::Drop,
        1..8 => Arrival::HoldUntil(now + Duration::from_ns(rng.random_range(0..5_000))),
        8..14 => Arrival::Hold,
        _ => Arrival::GoOn,
    };
    let outcome = run(leaf_spine(), "newreno", Odd::new(Tells::Nothing, anything), &some_flows(300));
    assert!(outcome.drops.state > 100, "{:?}", outcome.drops);
    assert!(outcome.states.0.released > 1_000 && outcome.packets_delivered > 1_000);
}

#[test]
fn what_a_port_tells_arrives_and_takes_its_time_of_the_link() {
    for tells in [Tells::Queued, Tells::Ahead] {
        let flows = some_flows(300);
        let telling = run(leaf_spine(), "ideal", Odd::new(tells, |_, _| Arrival::GoOn), &flows);
        let (counts, on_links) = telling.states;
        assert!(counts.queued == counts.left && counts.queued > 1_000, "{counts:?}");
        assert_eq!((counts.sent, counts.timers), (counts.heard + on_links, counts.heard));
        let busy: u64 = telling.ports.iter().map(|port| port.busy_ps).sum();
        let graph = leaf_spine();
        let times = graph.links().iter().zip(&telling.ports);
        let sent: u64 =
            times.map(|(link, port)| port.bytes_sent * (8_000_000_000_000 / link.rate.bits_per_second())).sum();
        assert!(counts.long_ps > 0);
        assert_eq!(busy, sent + counts.long_ps, "links are busy with packets and with messages that last");
    }
}

#[test]
#[should_panic(expected = "hooks stand in place of states")]
fn hooks_and_states_do_not_go_together() {
    let spec = spec(leaf_spine(), "20 packets", transport("ideal"));
    let states = crate::net::caches::Caches::of(1_000).everywhere(&spec.graph);
    let _ = HookedNetwork::with_hooks(forebay_sim::net::NetworkSpec { states, ..spec }, ());
}
