//! The network and its event loop.

use crate::net::Actions;
use crate::net::change::Change;
use crate::net::counting_window::CountingWindow;
use crate::net::event::Event;
use crate::net::flow::{FlowSource, FlowSpec};
use crate::net::flow_end::End;
use crate::net::flow_table::FlowTable;
use crate::net::flow_transport::Carriage;
use crate::net::graph::{Graph, NodeId};
use crate::net::hook::{Counted, Hooks};
use crate::net::link_head::Head;
use crate::net::outcome::{Drops, NetworkOutcome, RunEnd};
use crate::net::pace::PaceHook;
use crate::net::packets::Packets;
use crate::net::port::{Port, Watch};
use crate::net::routing::Routes;
use crate::net::sampling::{Sampler, Sampling};
use crate::net::shared_buffer::SharedMemory;
use crate::{EventWheel, PortCounts, Probe};
use forebay_core::{Duration, Element, Packet, Rng, Seed, Time};

/// The end of a run, its counted part, and its sampling.
pub struct RunOptions<'a> {
    /// The end of the run: no later event is processed. A run also ends when no flow is left, or no event is pending.
    pub until: Time,
    /// The start of the counted part, for ports and hooks.
    pub count_from: Time,
    /// The end of the counted part.
    pub count_until: Time,
    /// The sampling of queues and windows over time.
    pub sampling: Option<Sampling>,
    /// Asked every few thousand events whether to go on.
    pub go_on: &'a dyn Fn(&Progress) -> bool,
}

impl Default for RunOptions<'_> {
    /// Runs until all flows have ended, and counts the whole run.
    fn default() -> Self {
        Self { until: Time::MAX, count_from: Time::ZERO, count_until: Time::MAX, sampling: None, go_on: &|_| true }
    }
}

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// The simulated time.
    pub now: Time,
    /// The number of flows that have started.
    pub flows_started: u64,
    /// The number of flows that have ended.
    pub flows_ended: u64,
    /// The number of packet transmissions: each packet is counted on each of its links.
    pub packet_hops: u64,
}

/// The number of events between two calls of [`RunOptions::go_on`].
const GO_ON_INTERVAL: u64 = 16_384;

/// The counts of ports and hooks.
pub(crate) type Counts<H> = (Vec<PortCounts>, <H as Hooks>::Counts);

/// A network that can be run once, with hooks `H` at its nodes and ports.
pub struct Network<E, H: Hooks> {
    pub(crate) graph: Graph,
    pub(crate) routes: Routes,
    /// The routes of the network without failures.
    pub(crate) intact_routes: Routes,
    /// Switches to which packets of hooks are sent.
    pub(crate) addresses: Vec<NodeId>,
    /// For each directed link, whether it works as far as switches know.
    pub(crate) known_up: Vec<bool>,
    /// The ports, by directed link.
    pub(crate) ports: Vec<Port<E>>,
    /// The heads, by directed link.
    pub(crate) heads: Vec<Head>,
    /// The shared memories by node, if switches have them.
    pub(crate) memories: Vec<SharedMemory>,
    pub(crate) hooks: H,
    /// The output port of each host.
    pub(crate) cards: Vec<usize>,
    pub(crate) workloads: Vec<Carriage>,
    pub(crate) changes: Vec<(Time, Change)>,
    pub(crate) reroute_after: Duration,
    /// [`None`]: links send each packet for as long as its bytes take.
    pub(crate) pace: Option<Box<dyn PaceHook>>,
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
    pub(crate) counting: CountingWindow<Counts<H>>,
    /// Reused by every call of an endpoint and of an element.
    pub(crate) actions: Actions,
    pub(crate) evicted: Vec<Packet>,
}

impl<E: Element, H: Hooks> Network<E, H> {
    /// Attaches `probe` to a port. The probe learns the end of a transmission when the transmission begins.
    pub fn watch(&mut self, link: usize, probe: Box<dyn Probe + Send>) {
        self.ports[link].port.probe = Watch(Some(Box::new(probe)));
    }

    /// Carries all flows of `source`.
    pub fn run(mut self, source: &mut dyn FlowSource, options: &RunOptions<'_>) -> NetworkOutcome<E, H::Outcome> {
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
                Event::Release(packet) => self.release(now, packet),
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
                Event::Message(link) => self.message(now, link as usize),
                Event::HookTimer(number) => self.hook_timer(now, number),
                Event::Change(number) => self.change(now, number),
                Event::Learn(number) => self.learn(number),
                Event::CountFrom => {
                    let counts = self.counts(now);
                    self.counting.begin(counts);
                }
                Event::CountUntil => {
                    let counts = self.counts(now);
                    self.counting.end(counts);
                }
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
        // Hooks go on as long as there is time, though nothing else happens.
        let last = if matches!(end, RunEnd::TimeIsUp | RunEnd::Stalled) { options.until } else { now };
        self.hooks.ends(last + Duration::from_ps(1));
        self.finish(now, end)
    }

    /// Schedules the events that are known before the run.
    fn schedule_all(&mut self, options: &RunOptions<'_>, first: Option<&FlowSpec>) {
        for (number, (time, _)) in (0..).zip(&self.changes) {
            self.events.schedule(*time, Event::Change(number));
        }
        assert!(options.count_from <= options.count_until, "counting begins before it ends");
        if options.count_from > Time::ZERO {
            self.counting.wait();
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

    fn counts(&mut self, now: Time) -> Counts<H> {
        let of_port = |port: &mut Port<E>| {
            port.meter.count_queue(now);
            // What is being sent is counted as far as it has been sent.
            let ahead = if port.busy_until > now { port.busy_until.since(now).as_ps() } else { 0 };
            PortCounts { busy_ps: port.meter.counts.busy_ps - ahead, ..port.meter.counts }
        };
        (self.ports.iter_mut().map(of_port).collect(), self.hooks.counts(now))
    }

    /// Checks that no packet was lost without a count, and returns the results.
    fn finish(mut self, now: Time, end: RunEnd) -> NetworkOutcome<E, H::Outcome> {
        let mut queued = 0;
        for port in &self.ports {
            let waiting = port.port.element.len() as u64;
            assert_eq!(
                waiting,
                u64::from(port.meter.packets_queued()),
                "a port holds the packets that it has admitted"
            );
            queued += waiting;
        }
        let in_network = self.packets.len() as u64;
        let held_back = self.hooks.waiting();
        assert_eq!(in_network, queued + held_back + self.on_wire, "every packet waits or is on a link");
        assert_eq!(
            self.injected,
            self.delivered + self.drops.total() + in_network,
            "every packet that was sent has arrived, was dropped, or is in the network"
        );
        let last = self.counts(now);
        let (ports, hooks) = match self.counting.counted(last) {
            Counted::All((ports, hooks)) => (ports, Counted::All(hooks)),
            Counted::Nothing((ports, hooks)) => (vec![PortCounts::default(); ports.len()], Counted::Nothing(hooks)),
            Counted::Between((before, earlier), (ports, hooks)) => {
                let counted = ports.iter().zip(&before).map(|(last, from)| last.since(from));
                (counted.collect(), Counted::Between(earlier, hooks))
            }
        };
        NetworkOutcome {
            end: now,
            reason: end,
            ports,
            states: self.hooks.into_outcome(hooks, self.changes.is_empty() && self.pace.is_none()),
            flows: self.flows.into_records(),
            drops: self.drops,
            packets_injected: self.injected,
            packets_delivered: self.delivered,
            packets_in_network: in_network,
            packet_hops: self.packet_hops,
            events: self.events_done,
            series: self.sampler.map(Sampler::into_series),
            elements: self
                .ports
                .into_iter()
                .map(|Port { port, .. }| (port.element, port.probe.0.map(|probe| *probe)))
                .collect(),
        }
    }
}
