//! The events at hosts: flows start, segments arrive, timers expire.

use crate::net::endpoint::FlowContext;
use crate::net::event::Event;
use crate::net::flow::{FlowSpec, HostId};
use crate::net::flow_end::End;
use crate::net::flow_table::{Live, Party};
use crate::net::flow_transport::Carriage;
use crate::net::graph::LinkSpec;
use crate::net::hook::Hooks;
use crate::net::host_transport::{HostFlow, Wish};
use crate::net::lateness::Lateness;
use crate::net::network::Network;
use crate::net::packets::InFlight;
use crate::net::record::{Alone, FlowRecord};
use crate::net::unloaded_flow_time::{flow_time, packet_time};
use forebay_core::{Duration, Element, Seed, Time};
use rand::Rng as _;

/// The root of a flow's random numbers.
pub(crate) fn flow_seed(run: Seed, flow: u32) -> Seed {
    run.part(&format!("net/flow/{flow}"))
}

/// Returns the hash that chooses among equal paths for packets to the receiver; packets back use its complement.
pub(crate) fn path_hash(flow_seed: Seed) -> u64 {
    flow_seed.stream("path").next_u64()
}

impl<E: Element, H: Hooks> Network<E, H> {
    /// A flow starts: both ends are opened.
    pub(crate) fn start_flow(&mut self, now: Time, spec: FlowSpec) {
        let flow = self.flows.next_number();
        let seed = flow_seed(self.seed, flow);
        let hash = path_hash(seed);
        let transport = &self.workloads[usize::from(spec.workload)].transport;
        let (full, header) = transport.full_segment_bytes();
        let forth = self.path(spec.src, spec.dst, hash);
        let back = self.path(spec.dst, spec.src, !hash);
        let acknowledges = transport.acknowledges();
        let answer = packet_time(&back, header);
        let context = FlowContext {
            flow: spec,
            access_rate: self.graph.links()[self.cards[spec.src.index()]].rate,
            base_rtt: packet_time(&forth, full) + answer,
            seed,
        };
        let mut record = FlowRecord::starting(spec);
        if spec.bytes < FlowSpec::ENDLESS {
            let data = flow_time(&forth, spec.bytes, full, header);
            record.alone = Some(Alone { data, answer: if acknowledges { answer } else { Duration::ZERO } });
        }
        let (sender, receiver) = self.flows.hosts.open(flow, &**transport, &context);
        let live = Live { sender: Party::new(sender), receiver: Party::new(receiver), spec, acknowledges };
        self.flows.insert(live, record, hash);
        for end in [End::Receiver, End::Sender] {
            if let Some(live) = self.flows.get(flow) {
                live.party(end).endpoint.start(now, &mut self.actions);
            }
            self.act(now, flow, end);
        }
    }

    /// The links between two hosts in the network without failures.
    fn path(&self, src: HostId, dst: HostId, hash: u64) -> Vec<&LinkSpec> {
        let path = self.intact_routes.path(&self.graph, src, dst, hash).unwrap_or_default();
        path.into_iter().map(|link| &self.graph.links()[link]).collect()
    }

    /// A packet has arrived at its host; `index` was its name.
    #[inline]
    pub(crate) fn deliver(&mut self, now: Time, index: u32, way: &InFlight) {
        let end = if way.to_receiver { End::Receiver } else { End::Sender };
        // A packet that arrives after the end of its flow has no effect.
        let Some(live) = self.flows.get(way.flow) else { return };
        let segment = self.packets.arrived(index, way);
        live.party(end).endpoint.receive(now, &segment, &mut self.actions);
        self.act(now, way.flow, end);
    }

    /// The timer of an endpoint may have expired.
    pub(crate) fn timer(&mut self, now: Time, flow: u32, end: End) {
        let Some(live) = self.flows.get(flow) else { return };
        let party = live.party(end);
        if party.scheduled != now {
            return;
        }
        party.scheduled = Time::MAX;
        if party.deadline > now {
            self.schedule_timer(flow, end);
            return;
        }
        party.deadline = Time::MAX;
        party.endpoint.timer(now, &mut self.actions);
        self.act(now, flow, end);
    }

    /// Makes sure that there is an event for the deadline of an endpoint.
    fn schedule_timer(&mut self, flow: u32, end: End) {
        let Some(live) = self.flows.get(flow) else { return };
        let party = live.party(end);
        if party.deadline < party.scheduled {
            party.scheduled = party.deadline;
            let event = match end {
                End::Sender => Event::SenderTimer(flow),
                End::Receiver => Event::ReceiverTimer(flow),
            };
            self.events.schedule(party.deadline, event);
        }
    }

    /// Performs the actions that an endpoint requests.
    fn act(&mut self, now: Time, flow: u32, end: End) {
        let Some(live) = self.flows.get(flow) else { return };
        let spec = live.spec;
        if let Some(deadline) = self.actions.timer.take() {
            live.party(end).deadline = deadline.unwrap_or(Time::MAX).max(now);
            self.schedule_timer(flow, end);
        }
        let (src, dst) = match end {
            End::Sender => (spec.src, spec.dst),
            End::Receiver => (spec.dst, spec.src),
        };
        let card = self.cards[src.index()];
        let workload = usize::from(spec.workload);
        let mut segments = std::mem::take(&mut self.actions.segments);
        for segment in &segments {
            let Carriage { class, ranks, rank_all, allowances, .. } = &mut self.workloads[workload];
            let rank = match ranks {
                Some(ranks) if segment.payload_bytes > 0 || *rank_all => ranks.next_rank(&spec),
                _ => 0,
            };
            let way = InFlight::new(segment, rank, flow, dst, *class, end == End::Sender);
            let lateness = allowances.as_mut().map_or(Lateness::NONE, |allowances| allowances.next(now, &spec));
            self.inject(now, way, &segment.sack, lateness, card);
        }
        segments.clear();
        self.actions.segments = segments;
        if std::mem::take(&mut self.actions.finished) {
            self.finished(now, flow, end);
        }
        if !self.actions.others.is_empty() {
            self.act_for_others(now, src);
        }
    }

    /// Performs the actions that the transport of `host` requests for other flows of this host.
    #[cold]
    fn act_for_others(&mut self, now: Time, host: HostId) {
        let mut others = std::mem::take(&mut self.actions.others);
        for (HostFlow { number, end }, wish) in others.drain(..) {
            let Some(live) = self.flows.get(number) else { continue };
            let is_at = if end == End::Sender { live.spec.src } else { live.spec.dst };
            assert_eq!(is_at, host, "a host decides for its own flows");
            match wish {
                Wish::Send(segment) => self.actions.segments.push(segment),
                Wish::Timer(time) => self.actions.timer = Some(time),
                Wish::Finished => self.actions.finished = true,
            }
            self.act(now, number, end);
        }
        self.actions.others = others;
    }

    fn finished(&mut self, now: Time, flow: u32, end: End) {
        let acknowledges = self.flows.get(flow).is_some_and(|live| live.acknowledges);
        let record = self.flows.record(flow);
        match end {
            End::Sender => record.acknowledged = Some(now),
            End::Receiver => record.received = Some(now),
        }
        if end == End::Sender || !acknowledges {
            self.flows.end(flow);
        }
    }
}
