//! pFabric's transport: as little as is left to do when switches serve and drop by priority.
//!
//! A flow starts at the rate of its link, with a window of a bandwidth-delay product. Each packet is acknowledged by
//! itself. Losses are found by a timer only, which is fixed and short; it is started anew when the first packet that is not
//! acknowledged is another one. When it expires, the window is one packet and grows as in slow start up to half of what
//! it was, then by a packet per window, and what is not acknowledged is sent again. After some timeouts in a row the
//! sender only asks whether packets come through, until an answer arrives.
//!
//! Packets carry how much of the flow is not acknowledged, and so do probes: they have the flow's place in the queues, and
//! would otherwise always come through.

use crate::endpoint::{Actions, Endpoint, FlowContext, Transport, TransportCounts, TransportEntry};
use crate::given::{optional_duration, small};
use crate::received::Received;
use crate::segment::{Flags, Segment};
use crate::tcp::Window;
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
            ParamSpec {
                name: "payload_bytes",
                kind: ParamKind::Integer { min: 1, max: 1_000_000, default: Some(1_460) },
                meaning: "bytes of the flow in a full packet",
            },
            ParamSpec {
                name: "header_bytes",
                kind: ParamKind::Integer { min: 0, max: 1_000, default: Some(40) },
                meaning: "bytes of all headers, and the length of packets without data",
            },
            ParamSpec {
                name: "window_segments",
                kind: ParamKind::Integer { min: 1, max: 1_000_000, default: None },
                meaning: "first window in packets; default: access rate x round-trip time of an empty network",
            },
            ParamSpec {
                name: "max_window_segments",
                kind: ParamKind::Integer { min: 1, max: 1_000_000, default: None },
                meaning: "greatest window in packets; default: the first one",
            },
            ParamSpec {
                name: "rto",
                kind: ParamKind::Text { default: "" },
                meaning: "retransmission timeout, like \"45 us\"; default: three round trips of an empty network",
            },
            ParamSpec {
                name: "probe_after",
                kind: ParamKind::Integer { min: 1, max: 1_000_000, default: Some(5) },
                meaning: "timeouts in a row after which the sender only probes, once in each timeout",
            },
        ],
    },
    build: |params| {
        let rto = optional_duration(params, "rto")?;
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

/// Opens flows of pFabric.
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
        let payload = u64::from(self.payload_bytes);
        let first = self.window_segments.unwrap_or_else(|| self.packets_in_round_trip(context));
        let max = self.max_window_segments.unwrap_or(first);
        let three = context.base_rtt + context.base_rtt + context.base_rtt;
        let sender = Sender {
            shape: *self,
            rto: self.rto.unwrap_or(three).max(Duration::from_ps(1)),
            total: context.flow.bytes,
            acknowledged: Received::default(),
            next: 0,
            sent: 0,
            in_flight: 0,
            window: Window::new(payload, first * payload, u64::MAX, max * payload),
            timeouts_in_row: 0,
            probing: false,
            counts: TransportCounts::default(),
        };
        let header_bytes = self.header_bytes;
        let receiver = Receiver { header_bytes, total: context.flow.bytes, received: Received::default() };
        (Box::new(sender), Box::new(receiver))
    }

    fn full_segment_bytes(&self) -> (u32, u32) {
        (self.payload_bytes + self.header_bytes, self.header_bytes)
    }
}

#[derive(Debug)]
struct Sender {
    shape: PFabric,
    rto: Duration,
    total: u64,
    acknowledged: Received,
    /// First byte that is to be sent next; after a timeout it goes back.
    next: u64,
    /// First byte that has never been sent.
    sent: u64,
    /// Bytes before `next` that are not acknowledged.
    in_flight: u64,
    window: Window,
    timeouts_in_row: u32,
    probing: bool,
    counts: TransportCounts,
}

impl Sender {
    fn restart_timer(&self, now: Time, actions: &mut Actions) {
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

    #[inline]
    fn send(&mut self, now: Time, actions: &mut Actions) {
        loop {
            if self.next < self.sent {
                self.next = self.acknowledged.missing_from(self.next);
            }
            if self.next >= self.total {
                return;
            }
            let payload_bytes = self.length(self.next);
            if self.in_flight + u64::from(payload_bytes) > self.window.bytes() {
                return;
            }
            actions.segments.push(Segment { seq: self.next, payload_bytes, ..self.packet(now) });
            self.counts.data_segments += 1;
            self.counts.retransmissions += u64::from(self.next < self.sent);
            self.in_flight += u64::from(payload_bytes);
            self.next += u64::from(payload_bytes);
            self.sent = self.sent.max(self.next);
        }
    }

    fn probe(&self, now: Time, actions: &mut Actions) {
        actions.segments.push(Segment { flags: Flags::PROBE, ..self.packet(now) });
    }

    /// Takes in what an answer says.
    fn note(&mut self, answer: &Segment) {
        let first = self.acknowledged.next();
        self.in_flight -= self.acknowledged.insert(first, answer.ack.min(self.next));
        self.acknowledged.insert(first, answer.ack);
        if !answer.flags.has(Flags::PROBE) {
            let added = self.acknowledged.insert(answer.seq, answer.seq + u64::from(self.length(answer.seq)));
            self.in_flight -= if answer.seq < self.next { added } else { 0 };
        }
        self.next = self.next.max(self.acknowledged.next());
    }
}

impl Endpoint for Sender {
    fn start(&mut self, now: Time, actions: &mut Actions) {
        self.send(now, actions);
        self.restart_timer(now, actions);
    }

    fn receive(&mut self, now: Time, answer: &Segment, actions: &mut Actions) {
        let (first, bytes) = (self.acknowledged.next(), self.acknowledged.bytes());
        if bytes == self.total {
            return;
        }
        self.note(answer);
        let added = self.acknowledged.bytes() - bytes;
        if bytes + added == self.total {
            actions.timer = Some(None);
            actions.finished = true;
            return;
        }
        if added > 0 || self.probing {
            self.timeouts_in_row = 0;
        }
        if self.acknowledged.next() > first || self.probing {
            self.restart_timer(now, actions);
        }
        self.probing = false;
        self.window.grow(added);
        self.send(now, actions);
    }

    fn timer(&mut self, now: Time, actions: &mut Actions) {
        self.restart_timer(now, actions);
        if !self.probing {
            self.counts.timeouts += 1;
            self.timeouts_in_row += 1;
            self.window.time_out(Some(self.window.bytes()));
            self.next = self.acknowledged.next();
            self.in_flight = 0;
            self.probing = self.timeouts_in_row >= self.shape.probe_after;
        }
        if self.probing {
            self.probe(now, actions);
        } else {
            self.send(now, actions);
        }
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

    fn timer(&mut self, _: Time, _: &mut Actions) {}
}
