//! The two ends of a flow, as state machines: segments and time in, segments and a timer out.

use crate::net::flow::{FlowSpec, HostId};
use crate::net::host_transport::{HostFlow, HostTransport, Wish};
use crate::net::segment::Segment;
use crate::net::transport_counts::TransportCounts;
use forebay_core::registry::Named;
use forebay_core::{About, Duration, ParamError, Params, Rate, Seed, Time};
use std::fmt;

/// One end of a flow. It does no IO and reads no clock.
///
/// After the flow is over for both ends, the network discards segments that still arrive for it.
pub trait Endpoint {
    /// The flow starts. Called once at each end, first at the receiver's.
    fn start(&mut self, now: Time, actions: &mut Actions);

    /// A segment arrived from the other end.
    fn receive(&mut self, now: Time, segment: &Segment, actions: &mut Actions);

    /// Handles the expiry of the endpoint's timer.
    fn timer(&mut self, now: Time, actions: &mut Actions);

    /// The counts so far.
    fn counts(&self) -> TransportCounts {
        TransportCounts::default()
    }

    /// Bytes of the flow that have arrived at this end, each counted once.
    fn received_bytes(&self) -> u64 {
        0
    }

    /// Bytes that it may have in flight now, if it has such a window.
    fn window_bytes(&self) -> Option<u64> {
        None
    }
}

/// The actions that an endpoint requests. The network passes the same object to all calls, with `segments` and `others` empty, `timer`
/// [`None`] and `finished` false.
#[derive(Debug, Default)]
pub struct Actions {
    /// The segments to be sent now, in this order, through the host's network card.
    pub segments: Vec<Segment>,
    /// The change of the timer. `Some(Some(time))`: call [`Endpoint::timer`] at `time` instead of an earlier request. `Some(None)`: no
    /// timer. `None`: no change.
    pub timer: Option<Option<Time>>,
    /// Whether the flow is over for this end: the receiver has every byte, or the sender knows that. Each end sets this once. The network
    /// removes both ends when the sender sets it, or the receiver if [`Transport::acknowledges`] is false.
    pub finished: bool,
    /// The requests of a [`HostTransport`] for other flows of its host, in this order, after all other fields. Requests for a flow that is
    /// over are ignored.
    pub others: Vec<(HostFlow, Wish)>,
}

/// The facts that a transport knows when a flow opens.
#[derive(Debug, Clone, Copy)]
pub struct FlowContext {
    /// The flow.
    pub flow: FlowSpec,
    /// The rate of the sender's link.
    pub access_rate: Rate,
    /// The round-trip time of a segment of [`Transport::full_segment_bytes`] bytes and its acknowledgement, without other packets in the
    /// network.
    pub base_rtt: Duration,
    /// The root of the flow's random numbers.
    pub seed: Seed,
}

/// A transport: it makes the endpoints of flows, or the protocol's instance at each host.
pub trait Transport: fmt::Debug + Send + Sync {
    /// The sender's and the receiver's end of a flow that knows of no other one.
    fn open(&self, context: &FlowContext) -> (Box<dyn Endpoint>, Box<dyn Endpoint>);

    /// The protocol at a host, for all flows there; [`None`] if each flow has endpoints of its own. The answer is the same for all hosts.
    /// In a network, this method replaces [`open`](Self::open).
    fn at_host(&self, _host: HostId) -> Option<Box<dyn HostTransport>> {
        None
    }

    /// Bytes on the wire of a segment that is full, and of one without data.
    fn full_segment_bytes(&self) -> (u32, u32);

    /// Whether the sender learns that the receiver has every byte.
    fn acknowledges(&self) -> bool {
        true
    }
}

/// A transport in the registry.
#[derive(Debug, Clone, Copy)]
pub struct TransportEntry {
    /// The name, title and source of the transport.
    pub about: About,
    /// Builds the transport.
    pub build: fn(&Params) -> Result<Box<dyn Transport>, ParamError>,
}

impl Named for TransportEntry {
    fn about(&self) -> &About {
        &self.about
    }
}
