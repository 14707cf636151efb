//! pFabric's transport: a minimal transport for switches that serve and drop by priority.
//!
//! A flow starts at the rate of its link, with a window of a bandwidth-delay product. Each packet has its own acknowledgement. A timer
//! alone finds losses; it is fixed and short. It is started anew when another packet becomes the first that is not acknowledged. When it
//! expires, the window is one packet and grows as in slow start up to half of its former size, then by a packet per window. Packets count
//! as lost if they were sent before the timer was started and are not acknowledged; they go before those that have never been sent. After
//! some timeouts in a row the sender only probes whether packets arrive, until an answer arrives.
//!
//! Packets carry the number of bytes of the flow that are not acknowledged. Probes carry it, too: without it they would have the best rank
//! and always arrive.
//!
//! pFabric is no congestion control of TCP: such a control decides only about a window, and pFabric also repairs losses differently. So it
//! is a [`HostTransport`], with all flows of a host in one instance. The flows of a host share nothing yet, since the paper leaves their
//! order to the queue of the network card.

use crate::net::endpoint::{Actions, Endpoint, FlowContext, Transport, TransportEntry};
use crate::net::flow::HostId;
use crate::net::flow_end::End;
use crate::net::host_transport::{HostFlow, HostTransport, alone};
use crate::net::received_bytes::Received;
use crate::net::segment::{Flags, Segment};
use crate::net::slots::Slots;
use crate::net::tcp::Window;
use crate::net::transport_counts::TransportCounts;
use crate::net::transport_params::{PAYLOAD_BYTES, small};
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{About, Duration, Exactness, Time};

/// The registry's entry for [`PFabric`].
pub const ENTRY: TransportEntry = TransportEntry {
    about: About {
        name: "pfabric",
        title: "Starts at the rate of the link and leaves order and drops to the switches",
        exactness: Exactness::NotApplicable,
        hardware: "switches that serve and drop by remaining flow size",
        cost: "O(1) per packet, O(log n) with n gaps; 16 bytes per gap at each end",
        source: "pFabric, Alizadeh et al., SIGCOMM'13, section 4.3",
        params: &[
            PAYLOAD_BYTES,
            ParamSpec {
                name: "header_bytes",
                kind: ParamKind::Integer { min: 1, max: 1_000, default: Some(40) },
                meaning: "bytes of all headers, and the length of packets without data",
            },
            ParamSpec {
                name: "window_segments",
                kind: ParamKind::Integer { min: 1, max: 1_000_000, default: None },
                meaning: "first window in packets; default: access rate x round-trip time of an idle network",
            },
            ParamSpec {
                name: "max_window_segments",
                kind: ParamKind::Integer { min: 1, max: 1_000_000, default: None },
                meaning: "greatest window in packets; default: the first one",
            },
            ParamSpec::optional_duration(
                "rto",
                "retransmission timeout, like \"45 us\"; default: three round trips of an idle network",
            ),
            ParamSpec {
                name: "probe_after",
                kind: ParamKind::Integer { min: 1, max: 1_000_000, default: Some(5) },
                meaning: "timeouts in a row after which the sender only probes, once in each timeout",
            },
        ],
    },
    build: |params| {
        let rto = params.optional_duration("rto");
        if rto == Some(Duration::ZERO) {
            return Err(forebay_core::ParamError::of("rto", "`rto` must be more than 0"));
        }
        Ok(Box::new(PFabric {
            payload_bytes: small(params, "payload_bytes"),
            header_bytes: small(params, "header_bytes"),
            window_segments: params.integer("window_segments"),
            max_window_segments: params.integer("max_window_segments"),
            rto,
            probe_after: small(params, "probe_after"),
        }))
    },
};

/// A transport that opens flows of pFabric.
#[derive(Debug, Clone, Copy)]
pub struct PFabric {
    payload_bytes: u32,
    header_bytes: u32,
    window_segments: Option<u64>,
    max_window_segments: Option<u64>,
    rto: Option<Duration>,
    probe_after: u32,
}

impl PFabric {
    /// Packets that the sender's link sends in a round trip, rounded up.
    fn packets_in_round_trip(&self, context: &FlowContext) -> u64 {
        let packet = context.access_rate.transmission_time(self.full_segment_bytes().0);
        context.base_rtt.as_ps().div_ceil(packet.as_ps().max(1)).max(1)
    }
}

impl Transport for PFabric {
    fn open(&self, context: &FlowContext) -> (Box<dyn Endpoint>, Box<dyn Endpoint>) {
        alone([Box::new(Host::new(*self)), Box::new(Host::new(*self))], context)
    }

    fn at_host(&self, _: HostId) -> Option<Box<dyn HostTransport>> {
        Some(Box::new(Host::new(*self)))
    }

    fn full_segment_bytes(&self) -> (u32, u32) {
        (self.payload_bytes + self.header_bytes, self.header_bytes)
    }
}

/// pFabric at one host.
#[derive(Debug)]
struct Host {
    shape: PFabric,
    flows: Slots<Flow>,
}

/// A flow of the host.
#[derive(Debug)]
enum Flow {
    Sent(Sender),
    Received(Receiver),
}

impl Flow {
    fn end(&self) -> &dyn Endpoint {
        match self {
            Self::Sent(sender) => sender,
            Self::Received(receiver) => receiver,
        }
    }
}

impl Host {
    fn new(shape: PFabric) -> Self {
        Self { shape, flows: Slots::default() }
    }
}

impl HostTransport for Host {
    fn open(&mut self, flow: HostFlow, context: &FlowContext) -> usize {
        let total = context.flow.bytes;
        self.flows.insert(match flow.end {
            End::Sender => Flow::Sent(Sender::new(self.shape, context)),
            End::Receiver => {
                let header_bytes = self.shape.header_bytes;
                Flow::Received(Receiver { header_bytes, total, received: Received::default() })
            }
        })
    }

    fn start(&mut self, slot: usize, now: Time, actions: &mut Actions) {
        if let Some(Flow::Sent(sender)) = self.flows.get_mut(slot) {
            sender.start(now, actions);
        }
    }

    fn receive(&mut self, slot: usize, now: Time, segment: &Segment, actions: &mut Actions) {
        match self.flows.get_mut(slot) {
            Some(Flow::Sent(sender)) => sender.receive(now, segment, actions),
            Some(Flow::Received(receiver)) => receiver.receive(now, segment, actions),
            None => {}
        }
    }

    fn timer(&mut self, slot: usize, now: Time, actions: &mut Actions) {
        if let Some(Flow::Sent(sender)) = self.flows.get_mut(slot) {
            sender.timer(now, actions);
        }
    }

    fn close(&mut self, slot: usize) {
        self.flows.remove(slot);
    }

    fn counts(&self, slot: usize) -> TransportCounts {
        self.flows.get(slot).map_or_else(TransportCounts::default, |flow| flow.end().counts())
    }

    fn received_bytes(&self, slot: usize) -> u64 {
        self.flows.get(slot).map_or(0, |flow| flow.end().received_bytes())
    }

    fn window_bytes(&self, slot: usize) -> Option<u64> {
        self.flows.get(slot)?.end().window_bytes()
    }
}

#[derive(Debug)]
struct Sender {
    shape: PFabric,
    rto: Duration,
    total: u64,
    acknowledged: Received,
    /// First byte that has never been sent.
    sent: u64,
    /// The value of `sent` when the timer was started.
    sent_at_start: u64,
    /// The start of the range up to `lost_end` whose missing bytes are lost and to be sent again.
    again: u64,
    lost_end: u64,
    /// Bytes that are sent and neither acknowledged nor held to be lost.
    in_flight: u64,
    window: Window,
    timeouts_in_row: u32,
    probing: bool,
    counts: TransportCounts,
}

impl Sender {
    fn new(shape: PFabric, context: &FlowContext) -> Self {
        let payload = u64::from(shape.payload_bytes);
        let first = shape.window_segments.unwrap_or_else(|| shape.packets_in_round_trip(context));
        let max = shape.max_window_segments.unwrap_or(first);
        let three = context.base_rtt + context.base_rtt + context.base_rtt;
        Self {
            shape,
            rto: shape.rto.unwrap_or(three).max(Duration::from_ps(1)),
            total: context.flow.bytes,
            acknowledged: Received::default(),
            sent: 0,
            sent_at_start: 0,
            again: 0,
            lost_end: 0,
            in_flight: 0,
            window: Window::new(payload, first * payload, u64::MAX, max * payload),
            timeouts_in_row: 0,
            probing: false,
            counts: TransportCounts::default(),
        }
    }

    fn start_timer(&mut self, now: Time, actions: &mut Actions) {
        self.sent_at_start = self.sent;
        actions.timer = Some(Some(now + self.rto));
    }

    /// Bytes of the packet that begins at `seq`.
    fn length(&self, seq: u64) -> u32 {
        let full = self.shape.payload_bytes;
        u32::try_from(self.total - seq).map_or(full, |left| left.min(full))
    }

    fn packet(&self, now: Time) -> Segment {
        let remaining = self.total - self.acknowledged.bytes();
        Segment { remaining, timestamp: now, header_bytes: self.shape.header_bytes, ..Segment::default() }
    }

    /// Returns the start of the packet that is to be sent next.
    #[inline]
    fn next(&mut self) -> u64 {
        if self.again < self.lost_end {
            self.again = self.acknowledged.missing_from(self.again);
        }
        if self.again < self.lost_end { self.again } else { self.sent }
    }

    /// Sends the packets that the window allows; with `one_free`, it sends the first packet in any case.
    #[inline]
    fn send(&mut self, now: Time, mut one_free: bool, actions: &mut Actions) {
        loop {
            let seq = self.next();
            if seq >= self.total {
                return;
            }
            let payload_bytes = self.length(seq);
            if !one_free && self.in_flight + u64::from(payload_bytes) > self.window.bytes() {
                return;
            }
            one_free = false;
            actions.segments.push(Segment { seq, payload_bytes, ..self.packet(now) });
            let end = seq + u64::from(payload_bytes);
            self.counts.data_segments += 1;
            self.in_flight += u64::from(payload_bytes);
            if seq < self.sent {
                self.counts.retransmissions += 1;
                self.again = end;
            } else {
                self.sent = end;
            }
        }
    }

    fn probe(&self, now: Time, actions: &mut Actions) {
        actions.segments.push(Segment { flags: Flags::PROBE, ..self.packet(now) });
    }

    /// The bytes from `start` to before `end` have arrived.
    #[inline]
    fn arrived(&mut self, start: u64, end: u64) {
        let resent = self.acknowledged.insert(start, end.min(self.again));
        self.acknowledged.insert(start.max(self.again), end.min(self.lost_end));
        let later = self.acknowledged.insert(start.max(self.lost_end), end);
        self.in_flight -= resent + later;
    }
}

impl Endpoint for Sender {
    fn start(&mut self, now: Time, actions: &mut Actions) {
        self.send(now, true, actions);
        self.start_timer(now, actions);
    }

    fn receive(&mut self, now: Time, answer: &Segment, actions: &mut Actions) {
        let (first, bytes) = (self.acknowledged.next(), self.acknowledged.bytes());
        if bytes == self.total {
            return;
        }
        self.arrived(first, answer.ack);
        if !answer.flags.has(Flags::PROBE) {
            self.arrived(answer.seq, answer.seq + u64::from(self.length(answer.seq)));
        }
        let added = self.acknowledged.bytes() - bytes;
        if bytes + added == self.total {
            actions.timer = Some(None);
            actions.finished = true;
            return;
        }
        self.window.grow(added);
        let is_alive = std::mem::take(&mut self.probing);
        if added > 0 || is_alive {
            self.timeouts_in_row = 0;
        }
        if self.acknowledged.next() > first || is_alive {
            self.start_timer(now, actions);
        }
        self.send(now, is_alive, actions);
    }

    fn timer(&mut self, now: Time, actions: &mut Actions) {
        if !self.probing {
            self.counts.timeouts += 1;
            self.timeouts_in_row += 1;
            self.probing = self.timeouts_in_row >= self.shape.probe_after;
            self.window.time_out(Some(self.window.bytes()));
            self.again = self.acknowledged.next();
            self.lost_end = self.sent_at_start;
            self.in_flight = self.acknowledged.missing_between(self.lost_end, self.sent);
        }
        if self.probing {
            self.probe(now, actions);
        } else {
            self.send(now, true, actions);
        }
        self.start_timer(now, actions);
    }

    fn counts(&self) -> TransportCounts {
        self.counts
    }

    fn window_bytes(&self) -> Option<u64> {
        Some(self.window.bytes())
    }
}

#[derive(Debug)]
struct Receiver {
    header_bytes: u32,
    total: u64,
    received: Received,
}

impl Endpoint for Receiver {
    fn start(&mut self, _: Time, _: &mut Actions) {}

    fn receive(&mut self, _: Time, segment: &Segment, actions: &mut Actions) {
        let added = self.received.insert(segment.seq, segment.seq + u64::from(segment.payload_bytes));
        actions.finished = added > 0 && self.received.bytes() == self.total;
        let probe = if segment.flags.has(Flags::PROBE) { Flags::PROBE } else { Flags::NONE };
        actions.segments.push(Segment {
            seq: segment.seq,
            ack: self.received.next(),
            timestamp: segment.timestamp,
            header_bytes: self.header_bytes,
            flags: Flags::ACK.with(probe),
            ..Segment::default()
        });
    }

    fn received_bytes(&self) -> u64 {
        self.received.bytes()
    }

    fn timer(&mut self, _: Time, _: &mut Actions) {}
}
