//! A sender without congestion control: it sends the flow at the rate of its link, once, and expects no answer.
//!
//! What the network loses stays lost, and the flow then never finishes. It is the traffic of queueing theory, and with a
//! network that loses nothing the bound of what any transport can reach.

use crate::counting::Counting;
use crate::endpoint::{Actions, Endpoint, FlowContext, Transport, TransportCounts, TransportEntry};
use crate::given::{HEADER_BYTES, PAYLOAD_BYTES, small};
use crate::segment::Segment;
use forebay_core::{About, Exactness, Rate, Time};

/// The registry's entry for [`Ideal`].
pub const ENTRY: TransportEntry = TransportEntry {
    about: About {
        name: "ideal",
        title: "Sends the flow at the rate of the link, once, whatever happens",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1)",
        source: "the infinite window of queueing theory",
        params: &[PAYLOAD_BYTES, HEADER_BYTES],
    },
    build: |params| {
        let (payload_bytes, header_bytes) = (small(params, "payload_bytes"), small(params, "header_bytes"));
        Ok(Box::new(Ideal { payload_bytes, header_bytes }))
    },
};

/// Opens flows that send at the rate of their link.
#[derive(Debug, Clone, Copy)]
pub struct Ideal {
    payload_bytes: u32,
    header_bytes: u32,
}

impl Transport for Ideal {
    fn open(&self, context: &FlowContext) -> (Box<dyn Endpoint>, Box<dyn Endpoint>) {
        let bytes = context.flow.bytes;
        let sender = Sender { shape: *self, rate: context.access_rate, sent: 0, bytes, segments: 0 };
        (Box::new(sender), Box::new(Counting::new(bytes)))
    }

    fn full_segment_bytes(&self) -> (u32, u32) {
        (self.payload_bytes + self.header_bytes, self.header_bytes)
    }

    fn acknowledges(&self) -> bool {
        false
    }
}

#[derive(Debug)]
struct Sender {
    shape: Ideal,
    rate: Rate,
    sent: u64,
    bytes: u64,
    segments: u64,
}

impl Sender {
    fn send(&mut self, now: Time, actions: &mut Actions) {
        let left = self.bytes - self.sent;
        let payload_bytes = u32::try_from(left.min(u64::from(self.shape.payload_bytes))).unwrap_or(u32::MAX);
        let segment = Segment {
            seq: self.sent,
            remaining: left,
            timestamp: now,
            payload_bytes,
            header_bytes: self.shape.header_bytes,
            ..Segment::default()
        };
        self.sent += u64::from(payload_bytes);
        self.segments += 1;
        actions.timer = Some((self.sent < self.bytes).then(|| now + self.rate.transmission_time(segment.wire_bytes())));
        actions.segments.push(segment);
    }
}

impl Endpoint for Sender {
    fn start(&mut self, now: Time, actions: &mut Actions) {
        self.send(now, actions);
    }

    fn receive(&mut self, _: Time, _: &Segment, _: &mut Actions) {}

    fn timer(&mut self, now: Time, actions: &mut Actions) {
        self.send(now, actions);
    }

    fn counts(&self) -> TransportCounts {
        TransportCounts { data_segments: self.segments, ..TransportCounts::default() }
    }
}
