//! A transport of a whole host: it decides for all flows of its host, and the network does what it wants for each.

use crate::net::support::{flow, leaf_spine, run, spec};
use forebay_core::{Duration, Time};
use forebay_sim::net::{
    Actions, End, Endpoint, FlowContext, FlowSpec, HostFlow, HostId, HostTransport, NetworkOutcome, RunEnd, Segment,
    Transport, Wish,
};

const PAYLOAD: u64 = 1_000;
/// How long a host waits between the answer to a packet and the next one.
const PAUSE: Duration = Duration::from_us(1);

/// Each host has one packet in flight, and it is of the flow with the least left to send.
#[derive(Debug)]
struct ShortestFirst;

impl Transport for ShortestFirst {
    fn open(&self, _: &FlowContext) -> (Box<dyn Endpoint>, Box<dyn Endpoint>) {
        unreachable!("a network asks for the host's instance")
    }

    fn at_host(&self, _: HostId) -> Option<Box<dyn HostTransport>> {
        Some(Box::new(Host::default()))
    }

    fn full_segment_bytes(&self) -> (u32, u32) {
        (1_040, 40)
    }
}

/// A flow of the host: what it sends and has not been acknowledged, or what it waits for.
#[derive(Debug)]
struct Left {
    flow: HostFlow,
    total: u64,
    left: u64,
}

#[derive(Debug, Default)]
struct Host {
    flows: Vec<Option<Left>>,
    is_busy: bool,
}

impl Host {
    /// The slot that may send next.
    fn shortest(&self) -> Option<usize> {
        let open = self.flows.iter().enumerate().filter_map(|(slot, left)| Some((slot, left.as_ref()?)));
        let sends = open.filter(|(_, left)| left.flow.end == End::Sender && left.left > 0);
        sends.min_by_key(|(_, left)| (left.left, left.flow.number)).map(|(slot, _)| slot)
    }

    fn packet(&self, slot: usize) -> Segment {
        let Left { total, left, .. } = self.flows[slot].as_ref().expect("open");
        let payload_bytes = u32::try_from(*left.min(&PAYLOAD)).expect("short");
        Segment { seq: total - left, payload_bytes, header_bytes: 40, ..Segment::default() }
    }
}

impl HostTransport for Host {
    fn open(&mut self, flow: HostFlow, context: &FlowContext) -> usize {
        let total = context.flow.bytes;
        self.flows.push(Some(Left { flow, total, left: total }));
        self.flows.len() - 1
    }

    fn start(&mut self, slot: usize, now: Time, actions: &mut Actions) {
        let sends = self.flows[slot].as_ref().is_some_and(|left| left.flow.end == End::Sender);
        if sends && !self.is_busy {
            self.is_busy = true;
            self.timer(slot, now, actions);
        }
    }

    fn receive(&mut self, slot: usize, now: Time, segment: &Segment, actions: &mut Actions) {
        let left = self.flows[slot].as_mut().expect("open");
        let bytes = u64::from(segment.payload_bytes);
        if left.flow.end == End::Receiver {
            left.left -= bytes;
            actions.finished = left.left == 0;
            let ack = left.total - left.left;
            actions.segments.push(Segment { ack, header_bytes: 40, ..Segment::default() });
            return;
        }
        left.left = left.total - segment.ack;
        actions.finished = left.left == 0;
        match self.shortest() {
            None => self.is_busy = false,
            Some(next) if next == slot => actions.timer = Some(Some(now + PAUSE)),
            Some(next) => {
                let other = self.flows[next].as_ref().expect("open").flow;
                actions.others.push((other, Wish::Timer(Some(now + PAUSE))));
            }
        }
    }

    fn timer(&mut self, slot: usize, _: Time, actions: &mut Actions) {
        // A shorter flow may have started since.
        let next = self.shortest().expect("who waits has something to send");
        let packet = self.packet(next);
        if next == slot {
            actions.segments.push(packet);
        } else {
            let other = self.flows[next].as_ref().expect("open").flow;
            actions.others.push((other, Wish::Send(packet)));
        }
    }

    fn close(&mut self, slot: usize) {
        assert!(self.flows[slot].take().is_some(), "closed once");
    }

    fn received_bytes(&self, slot: usize) -> u64 {
        self.flows[slot].as_ref().map_or(0, |left| left.total - left.left)
    }
}

fn play(flows: &[FlowSpec]) -> NetworkOutcome<crate::net::support::Port> {
    let outcome = run(spec(leaf_spine(), "100 packets", Box::new(ShortestFirst)), flows);
    assert_eq!((outcome.reason, outcome.drops.total()), (RunEnd::Finished, 0));
    outcome
}

#[test]
fn a_host_sends_its_shortest_flow_first() {
    // From host 0: a long flow, and two short ones while it lasts. From host 1: one that the others do not concern.
    let flows = [flow(0, 0, 4, 100_000), flow(0, 1, 4, 100_000), flow(50_000, 0, 5, 5_000), flow(51_000, 0, 6, 3_000)];
    let outcome = play(&flows);
    let acknowledged = |number: usize| outcome.flows[number].acknowledged.expect("acknowledged");
    assert!(acknowledged(3) < acknowledged(2) && acknowledged(2) < acknowledged(0));
    assert_eq!(outcome.packets_injected, 2 * (100 + 100 + 5 + 3));
    // A host has one packet in flight, so the eight packets of the short flows delay the long one by eight turns.
    let alone = play(&flows[..2]).flows[0].acknowledged.expect("acknowledged");
    let turns = acknowledged(0).since(alone).as_ns_f64() / (alone.as_secs_f64() * 1e9 / 100.0);
    assert!((7.5..8.5).contains(&turns), "{turns}");
    assert!(acknowledged(1) < acknowledged(0), "the other host had nothing else to do");
}

#[test]
fn a_run_that_ends_early_closes_all_flows() {
    let flows = [flow(0, 0, 4, 100_000), flow(0, 0, 5, 100_000)];
    let options =
        forebay_sim::net::RunOptions { until: Time::from_ns(100_000), ..forebay_sim::net::RunOptions::default() };
    let network = forebay_sim::net::Network::new(spec(leaf_spine(), "100 packets", Box::new(ShortestFirst))).unwrap();
    let outcome = network.run(&mut crate::net::support::List::new(&flows), &options);
    assert_eq!(outcome.reason, RunEnd::TimeIsUp);
    assert!(outcome.flows.iter().all(|record| record.received.is_none()));
}
