//! A sender without congestion control: it sends the flow at the rate of its link, once, and expects no answer.
//!
//! Lost packets stay lost, and the flow then never finishes. Queueing theory assumes such traffic. In a network without losses, it is a
//! bound for any transport.

use super::udp::Udp;
use crate::net::endpoint::TransportEntry;
use crate::net::transport_params::{HEADER_BYTES, PAYLOAD_BYTES, small};
use forebay_core::{About, Exactness};

/// The registry's entry: [`Udp`] at the rate of the link.
pub const ENTRY: TransportEntry = TransportEntry {
    about: About {
        name: "ideal",
        title: "Sends the flow once at the rate of the link, whether packets are lost or not",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1)",
        source: "the infinite window of queueing theory",
        params: &[PAYLOAD_BYTES, HEADER_BYTES],
    },
    build: |params| Ok(Box::new(Udp::at_link_rate(small(params, "payload_bytes"), small(params, "header_bytes")))),
};
