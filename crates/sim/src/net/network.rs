//! The network: what it is made of, and the loop of its events.

use crate::net::Actions;
use crate::net::carriage::Carriage;
use crate::net::change::Change;
use crate::net::flow::{FlowSource, FlowSpec};
use crate::net::flow_table::{End, FlowTable};
use crate::net::graph::{Graph, GraphError, LinkSpec, NodeId};
use crate::net::outcome::{Drops, Outcome, RunEnd};
use crate::net::packets::Packets;
use crate::net::port::{Head, Port, PortCounts};
use crate::net::routing::Routes;
use crate::net::sampling::{Sampler, Sampling};
use crate::net::shared_buffer::{SharedBuffer, SharedMemory};
use crate::net::state::{StateNodeCounts, StatefulNode, States};
use crate::{EventWheel, Probe};
use forebay_core::{Duration, Element, Packet, Rng, Seed, Time};

/// What a network is made of. `E` is what stands at each port.
pub struct NetworkSpec<E> {
    /// What is connected with what.
    pub graph: Graph,
    /// What stands at the tail of each link, in the order of [`Graph::links`]; with one link each.
    pub elements: Vec<E>,
    /// The memory that the ports of each switch share; without it only the elements limit what waits.
    pub shared_buffer: Option<SharedBuffer>,
    /// States that packets need, at most one kind at each switch; hosts have none.
    pub states: Vec<StatefulNode>,
    /// Who the flows belong to: [`FlowSpec::workload`] is the index.
    pub workloads: Vec<Carriage>,
    /// What fails, and when, in any order.
    pub changes: Vec<(Time, Change)>,
    /// How long after a link has failed, or works again, switches know it.
    pub reroute_after: Duration,
    /// How long links send a packet.
    pub pace: Pace,
    /// Root of all random numbers.
    pub seed: Seed,
}

/// How long a link sends a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// As long as its bytes take.
    #[default]
    Own,
    /// As long as the bytes of the packet before it take, if it waited behind that one. No link does; a published simulator
    /// does, and results of it can be compared.
    Predecessor,
}

/// When a run ends and what is watched.
pub struct RunOptions<'a> {
    /// Nothing after this happens. A run also ends when no flow is left, or nothing is to happen any more.
    pub until: Time,
    /// What ports and nodes with states count is counted from here…
    pub count_from: Time,
    /// …until here.
    pub count_until: Time,
    /// Queues and windows over time.
    pub sampling: Option<Sampling>,
    /// Asked every few thousand events: go on?
    pub go_on: &'a dyn Fn(&Progress) -> bool,
}

impl Default for RunOptions<'_> {
    /// Until all flows have ended, with everything counted.
    fn default() -> Self {
        Self { until: Time::MAX, count_from: Time::ZERO, count_until: Time::MAX, sampling: None, go_on: &|_| true }
    }
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// The time in the network.
    pub now: Time,
    /// Flows that have started.
    pub flows_started: u64,
    /// Flows that have ended.
    pub flows_ended: u64,
    /// Packets sent, counted on each link again.
    pub packet_hops: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    /// The next flow of the source starts.
    FlowStart,
    /// This packet arrives at the end of its link.
    Arrival(u32),
    /// The link of this port is free, and something waits.
    Free(u32),
    /// The discipline of this port asked to be asked again.
    Wakeup(u32),
    /// The sender of this flow wanted to be told.
    SenderTimer(u32),
    /// The receiver of this flow wanted to be told.
    ReceiverTimer(u32),
    /// The state is there for which this packet has waited.
    StateReady(u32),
    /// Notifications reach the end of this link.
    Notice(u32),
    /// A notification comes that was held up at the end of this link.
    LateNotice(u32),
    /// Something fails or is mended.
    Change(u32),
    /// Switches learn of what happened to a link.
    Learn(u32),
    /// Ports begin to count.
    CountFrom,
    /// Ports stop counting.
    CountUntil,
    /// Queues and windows are looked at.
    Sample,
}

/// How many events pass between two calls of [`RunOptions::go_on`].
const GO_ON_INTERVAL: u64 = 16_384;

/// What has been counted so far.
struct Counts {
    ports: Vec<PortCounts>,
    states: Vec<StateNodeCounts>,
}

/// Since when ports and states are counted.
enum CountsFrom {
    /// Since the start of the run.
    Start,
    /// Since later; with the counts then, if that time has come.
    Later(Option<Counts>),
}

impl CountsFrom {
    /// What ports have counted since then; and nodes with states, with their accesses before.
    fn counted(&self, last: &Counts) -> (Vec<PortCounts>, Vec<(StateNodeCounts, u64)>) {
        let (ports, states) = (last.ports.iter(), last.states.iter());
        match self {
            Self::Start => (last.ports.clone(), states.map(|last| (*last, 0)).collect()),
            Self::Later(None) => (
                ports.map(|_| PortCounts::default()).collect(),
                states.map(|last| (StateNodeCounts::default(), last.cache.accesses())).collect(),
            ),
            Self::Later(Some(from)) => (
                ports.zip(&from.ports).map(|(last, from)| last.since(from)).collect(),
                states.zip(&from.states).map(|(last, from)| (last.since(from), from.cache.accesses())).collect(),
            ),
        }
    }
}

/// The length of a common packet.
const USUAL_BYTES: u32 = 1_500;

/// A network that can be run once.
pub struct Network<E> {
    pub(crate) graph: Graph,
    pub(crate) routes: Routes,
    /// Those of the network without failures.
    pub(crate) intact_routes: Routes,
    /// By directed link: whether it works, as far as switches know.
    pub(crate) known_up: Vec<bool>,
    /// By directed link.
    pub(crate) ports: Vec<Port<E>>,
    /// By directed link.
    pub(crate) heads: Vec<Head>,
    /// By node, if switches have such memory.
    pub(crate) memories: Vec<SharedMemory>,
    pub(crate) states: States,
    /// Of each host: its output port.
    pub(crate) cards: Vec<usize>,
    pub(crate) workloads: Vec<Carriage>,
    pub(crate) changes: Vec<(Time, Change)>,
    pub(crate) reroute_after: Duration,
    pub(crate) pace: Pace,
    pub(crate) seed: Seed,
    pub(crate) losses: Rng,
    pub(crate) events: EventWheel<Event>,
    pub(crate) packets: Packets,
    pub(crate) flows: FlowTable,
    pub(crate) drops: Drops,
    pub(crate) sampler: Option<Sampler>,
    pub(crate) on_wire: u64,
    pub(crate) injected: u64,
    pub(crate) delivered: u64,
    pub(crate) packet_hops: u64,
    pub(crate) events_done: u64,
    counts_from: CountsFrom,
    /// What was counted when counting ended.
    counts_until: Option<Counts>,
    /// Reused by every call of an endpoint and of an element.
    pub(crate) actions: Actions,
    pub(crate) evicted: Vec<Packet>,
}

impl<E: Element> Network<E> {
    /// An idle network.
    ///
    /// # Errors
    /// If the graph is no network.
    ///
    /// # Panics
    /// If there is not one element for each directed link, or if a host has states, or a switch has two kinds.
    pub fn new(spec: NetworkSpec<E>) -> Result<Self, GraphError> {
        let NetworkSpec { graph, elements, shared_buffer, states, workloads, mut changes, reroute_after, pace, seed } =
            spec;
        graph.check()?;

        assert_eq!(elements.len(), graph.links().len(), "one element for each directed link");
        assert!(states.iter().all(|states| !graph.is_host(states.node)), "hosts have no states");
        let states = States::new(states, &graph, seed);
        let cards = (0..graph.hosts().len()).map(|host| graph.links_from(graph.hosts()[host])[0]).collect();
        let memory_of = |node: NodeId| (shared_buffer.is_some() && !graph.is_host(node)).then_some(node.0);
        let ports = elements.into_iter().zip(graph.links()).enumerate();
        let port = |(number, (element, link)): (usize, (E, &LinkSpec))| {
            let mut port = Port::new(element, link, states.wiring.announces(number), memory_of(link.from));
            port.relays = states.wiring.relays(number);
            port
        };
        let ports = ports.map(port).collect();
        changes.sort_by_key(|(time, _)| *time);
        // Most events wait until a packet has reached the end of its link.
        let longest =
            graph.links().iter().map(|link| link.rate.transmission_time(USUAL_BYTES) + link.propagation).max();
        let horizon = longest.unwrap_or_default();
        let routes = Routes::new(&graph, |_| true);
        Ok(Self {
            intact_routes: routes.clone(),
            known_up: vec![true; graph.links().len()],
            routes,
            ports,
            heads: graph.links().iter().map(|link| Head::new(&graph, &states, link)).collect(),
            states,
            memories: shared_buffer.map_or_else(Vec::new, |spec| vec![SharedMemory::new(spec); graph.nodes().len()]),
            cards,
            workloads,
            changes,
            reroute_after,
            losses: seed.stream("net/losses"),
            pace,
            seed,
            events: EventWheel::new(horizon),
            packets: Packets::default(),
            flows: FlowTable::default(),
            drops: Drops::default(),
            sampler: None,
            on_wire: 0,
            injected: 0,
            delivered: 0,
            packet_hops: 0,
            events_done: 0,
            counts_from: CountsFrom::Start,
            counts_until: None,
            actions: Actions::default(),
            evicted: Vec::new(),
            graph,
        })
    }

    /// Lets `probe` watch a port. It hears of the end of a transmission when that begins.
    pub fn watch(&mut self, link: usize, probe: Box<dyn Probe + Send>) {
        self.ports[link].probe = Some(Box::new(probe));
    }

    /// Carries all flows of `source`.
    pub fn run(mut self, source: &mut dyn FlowSource, options: &RunOptions<'_>) -> Outcome<E> {
        let mut next = source.next_flow();
        let mut now = Time::ZERO;
        let mut end = RunEnd::Finished;
        self.schedule_all(options, next.as_ref());
        loop {
            let Some((time, event)) = self.events.pop() else {
                if self.flows.live() > 0 {
                    end = RunEnd::Stalled;
                }
                break;
            };
            if time > options.until {
                now = options.until;
                end = RunEnd::TimeIsUp;
                break;
            }
            debug_assert!(time >= now, "time runs forwards");
            now = time;
            match event {
                Event::Arrival(packet) => self.arrive(now, packet),
                Event::StateReady(packet) => self.state_ready(now, packet),
                Event::Free(link) => {
                    self.ports[link as usize].free_scheduled = false;
                    self.transmit(now, link as usize, true);
                }
                Event::Wakeup(link) => self.wake(now, link as usize),
                Event::SenderTimer(flow) => self.timer(now, flow, End::Sender),
                Event::ReceiverTimer(flow) => self.timer(now, flow, End::Receiver),
                Event::FlowStart => {
                    if let Some(flow) = next.take() {
                        self.start_flow(now, flow);
                    }
                    next = source.next_flow();
                    if let Some(flow) = &next {
                        self.events.schedule(flow.start.max(now), Event::FlowStart);
                    }
                }
                Event::Notice(link) => self.notice(now, link as usize),
                Event::LateNotice(link) => self.late_notice(now, link as usize),
                Event::Change(number) => self.change(now, number),
                Event::Learn(number) => self.learn(number),
                Event::CountFrom => self.counts_from = CountsFrom::Later(Some(self.counts(now))),
                Event::CountUntil => self.counts_until = Some(self.counts(now)),
                Event::Sample => self.sample(now),
            }
            self.events_done += 1;
            if self.events_done.is_multiple_of(GO_ON_INTERVAL) && !(options.go_on)(&self.progress(now)) {
                end = RunEnd::Stopped;
                break;
            }
            if self.flows.live() == 0 && next.is_none() && self.packets.len() == 0 {
                break;
            }
        }
        // Managers go on as long as there is time, though nothing else happens.
        let managed = if matches!(end, RunEnd::TimeIsUp | RunEnd::Stalled) { options.until } else { now };
        self.states.iterate_before(managed + Duration::from_ps(1));
        self.finish(now, end)
    }

    /// What is known to happen before anything has.
    fn schedule_all(&mut self, options: &RunOptions<'_>, first: Option<&FlowSpec>) {
        for (number, (time, _)) in (0..).zip(&self.changes) {
            self.events.schedule(*time, Event::Change(number));
        }
        assert!(options.count_from <= options.count_until, "counting begins before it ends");
        if options.count_from > Time::ZERO {
            self.counts_from = CountsFrom::Later(None);
            self.events.schedule(options.count_from, Event::CountFrom);
        }
        if options.count_until < options.until {
            self.events.schedule(options.count_until, Event::CountUntil);
        }
        if let Some(sampling) = &options.sampling {
            self.sampler = Some(Sampler::new(sampling.clone()));
            self.events.schedule(Time::ZERO + sampling.every, Event::Sample);
        }
        if let Some(flow) = first {
            self.events.schedule(flow.start, Event::FlowStart);
        }
    }

    fn progress(&self, now: Time) -> Progress {
        Progress {
            now,
            flows_started: self.flows.started(),
            flows_ended: self.flows.started() - self.flows.live(),
            packet_hops: self.packet_hops,
        }
    }

    fn counts(&mut self, now: Time) -> Counts {
        self.states.iterate_before(now);
        let of_port = |port: &mut Port<E>| {
            port.count_queue(now);
            // What is being sent is counted as far as it has been sent.
            let ahead = if port.busy_until > now { port.busy_until.since(now).as_ps() } else { 0 };
            PortCounts { busy_ps: port.counts.busy_ps - ahead, ..port.counts }
        };
        Counts { ports: self.ports.iter_mut().map(of_port).collect(), states: self.states.counts(now) }
    }

    /// Checks that nothing was lost, and hands over what was measured.
    fn finish(mut self, now: Time, end: RunEnd) -> Outcome<E> {
        let queued: u64 = self.ports.iter().map(|port| port.element.len() as u64).sum();
        let counted: u64 = self.ports.iter().map(|port| u64::from(port.packets_queued)).sum();
        assert_eq!(queued, counted, "what ports took in is what waits there");
        let in_network = self.packets.len() as u64;
        let waiting = self.states.waiting();
        assert_eq!(in_network, queued + waiting + self.on_wire, "every packet waits or is on a link");
        assert_eq!(
            self.injected,
            self.delivered + self.drops.total() + in_network,
            "every packet that was sent has arrived, was dropped, or is in the network"
        );
        let last = self.counts(now);
        let last = self.counts_until.take().unwrap_or(last);
        let (ports, states) = self.counts_from.counted(&last);
        Outcome {
            end: now,
            reason: end,
            ports,
            states: self.states.into_outcomes(states, self.changes.is_empty() && self.pace == Pace::Own),
            flows: self.flows.into_records(),
            drops: self.drops,
            packets_injected: self.injected,
            packets_delivered: self.delivered,
            packets_in_network: in_network,
            packet_hops: self.packet_hops,
            events: self.events_done,
            series: self.sampler.map(Sampler::into_series),
            elements: self.ports.into_iter().map(|port| (port.element, port.probe.map(|probe| *probe))).collect(),
        }
    }
}
