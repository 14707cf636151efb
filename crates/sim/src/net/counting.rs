//! A receiver that sends no answers.

use crate::net::endpoint::{Actions, Endpoint};
use crate::net::flow::FlowSpec;
use crate::net::received_bytes::Received;
use crate::net::segment::Segment;
use forebay_core::Time;

/// Knows when all of its flow has arrived, also out of order or repeated.
#[derive(Debug)]
pub(crate) struct Counting {
    received: Received,
    total: u64,
    /// For a flow that never ends, the number of arrived bytes; the bytes themselves would have to be remembered for ever.
    endless_bytes: u64,
}

impl Counting {
    /// Waits for a flow of `total` bytes.
    pub(crate) fn new(total: u64) -> Self {
        Self { received: Received::default(), total, endless_bytes: 0 }
    }
}

impl Endpoint for Counting {
    fn start(&mut self, _: Time, _: &mut Actions) {}

    fn receive(&mut self, _: Time, segment: &Segment, actions: &mut Actions) {
        if self.total < FlowSpec::ENDLESS {
            let added = self.received.insert(segment.seq, segment.seq + u64::from(segment.payload_bytes));
            actions.finished = added > 0 && self.received.bytes() == self.total;
        } else {
            self.endless_bytes += u64::from(segment.payload_bytes);
        }
    }

    fn received_bytes(&self) -> u64 {
        self.received.bytes() + self.endless_bytes
    }

    fn timer(&mut self, _: Time, _: &mut Actions) {}
}
